#!/usr/bin/env node
/** The command line: the only place that ends the process. */
import { SubjectFault } from '../run/subject-fault.ts';
import { runCertify } from './certify.ts';
import { runDiff, runMerge } from './compare.ts';
import { help } from './help.ts';
import { nearMatches } from './near.ts';
import { runReplay } from './replay.ts';
import { renderRules } from './rules.ts';
import { UsageError } from './usage-error.ts';

type Command = (args: readonly string[], signal: AbortSignal) => Promise<number> | number;

const commands: Readonly<Record<string, Command>> = {
  certify: runCertify,
  replay: runReplay,
  diff: runDiff,
  merge: runMerge,
  cost: async (args, signal) => (await import('./cost.ts')).runCost(args, signal),
  mutants: async (args, signal) => (await import('./mutants.ts')).runMutants(args, signal),
  profile: async (args, signal) => (await import('./profile.ts')).runProfile(args, signal),
  serve: async (args) => (await import('./serve.ts')).runServe(args, (line) => process.stdout.write(`${line}\n`)),
  rules: (args) => {
    process.stdout.write(renderRules(args[0]));
    return 0;
  },
};

const interrupted = 130;

async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return name === undefined ? 3 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const near = nearMatches(name, Object.keys(commands));
    throw new UsageError({
      where: `pagecheck ${name}`,
      problem: 'is no command',
      remedy: near.length > 0 ? `perhaps ${near.join(', ')}` : `give one of ${Object.keys(commands).join(', ')}`,
    });
  }
  return command(rest, signal);
}

/** What a user is told of an error, and the exit status that goes with it. */
function explain(error: unknown): { text: string; status: number } {
  if (error instanceof UsageError) return { text: error.message, status: error.status };
  if (error instanceof SubjectFault) return { text: error.message, status: error.kind === 'interface' ? 3 : 4 };
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof Error && 'status' in error && error.status === 4 ? '' : 'the harness failed: ';
  return { text: `${status}${message}`, status: 4 };
}

let finished = false;

function end(status: number): never {
  finished = true;
  process.exit(status);
}

const control = new AbortController();
// The server stops by itself when it is told to.
const handled = process.argv[2] === 'serve' ? [] : (['SIGINT', 'SIGTERM', 'SIGHUP'] as const);
for (const name of handled) {
  process.on(name, () => {
    // The second time nothing is waited for.
    if (control.signal.aborted) end(interrupted);
    control.abort();
    process.stderr.write('\nstopping; what was decided so far follows\n');
  });
}
// What a subject throws outside of any call ends the run; it is no violation, and no stack for the user.
for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(name, (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`pagecheck: the subject, or the harness, failed outside of any call: ${message}\n`);
    if (process.argv.includes('--verbose') && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    end(4);
  });
}
// Output into a pipe that is closed, such as `| head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') end(0);
  throw error;
});

// A module that waits at its top for what never comes leaves nothing to wait for, and this program unfinished.
process.exitCode = 4;
process.on('exit', () => {
  if (!finished) process.stderr.write('pagecheck: nothing is left to wait for: a module never finished loading\n');
});

try {
  const status = await run(process.argv.slice(2), control.signal);
  process.exitCode = control.signal.aborted ? interrupted : status;
} catch (error) {
  const { text, status } = explain(error);
  process.stderr.write(`pagecheck: ${text}\n`);
  if (process.argv.includes('--verbose') && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = status;
}
finished = true;
