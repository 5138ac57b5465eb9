/** The options of a command that say how its subjects are reached. */
import type { LoadSettings } from '../subject/load.ts';
import { type Given, readDuration, readText } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** Taken by every command that loads a subject. */
export const loadOptions = {
  postgres: { type: 'string' },
  bearer: { type: 'string' },
  transport: { type: 'string' },
} as const;

const transports = ['jsonrpc', 'http', 'grpc'] as const;

/** Reads those options; a bearer token may stand in PAGECHECK_BEARER, where other users of the machine don't see it. */
export function loadSettings(given: Given): LoadSettings {
  const settings = {
    postgres: readText(given, 'postgres'),
    bearer: readText(given, 'bearer') ?? (process.env.PAGECHECK_BEARER || undefined),
    transport: readTransport(given),
    operationTimeoutMs: readDuration(given, 'operation-timeout'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function readTransport(given: Given): LoadSettings['transport'] {
  const name = readText(given, 'transport');
  const transport = transports.find((one) => one === name);
  if (name === undefined || transport !== undefined) return transport;
  throw new UsageError({
    where: `--transport ${name}`,
    problem: 'is no transport',
    remedy: `name one of ${transports.join(', ')}`,
  });
}
