/** `pagecheck profile`: where a subject spends its time, memory or waiting while its list is paged through. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderDuration } from '../report/duration.ts';
import { EnvironmentError } from '../run/environment-error.ts';
import { loadSubject } from '../subject/load.ts';
import { type Given, readArguments, readDuration, readNumber, readText } from './arguments.ts';
import { writeOutput } from './files.ts';
import { loadOptions, loadSettings } from './load-settings.ts';
import { type LoadOrder, orderVariable } from './profile-order.ts';
import { installedClinic, profilerFolder } from './profiler-package.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const profileOptions = {
  kind: { type: 'string' },
  tasks: { type: 'string' },
  'page-size': { type: 'string' },
  duration: { type: 'string' },
  'time-limit': { type: 'string' },
  out: { type: 'string' },
  ...loadOptions,
} as const;

interface Kind {
  /** Clinic's name for it; absent for Node's own profiler. */
  readonly clinic?: string;
  readonly tasks: number;
  readonly durationMs: number;
  readonly says: string;
}

const usual = { tasks: 10_000, durationMs: 10_000 } as const;

/** Bubbleprof writes down every asynchronous step, its own writing among them: more than a moment of it can't be read. */
const kinds: Readonly<Record<string, Kind>> = {
  flame: { ...usual, clinic: 'flame', says: 'which functions the time goes to' },
  doctor: { ...usual, clinic: 'doctor', says: 'processor, memory, event loop and handles over time, with advice' },
  bubbleprof: { tasks: 200, durationMs: 500, clinic: 'bubbleprof', says: 'what is waited for' },
  heap: { ...usual, clinic: 'heapprofiler', says: 'which functions memory is given to' },
  cpu: {
    ...usual,
    says: "which functions the time goes to, by Node's own profiler; open it in Chrome's DevTools or VS Code",
  },
};

/** Beyond the load: filling the store, and what clinic makes of the data, which takes a minute on two busy cores. */
const analysisMs = 5 * 60_000;

/** Profiles the subject named in `args`, `memory` where none is, and writes one file; gives the exit status. */
export async function runProfile(args: readonly string[], signal: AbortSignal): Promise<number> {
  const given = readArguments('profile', args, profileOptions);
  const [subject = 'memory', ...more] = given.words;
  if (more.length > 0)
    throw new UsageError({
      where: 'pagecheck profile',
      problem: 'takes one subject',
      remedy: `leave out ${more.join(' ')}`,
    });
  const { name, kind } = readKind(given);
  const settings = loadSettings(given);
  // What is wrong with the subject's name or module is told before anything is installed or run.
  await loadSubject(subject, settings);
  const order: LoadOrder = {
    subject,
    settings,
    tasks: readNumber(given, 'tasks', 1, 1_000_000) ?? kind.tasks,
    pageSize: readNumber(given, 'page-size', 1, 100) ?? 50,
    durationMs: readDuration(given, 'duration') ?? kind.durationMs,
    exitAtOnce: kind.clinic === 'bubbleprof',
  };
  const timeLimitMs = readDuration(given, 'time-limit') ?? order.durationMs + analysisMs;
  const folder = mkdtempSync(join(tmpdir(), 'pagecheck-profile-'));
  try {
    const { command, words } = await profilerCommand(kind, folder, signal);
    tell(`profiling ${subject} for ${renderDuration(order.durationMs)}: ${kind.says}`);
    // Without these clinic asks for consent, and for news, before it does anything.
    const env = { [orderVariable]: JSON.stringify(order), NO_INSIGHT: '1', NO_UPDATE_NOTIFIER: '1' };
    const end = await runProgram(command, [...words, ...loadCommand()], {
      env,
      timeLimitMs,
      signal,
    });
    const result = resultIn(folder, kind);
    if (result === undefined) throw new EnvironmentError(whyNothing(end, timeLimitMs, name));
    const extension = kind.clinic === undefined ? 'cpuprofile' : 'html';
    const out =
      readText(given, 'out') ?? `reports/profile-${subject.replace(/[^A-Za-z0-9]+/g, '-')}-${name}.${extension}`;
    writeOutput(out, readFileSync(result, 'utf8'));
    const done = end.kind === 'absent' ? '' : (/^\d+ pages and .*$/m.exec(end.output)?.[0] ?? '');
    process.stdout.write(`${done}\n${out}: ${kind.says}\n`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readKind(given: Given): { readonly name: string; readonly kind: Kind } {
  const name = readText(given, 'kind') ?? 'flame';
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind !== undefined) return { name, kind };
  throw new UsageError({
    where: `--kind ${name}`,
    problem: 'is no kind of profile',
    remedy: `name one of ${Object.keys(kinds).join(', ')}`,
  });
}

async function profilerCommand(
  kind: Kind,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly command: string; readonly words: readonly string[] }> {
  if (kind.clinic === undefined) {
    return { command: process.execPath, words: ['--cpu-prof', `--cpu-prof-dir=${folder}`] };
  }
  const clinic = await installedClinic(profilerFolder(), { tell, signal });
  return { command: process.execPath, words: [clinic, kind.clinic, '--open=false', '--dest', folder, '--', 'node'] };
}

/** How Node runs the load: as it stands in a checkout, or compiled. */
function loadCommand(): readonly string[] {
  const isSource = import.meta.url.endsWith('.ts');
  const load = fileURLToPath(new URL(isSource ? './profile-load.ts' : './profile-load.js', import.meta.url));
  return [...(isSource ? ['--import', import.meta.resolve('tsx')] : []), load];
}

function resultIn(folder: string, { clinic }: Kind): string | undefined {
  // Node writes a profile a thread, `CPU.<date>.<time>.<process>.<thread>.<number>`; the load is in the first, 0.
  const isResult = (name: string): boolean =>
    clinic === undefined ? /\.0\.\d+\.cpuprofile$/.test(name) : name.endsWith(`.clinic-${clinic}.html`);
  const name = readdirSync(folder).find(isResult);
  return name === undefined ? undefined : join(folder, name);
}

function whyNothing(end: ProgramEnd, timeLimitMs: number, name: string): string {
  if (end.kind === 'absent') return 'The profiler could not be started: is Node.js where it was?';
  if (end.kind === 'killed' && end.why === 'signal') return 'The profile was interrupted';
  const said = end.output.trim().split('\n').slice(-3).join(' | ');
  if (end.kind === 'killed')
    return `${name} was not done after ${renderDuration(timeLimitMs)}: give a shorter --duration, fewer --tasks, a longer --time-limit, or --kind cpu. It said: ${said}`;
  return `${name} gave no result (status ${end.status}); it said: ${said}. Try a shorter --duration, fewer --tasks, or --kind cpu`;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
