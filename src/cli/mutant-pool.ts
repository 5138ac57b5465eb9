/** Tries mutants in several processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Kill, KillBudget } from '../mutants/kill.ts';
import type { Mutant } from '../mutants/mutant.ts';
import type { Answer, Assignment } from './mutant-worker.ts';

export interface Pool {
  readonly budget: KillBudget;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Told each row as it comes, in no order. */
  readonly onKill: (kill: Kill) => void;
  /** Beyond its time for programs a mutant is shrunk, and its server started; then it is taken for hanging. */
  readonly graceMs?: number;
  /** The module that a process runs; the one that tries mutants where absent. */
  readonly worker?: URL;
}

const longestGraceMs = 120_000;

const ENDED = 'its process ended with';

/** Tries every mutant; resolves when all were tried, or the signal has ended the run. A process serves many mutants. */
export async function tryAll(mutants: readonly Mutant[], pool: Pool): Promise<void> {
  const queue = [...mutants];
  const worker = async (): Promise<void> => {
    let process: ChildProcess | undefined;
    for (let mutant = queue.shift(); mutant !== undefined && !pool.signal.aborted; mutant = queue.shift()) {
      if (process?.connected !== true) process = startWorker(pool);
      let kill = await tryIn(process, mutant, pool);
      if (kill?.crash?.startsWith(ENDED) === true) {
        // A signal from outside is not the mutant's doing: once more, and then it counts.
        process = startWorker(pool);
        kill = await tryIn(process, mutant, pool);
      }
      if (kill !== undefined) pool.onKill(kill);
    }
    if (process?.connected === true) process.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(pool.jobs, queue.length) }, worker));
}

function startWorker({ worker }: Pool): ChildProcess {
  const self = fileURLToPath(import.meta.url);
  const module = worker ?? new URL(`./mutant-worker${extname(self)}`, import.meta.url);
  // Whoever runs this file in a checkout may have loaded TypeScript in another way: vitest has.
  const execArgv = extname(self) === '.ts' ? ['--import', 'tsx'] : process.execArgv;
  return fork(fileURLToPath(module), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'json',
    execArgv,
  });
}

/** One row; undefined where the run was ended meanwhile. A process that dies or hangs is a crash of its mutant. */
function tryIn(
  process: ChildProcess,
  mutant: Mutant,
  { budget, signal, graceMs = longestGraceMs }: Pool,
): Promise<Kill | undefined> {
  return new Promise((resolve) => {
    const finish = (kill: Kill | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      process.removeAllListeners('message');
      process.removeAllListeners('exit');
      resolve(kill);
    };
    const crash = (what: string): void => finish(crashed(mutant, what));
    const onAbort = (): void => {
      process.disconnect();
      finish(undefined);
    };
    const timer = setTimeout(() => {
      // Disconnected at once, so that the next mutant is not given to a process that is about to die.
      process.disconnect();
      process.kill('SIGKILL');
      crash(`no answer within ${budget.timeBudgetMs + graceMs} ms`);
    }, budget.timeBudgetMs + graceMs);
    signal.addEventListener('abort', onAbort);
    process.on('exit', (code, ended) => crash(`${ENDED} ${ended ?? code}`));
    process.on('message', (answer: Answer) => {
      if ('kill' in answer) finish(answer.kill);
      else crash(answer.failure);
    });
    process.send({ id: mutant.id, budget } satisfies Assignment);
  });
}

function crashed({ id, area, fault, breaks }: Mutant, crash: string): Kill {
  return { id, area, fault, breaks, fired: [], outcome: 'crashed', stray: [], programs: 0, triedMs: 0, crash };
}
