import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pagecheck-bad-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of this text in a folder that the tests remove. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Far above what a run takes, far below what a hang does. */
const boundMs = 50_000;

/** The real command line, in a process group of its own so that what it leaves behind is found. */
function start(args: readonly string[]): { readonly child: ChildProcess; readonly outcome: Promise<Outcome> } {
  const main = join(root, 'src/cli/main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: boundMs,
    killSignal: 'SIGKILL',
  });
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out, err }));
  });
  return { child, outcome };
}

/** Whether a process of the child's group still runs; one that ended and that nobody waits for does not. */
function leavesSomething({ pid }: ChildProcess): boolean {
  if (!existsSync('/proc/self/stat')) return reaches(-pid!);
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [state, , group] = statOf(name);
    return Number(group) === pid && state !== 'Z';
  });
}

/** What Linux says of a process after its name: its state, its parent, its group; nothing where it has just ended. */
function statOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

function reaches(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What a user is told: one line, no stack. */
function expectOneLine(err: string, message: string): void {
  expect(err).toContain(message);
  expect(err).toMatch(/^pagecheck: [^\n]+\n$/);
}

const quick = ['--runs', '30', '--operation-timeout', '400ms'];

describe.concurrent('a bad subject', () => {
  const told: readonly (readonly [name: string, status: number, message: string])[] = [
    ['no-default-export', 3, 'no-default-export.ts has no default export'],
    ['not-a-subject', 3, 'not-a-subject.ts has a default export without a method open'],
    ['throws-on-import', 3, "throws-on-import.ts can't be imported (no such configuration file)"],
    ['never-loads', 4, 'a module never finished loading'],
    ['throws-on-open', 4, 'throws-on-open: open failed: connection refused'],
    ['never-opens', 4, 'never-opens: open gave no answer within 400 ms'],
    ['never-answers-list', 4, 'never-answers-list: list gave no answer within 400 ms'],
    ['list-returns-undefined', 3, 'list-returns-undefined: list answered a value of type undefined'],
    ['tasks-not-an-array', 3, 'tasks-not-an-array: list answered without an array in `tasks`'],
    ['cursors-as-numbers', 3, 'cursors-as-numbers: taskCursors[0] is no cursor'],
    ['fails-later', 4, 'failed outside of any call: connection lost'],
    ['rejects-later', 4, 'failed outside of any call: pool exhausted'],
  ];
  const judged: readonly (readonly [name: string, rule: string])[] = [
    ['exceeds-page-size', 'WIRE-5'],
    ['token-cycle', 'WALK-5'],
    ['token-not-a-string', 'TOKEN-1'],
  ];
  const harmless = ['changes-after-return', 'says-when-it-lists'];

  test('of every kind has a test here', () => {
    const known = [...told.map(([name]) => name), ...judged.map(([name]) => name), ...harmless];
    expect(readdirSync(join(root, 'spec/bad-subjects')).sort()).toEqual(known.map((name) => `${name}.ts`).sort());
  });

  test.each(told)('%s ends with status %i and is named', async (name, status, message) => {
    const ended = await start(['certify', `spec/bad-subjects/${name}.ts`, ...quick]).outcome;
    expectOneLine(ended.err, message);
    expect(ended.status).toBe(status);
  });

  test.each(judged)('%s breaks %s', async (name, rule) => {
    const ended = await start(['certify', `spec/bad-subjects/${name}.ts`, '--rule', rule, ...quick]).outcome;
    expect(ended.out).toMatch(new RegExp(`^${rule}: `, 'm'));
    expect(ended.out).toMatch(/0 passed, 1 failed/);
    expect(ended).toMatchObject({ status: 1, err: '' });
  });

  test('that changes what it gave is judged by what it gave', async () => {
    const ended = await start(['certify', 'spec/bad-subjects/changes-after-return.ts', '--rule', 'WALK-4', ...quick])
      .outcome;
    expect(ended.out).toMatch(/ 0 failed/);
    expect(ended.err).toBe('');
  });
});

describe.concurrent('bad usage', () => {
  const cut = file('cut.json', '{"format":');
  const other = file('other.json', '{"format": "something-else"}');
  const known = file('known.json', '{"version": 1, "known": [{"rule": "NOPE-1", "reason": "it fails"}]}');

  test.each<[string, string[], string]>([
    ['a command', ['certif'], 'pagecheck certif is no command: perhaps certify'],
    ['a subject', ['certify', 'no-such.ts'], 'no-such.ts is neither a bundled subject'],
    ['a folder', ['certify', 'spec'], "spec can't be imported"],
    ['an option', ['certify', 'memory', '--sed', '5'], '--sed is not an option: perhaps --seed'],
    ['an option without its value', ['certify', 'memory', '--seed'], "Option '--seed <value>' argument missing"],
    ['a value that looks like an option', ['certify', '--seed', '-5'], "Option '--seed' argument is ambiguous"],
    ['a seed', ['certify', 'memory', '--seed', '1e3'], '--seed 1e3 is no whole number in range'],
    ['a rule', ['certify', 'memory', '--rule', 'WALK-33'], '--rule WALK-33 is no rule: perhaps WALK-3'],
    ['a profile', ['certify', 'memory', '--profile', '0.7'], '--profile 0.7 is no profile: name one of 0.6'],
    ['a shard', ['certify', 'memory', '--shard', '3/2'], '--shard 3/2 is no shard'],
    ['a duration', ['certify', 'memory', '--time-budget', '5'], '--time-budget 5 is no duration'],
    ['a missing file', ['replay', 'none.json'], "none.json can't be read (ENOENT)"],
    ['a replay that is cut off', ['replay', cut], 'cut.json is not valid JSON'],
    ['a replay of another format', ['replay', other], 'other.json is malformed, format should be "pagecheck-replay"'],
    ['known failures that are cut off', ['certify', 'memory', '--known', cut], 'cut.json is not valid JSON'],
    ['known failures of no rule', ['certify', 'memory', '--known', known], 'NOPE-1'],
    ['certificates that are cut off', ['diff', cut, cut], 'cut.json is not valid JSON'],
    ['certificates of another format', ['diff', other, other], 'other.json'],
    ['one certificate where two are compared', ['diff', other], 'pagecheck diff takes two certificates'],
    [
      'sizes that are no numbers',
      ['cost', 'memory', '--sizes', '1e3,many'],
      '--sizes 1e3,many holds what is no number',
    ],
    [
      'sizes whose deep pages are not full',
      ['cost', 'memory', '--sizes', '200,2e3'],
      '--sizes 200,2e3 has 200 tasks, too few or too many',
    ],
    ['costs that are cut off', ['cost', 'memory', '--against', cut], 'cut.json is not valid JSON'],
    ['costs of another format', ['cost', 'memory', '--against', other], 'other.json is no cost certificate'],
    ['an agent to be filled', ['cost', 'http://127.0.0.1:1'], "is a running agent, which can't be measured"],
    ['no certificate to merge', ['merge'], 'pagecheck merge takes certificates'],
  ])('%s: status 3 and one line', async (_, args, message) => {
    const ended = await start(args).outcome;
    expectOneLine(ended.err, message);
    expect(ended).toMatchObject({ status: 3, out: '' });
  });

  test('an output that can not be written: status 4, after the result was shown', async () => {
    const target = join(file('a-file', ''), 'certificate.json');
    const ended = await start(['certify', 'memory', '--rule', 'COUNT-1', '--runs', '3', '--json', target]).outcome;
    expectOneLine(ended.err, "certificate.json can't be written");
    expect(ended.status).toBe(4);
    expect(ended.out).toContain('COUNT-1');
  });

  test('with --verbose an unexpected error comes with its stack', async () => {
    const ended = await start(['certify', 'spec/bad-subjects/throws-on-open.ts', '--verbose']).outcome;
    expect(ended.err).toMatch(/\n {4}at /);
    expect(ended.status).toBe(4);
  });
});

describe('an interrupt', () => {
  test('ends a long run with what was decided so far, and leaves no process behind', async () => {
    const long = ['--runs', '1000000', '--time-budget', '1h'];
    const { child, outcome } = start([
      'certify',
      'spec/bad-subjects/says-when-it-lists.ts',
      '--rule',
      'WALK-1',
      ...long,
    ]);
    child.stderr?.on('data', (text) => {
      if (String(text).includes('listed')) child.kill('SIGINT');
    });
    const ended = await outcome;
    expect(ended.status).toBe(130);
    expect(ended.out).toContain('WALK-1');
    expect(ended.err).not.toMatch(/\n {4}at /);
    await expect.poll(() => leavesSomething(child), { timeout: 10_000 }).toBe(false);
  });
});
