/** Rows PG-01 to PG-08: stores that don't advance a task's time, or not from what the row's lock guards. */
import type { PostgresParts } from '../store/postgres-parts.ts';
import type { PostgresFault } from './postgres-fault.ts';

function everyWrite(time: string): Partial<PostgresParts> {
  return { replaceTime: time, appendTime: time, cancelTime: time };
}

// Where a time can move back, a task that a walk has passed can come after its boundary again.
const backwards = ['TIME-2', 'WALK-1', 'TOKEN-5'];

export const postgresTimeFaults: readonly PostgresFault[] = [
  { id: 'PG-01', fault: 'a write sets now()', breaks: backwards, parts: everyWrite('now()') },
  {
    id: 'PG-02',
    fault: 'a write sets statement_timestamp()',
    breaks: backwards,
    parts: everyWrite('statement_timestamp()'),
  },
  {
    id: 'PG-04',
    fault: 'a write reads the clock once, before it waits for the lock',
    breaks: backwards,
    parts: everyWrite('(SELECT clock_timestamp())'),
  },
  {
    id: 'PG-05',
    fault: 'a write sets the clock without regard to the old time',
    breaks: backwards,
    parts: everyWrite('clock_timestamp()'),
  },
  {
    id: 'PG-05-equal',
    fault: 'a write sets the later of the clock and the old time, without a microsecond more',
    breaks: ['TIME-2'],
    parts: everyWrite('GREATEST(clock_timestamp(), t.updated_at)'),
  },
  { id: 'PG-07', fault: 'an append leaves the time', breaks: ['TIME-2'], parts: { appendTime: '' } },
  { id: 'PG-07-cancel', fault: 'a cancel leaves the time', breaks: ['TIME-2'], parts: { cancelTime: '' } },
  { id: 'PG-08', fault: 'a replace leaves the time', breaks: ['TIME-2'], parts: { replaceTime: '' } },
];
