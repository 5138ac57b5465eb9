/** A worker for tests: answers as the real one does, but for mutants whose ids say what becomes of them. */
import type { Kill } from '../mutants/kill.ts';
import type { Answer, Assignment } from './mutant-worker.ts';

process.on('message', ({ id }: Assignment) => {
  if (id === 'DIES') process.kill(process.pid, 'SIGKILL');
  else if (id === 'EXITS') process.exit(7);
  else if (id === 'FAILS') process.send?.({ failure: 'its server did not start' } satisfies Answer);
  else if (id !== 'HANGS') {
    const kill = { rule: 'TIME-1', run: 0, ms: 1 };
    const row: Kill = {
      id,
      area: 'memory',
      fault: 'f',
      breaks: ['TIME-1'],
      fired: [kill],
      outcome: 'killed',
      stray: [],
      programs: process.pid,
      triedMs: 1,
      kill,
    };
    process.send?.({ kill: row } satisfies Answer);
  }
});
process.on('disconnect', () => process.exit());
