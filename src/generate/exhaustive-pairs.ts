/** Small scope, whole, for two clients: every pair of operations that may meet, for all of its schedules. */
import type { Program, Step } from '../history/program.ts';
import { clockAt } from './scenario.ts';

const operations: readonly Step[] = [
  { op: 'create', task: 'C' },
  { op: 'replace', task: 'A', content: {} },
  { op: 'replace', task: 'A', content: {}, revision: 'current' },
  { op: 'append', task: 'A', message: 'm1' },
  { op: 'append', task: 'A', message: 'm2' },
  { op: 'cancel', task: 'A', timestamp: '2001-01-01T00:00:00.000Z' },
  { op: 'delete', task: 'A' },
  { op: 'first', walk: 'w', pageSize: 10 },
  { op: 'walk', walk: 'w', pageSize: 1 },
];

/** What was tried, for a certificate's reader. */
export const pairScope: string = `two clients with one of ${operations.length} operations each on 2 tasks that stand`;

/** Gives each pair of these operations, an operation with itself as well, followed by a read of the task by each client. */
export function* exhaustivePairs(): Generator<Program> {
  for (const [at, first] of operations.entries()) {
    for (const second of operations.slice(at)) {
      yield {
        version: 1,
        scenario: 'pages',
        tasks: { A: 'a', B: 'b', C: 'c' },
        setup: [clockAt(0n), { op: 'create', task: 'A' }, { op: 'create', task: 'B' }],
        clients: [[first, { op: 'get', task: 'A' }], [second]],
      };
    }
  }
}
