/** `npm run fuzz`: hostile requests by the hundred thousand against the reference agent, on this machine alone. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type FuzzReport, fuzz } from '../run/hostile/fuzz.ts';
import type { Transport } from '../wire/transport-error.ts';
import { readArguments, readNumber, readText } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const usage = `usage: npm run fuzz -- [--requests 100000] [--seed N] [--transport jsonrpc|http|grpc] [--crowd 4000]
  Starts the reference agent on 127.0.0.1 and sends it hostile requests, on every transport where none is named; each
  for a caller who has tasks and for one who has none. Slow clients, clients that vanish and a crowd of connections
  come along, and right requests, which must get right answers all the while.
Exit status: 0 nothing found · 1 an answer that should not have been given · 3 bad usage · 130 interrupted
`;

const transports: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];
const options = {
  requests: { type: 'string' },
  seed: { type: 'string' },
  transport: { type: 'string' },
  crowd: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const DEFAULT_REQUESTS = 100_000;
const DEFAULT_CROWD = 4_000;
/** Sockets of a crowd have two ends in this process, and half as many again come on top. */
const FILES_PER_CONNECTION = 3;
const OTHER_FILES = 1_000;
const SHOWN = 10;

async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const given = readArguments('fuzz', args, options);
  if (given.values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const requests = readNumber(given, 'requests', 1, 100_000_000) ?? DEFAULT_REQUESTS;
  const seed = readNumber(given, 'seed', 0, 2 ** 31 - 1) ?? Date.now() % 2 ** 31;
  const crowd = Math.min(readNumber(given, 'crowd', 0, 1_000_000) ?? DEFAULT_CROWD, affordableCrowd());
  let found = 0;
  for (const transport of chosen(readText(given, 'transport'))) {
    process.stdout.write(`${transport}: ${requests} hostile requests, seed ${seed}\n`);
    const report = await fuzz({
      transport,
      requests,
      seed,
      crowd,
      signal,
      liveBytes,
      onProgress: (sent, findings) => process.stderr.write(`… ${sent} sent, ${findings} findings\n`),
    });
    process.stdout.write(`${render(report)}\n`);
    found += report.findings.length;
    if (signal.aborted) return 130;
  }
  return found === 0 ? 0 : 1;
}

function chosen(name: string | undefined): readonly Transport[] {
  const one = transports.filter((transport) => transport === name);
  if (name === undefined || one.length > 0) return name === undefined ? transports : one;
  const problem = 'is no transport';
  throw new UsageError({ where: `--transport ${name}`, problem, remedy: `give one of ${transports.join(', ')}` });
}

/** How many connections the limit on open files leaves room for. */
function affordableCrowd(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(userLimits?.open_files?.soft ?? 1_024);
  return Number.isFinite(files) ? Math.max(0, Math.floor((files - OTHER_FILES) / FILES_PER_CONNECTION)) : DEFAULT_CROWD;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function liveBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function render(report: FuzzReport): string {
  const { transport, seed, sent, milliseconds, findings } = report;
  const mebibytes = report.liveBytes.map((bytes) => (bytes / 2 ** 20).toFixed(1));
  const outcomes = Object.entries(report.outcomes).sort(([, a], [, b]) => b - a);
  const shown = findings.slice(0, SHOWN).map(({ at, about, problem, shown: text }) => {
    const where = at === undefined ? about : `request ${at} (${about})`;
    return `FOUND ${where}: ${problem}\n${text.replaceAll(/^/gm, '    ')}`;
  });
  return [
    `  ${sent} requests for two callers each in ${(milliseconds / 1_000).toFixed(0)} s, ${Math.round((2 * sent * 1_000) / milliseconds)} answers a second`,
    `  outcomes: ${outcomes.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`,
    `  ${report.honest} right walks between them, ${report.stalled} slow clients put off, ${report.vanished} vanished, ${report.crowded} connections at once`,
    `  live memory after each tenth: ${mebibytes.join(' ')} MiB`,
    ...shown,
    ...(findings.length > SHOWN ? [`… and ${findings.length - SHOWN} more findings`] : []),
    `  ${findings.length} findings; again: npm run fuzz -- --transport ${transport} --requests ${sent} --seed ${seed}`,
  ].join('\n');
}

const control = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    // The second time nothing is waited for.
    if (control.signal.aborted) process.exit(130);
    control.abort();
    process.stderr.write('\nstopping; what was found so far follows\n');
  });
}
try {
  process.exitCode = await run(process.argv.slice(2), control.signal);
} catch (error) {
  process.stderr.write(`fuzz: ${(error as Error).message}\n`);
  process.exitCode = error instanceof UsageError ? error.status : 4;
}
