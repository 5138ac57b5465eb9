import { expect, it } from 'vitest';
import { certify } from '../src/index.ts';
import subject from './a2a-js-database.ts';

it("the SDK's database store keeps A2A's rules for lists but one: its `statusTimestampAfter` leaves out the instant itself", async () => {
  const { rules, notes } = await certify(subject, { profile: 'a2a-1.0', runs: 150, timeBudgetMs: 60_000 });
  expect(notes).toStrictEqual([]);
  // Its listFilter compares with `>` where A2A 1.0 §3.1.4 asks for "greater than or equal".
  expect(rules.filter(({ status }) => status === 'fail').map(({ rule }) => rule)).toStrictEqual(['FILTER-1']);
  expect(rules.filter(({ status }) => status === 'pass').map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['TOKEN-2', 'WALK-1', 'WALK-3', 'COUNT-1']),
  );
});
