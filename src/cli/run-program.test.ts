import { describe, expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const node = (script: string, options: { timeLimitMs: number; signal?: AbortSignal }) =>
  runProgram(process.execPath, ['-e', script], options);

/** A script that starts a child in its own group, tells its id, and waits for ever. */
const withChild = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(child.pid);
  setInterval(() => {}, 1000);
`;

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits until a process is gone; the system takes a moment to bury it. */
async function gone(pid: number): Promise<boolean> {
  for (let turn = 0; turn < 400 && lives(pid); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  return !lives(pid);
}

describe('a program', () => {
  it('gives its status and what it said', async () => {
    const end = await node("console.log('out'); console.error('err'); process.exitCode = 7", { timeLimitMs: 30_000 });
    expect(end).toMatchObject({ kind: 'ended', status: 7 });
    expect(end.kind === 'ended' && end.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('has no input: what asks a question gets none', async () => {
    const asks = "process.stdin.on('data', () => {}).on('end', () => console.log('no answer'))";
    expect(await node(asks, { timeLimitMs: 30_000 })).toMatchObject({ kind: 'ended', output: 'no answer\n' });
  });

  it('is killed with its children when its time is up', async () => {
    const end = await node(withChild, { timeLimitMs: 3_000 });
    expect(end).toMatchObject({ kind: 'killed', why: 'time' });
    expect(await gone(Number(end.kind === 'killed' && end.output))).toBe(true);
  });

  it('is killed when the user stops', async () => {
    const control = new AbortController();
    const ending = node('setInterval(() => {}, 1000)', { timeLimitMs: 60_000, signal: control.signal });
    control.abort();
    expect(await ending).toMatchObject({ kind: 'killed', why: 'signal' });
  });

  it('that does not exist is told from one that failed', async () => {
    expect(await runProgram('/no/such/program', [], { timeLimitMs: 1_000 })).toEqual({ kind: 'absent' });
  });
});
