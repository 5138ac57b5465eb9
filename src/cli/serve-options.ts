/** The options of `pagecheck serve`. */
import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

/** What is to be served, and to whom. */
export interface ServeOptions {
  readonly store: 'memory' | 'postgres';
  /** The value of `--postgres`: `embedded`, `container` or a URL. */
  readonly postgres: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  /** Bearer token to caller. */
  readonly callers: Readonly<Record<string, string>>;
}

/** How to call `pagecheck serve`. */
export const serveUsage = `pagecheck serve [--store memory|postgres] [--postgres embedded|container|URL]
                [--host 127.0.0.1] [--port N] [--grpc-port N] [--caller NAME=TOKEN ...]
  Serves the reference agent over JSON-RPC, HTTP+JSON and gRPC until it is told to stop.
  Tasks in PostgreSQL are kept in public.a2a_tasks, which is made where it is missing.
  A port that is not named, or 0, is a free one. Without --caller, one caller is made up.`;

/** Reads the arguments after `serve`. Throws a `UsageError` for anything that is not in `serveUsage`. */
export function parseServeOptions(args: readonly string[], newToken: () => string): ServeOptions {
  const values = parse(args);
  const { store = 'memory' } = values;
  if (store !== 'memory' && store !== 'postgres') throw misuse('--store', `is ${store}`, 'give memory or postgres');
  if (values.postgres !== undefined && store !== 'postgres') {
    throw misuse('--postgres', 'names a database that is not used', 'add --store postgres');
  }
  return {
    store,
    postgres: values.postgres,
    host: values.host ?? '127.0.0.1',
    port: portOf('--port', values.port),
    grpcPort: portOf('--grpc-port', values['grpc-port']),
    callers: values.caller === undefined ? { [newToken()]: 'me' } : Object.fromEntries(values.caller.map(callerOf)),
  };
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        store: text,
        postgres: text,
        host: text,
        port: text,
        'grpc-port': text,
        caller: { type: 'string', multiple: true },
      },
    }).values;
  } catch (error) {
    throw misuse('serve', `does not take these arguments (${(error as Error).message})`, 'see pagecheck serve --help');
  }
}

function portOf(option: string, text = '0'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw misuse(option, `is ${text}`, 'give a number from 0 to 65535');
  return port;
}

function callerOf(text: string): [token: string, caller: string] {
  const [, caller, token] = /^([^=]+)=(\S+)$/.exec(text) ?? [];
  if (caller === undefined || token === undefined) {
    throw misuse('--caller', 'has another form', 'give NAME=TOKEN');
  }
  return [token, caller];
}

function misuse(where: string, problem: string, remedy: string): UsageError {
  return new UsageError({ where, problem, remedy });
}
