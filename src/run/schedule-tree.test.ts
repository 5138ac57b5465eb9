import { describe, expect, it } from 'vitest';
import { Scheduler, type Strategy } from './schedule.ts';
import { ScheduleTree } from './schedule-tree.ts';

/** Clients that wait so many times each, besides the wait with which a schedule begins; gives who went on. */
async function taken(strategy: Strategy, waits: readonly number[]): Promise<string> {
  const scheduler = new Scheduler(strategy);
  const clients = waits.map((count) => async () => {
    for (let wait = 0; wait < count; wait++) await scheduler.pause();
  });
  await scheduler.run(clients);
  return scheduler.taken.join('');
}

async function all(waits: readonly number[]): Promise<string[]> {
  const tree = new ScheduleTree();
  const schedules: string[] = [];
  for (let strategy = tree.next(); strategy !== undefined; strategy = tree.next())
    schedules.push(await taken(strategy, waits));
  return schedules;
}

describe('all schedules of a program', () => {
  it('are those in which each client keeps its own order, each once', async () => {
    expect(await all([0, 0])).toEqual(['01', '10']);
    const six = await all([1, 1]);
    expect(new Set(six)).toEqual(new Set(['0011', '0101', '0110', '1001', '1010', '1100']));
    expect(six).toHaveLength(6);
    // 9! / (3! · 3! · 3!) orders of three clients with three turns each.
    expect(new Set(await all([2, 2, 2])).size).toBe(1_680);
  });

  it('are one where one client is alone', async () => {
    expect(await all([3])).toEqual(['0000']);
  });
});
