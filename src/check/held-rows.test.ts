import { describe, expect, it } from 'vitest';
import type { HeldRowSight } from '../history/database.ts';
import { judgeAct } from './database.sample.ts';
import { heldRows } from './held-rows.ts';

const judge = (sight: Partial<HeldRowSight>) =>
  judgeAct(
    heldRows,
    { act: 'held-row', write: 'append', writers: 1, holder: 'advances' },
    { seen: 'held-row', created: '10', waited: 1, held: '20', writes: [{ micros: '21' }], read: '21', ...sight },
  );

describe('a write that waits for a row', () => {
  it('passes where its time is after the one that the holder left', () => {
    expect(judge({})).toStrictEqual({ findings: [], witnesses: { 'TIME-2': 2 } });
  });

  it('fails where its time is that of the holder, or from before the wait', () => {
    for (const micros of ['20', '15']) expect(judge({ writes: [{ micros }], read: micros }).findings).toHaveLength(1);
  });

  it('fails where two of several have one time, or a later read shows another', () => {
    expect(judge({ writes: [{ micros: '21' }, { micros: '21' }] }).findings).toStrictEqual([
      'TIME-2: two writes have the time 21',
    ]);
    expect(judge({ read: '20' }).findings).toHaveLength(1);
  });

  it('says nothing of writes that were refused, or whose times are unseen', () => {
    expect(judge({ writes: [{ error: 'revision-conflict' }] }).witnesses).toStrictEqual({});
    expect(judge({ writes: [{ micros: 'undefined' }] }).witnesses).toStrictEqual({});
  });
});
