import { describe, expect, it } from 'vitest';
import { lockstepProgram } from '../generate/lockstep.ts';
import type { Program } from '../history/program.ts';
import { loadMutants } from '../mutants/index.ts';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { ListReply, Subject, SubjectStore } from '../subject/subject.ts';
import { encodePageToken } from '../token/page-token.ts';
import { contextOf } from './certify.ts';
import { judgeProgram } from './judge.ts';
import { goesInLockstep, type LockstepOptions, type LockstepPart, lockstepNote, runInLockstep } from './lockstep.ts';

const memory = createMemorySubject();

/** The right store with some of its methods changed. */
function changed(change: (store: SubjectStore) => Partial<SubjectStore>): Subject {
  return {
    ...memory,
    open: async () => {
      const store = await memory.open();
      return { ...store, ...change(store) };
    },
  };
}

async function go(
  subject: Subject,
  more: Partial<LockstepOptions> = {},
): Promise<LockstepPart & { readonly judged: Program[]; readonly rules: ReadonlySet<string> }> {
  const context = contextOf(subject, {});
  const judged: Program[] = [];
  const rules = new Set<string>();
  const part = await runInLockstep(
    subject,
    context,
    async (program) => {
      judged.push(program);
      const judgement = await judgeProgram(subject, program, context, { operationTimeoutMs: 1_000 });
      const broken = judgement.judged.filter(({ findings }) => findings.length > 0);
      for (const { rule } of broken) rules.add(rule);
      return broken.length > 0;
    },
    { seed: 1, runs: 40, budgetMs: 60_000, timeoutMs: 10_000, shard: { index: 0, of: 1 }, ...more },
  );
  return { ...part, judged, rules };
}

const listing = (change: (page: ListReply) => Partial<ListReply>): Subject =>
  changed((store) => ({
    list: async (request, call) => {
      const page = await store.list(request, call);
      return { ...page, ...change(page) };
    },
  }));

describe('a run in lockstep with the model', () => {
  it('finds every answer of the right store to be the model’s', async () => {
    const part = await go(memory);
    expect(part).toMatchObject({ programs: 40, differing: 0, unexplained: 0, judged: [] });
    expect(part.operations).toBeGreaterThan(5_000);
    expect(lockstepNote(part)).toMatch(/^40 long programs .* each answered as the model does\.$/);
  });

  it('gives a program whose answers differ to the rules, and ends when it has five', async () => {
    const part = await go(listing(({ totalSize }) => ({ totalSize: (totalSize ?? 0) + 1 })));
    expect(part).toMatchObject({ programs: 5, differing: 5, unexplained: 0 });
    expect([...part.rules]).toEqual(['COUNT-1']);
    expect(lockstepNote(part)).toContain("5 of the programs met an answer that is not the model's");
  });

  it('looks at the whole list around each write where no rule could tell', async () => {
    const mutant = (await loadMutants()).find(({ id }) => id === 'MEM-33');
    const part = await go(mutant?.subject() as Subject);
    expect(part.differing).toBeGreaterThan(0);
    expect(part.unexplained).toBe(0);
    expect([...part.rules]).toContain('TIME-3');
  });

  it('counts the differences that no rule forbids, and says so', async () => {
    const off = listing(() => ({ totalSize: -1 }));
    const options = { seed: 1, runs: 9, budgetMs: 60_000, timeoutMs: 10_000, shard: { index: 0, of: 1 } };
    const part = await runInLockstep(off, contextOf(off, {}), async () => false, options);
    expect(part).toMatchObject({ differing: 5, unexplained: 5 });
    expect(lockstepNote(part)).toContain('no rule forbids it in 5 of them');
  });

  it('grants one empty page behind a last page that is not full', async () => {
    let granted = 0;
    const generous = changed((store) => ({
      list: async (request, call) => {
        const page = await store.list(request, call);
        const last = page.taskCursors?.at(-1);
        if (page.nextPageToken !== '' || last === undefined || page.tasks.length === request.pageSize) return page;
        granted++;
        return { ...page, nextPageToken: encodePageToken(last) };
      },
    }));
    expect(await go(generous)).toMatchObject({ programs: 40, differing: 0 });
    expect(granted).toBeGreaterThan(50);
  });

  it('goes on where a store hangs: the program differs, and is judged where each wait is bounded', async () => {
    const hangs = changed(() => ({ delete: () => new Promise<void>(() => undefined) }));
    const context = contextOf(hangs, {});
    const judged: Program[] = [];
    const options = { seed: 1, runs: 1, budgetMs: 60_000, timeoutMs: 100, shard: { index: 0, of: 1 } };
    const part = await runInLockstep(hangs, context, async (program) => judged.push(program) > 0, options);
    expect(part).toMatchObject({ programs: 1, differing: 1 });
    expect(judged).toHaveLength(1);
  });

  it('ends in the midst of a program when its time is over or it is told to', async () => {
    const ending = new AbortController();
    let calls = 0;
    const counting = changed((store) => ({
      list: (request, call) => {
        if (++calls === 3) ending.abort();
        return store.list(request, call);
      },
    }));
    const part = await go(counting, { signal: ending.signal });
    expect(part).toMatchObject({ programs: 1, differing: 0 });
    expect(calls).toBe(3);
  });

  it('hands a store whose clock fails to the rules', async () => {
    const part = await go(
      changed(() => ({ setClock: () => Promise.reject(new Error('no clock')) })),
      { runs: 1 },
    );
    expect(part).toMatchObject({ programs: 1, differing: 1 });
  });

  it('gives up at once on a store whose writes tell no time', async () => {
    const part = await go(
      changed((store) => ({ create: async (task, call) => void (await store.create(task, call)) })),
    );
    expect(part).toMatchObject({ programs: 1, differing: 0, blind: true });
    expect(lockstepNote(part)).toBeUndefined();
  });

  it('is for stores to which the contract leaves no choice', () => {
    const { capabilities } = memory;
    const inTime = contextOf(memory, {});
    expect(goesInLockstep(capabilities, inTime)).toBe(true);
    expect(goesInLockstep({ ...capabilities, scope: ['X'] }, inTime)).toBe(false);
    expect(goesInLockstep({ ...capabilities, scope: ['D'], callers: true }, inTime)).toBe(false);
    expect(goesInLockstep(capabilities, contextOf(memory, { profile: 'a2a-1.0' }))).toBe(false);
  });

  it('takes programs of its own in each shard, the same ones every time', async () => {
    const shards = [0, 1].map((index) =>
      go(
        listing(() => ({ totalSize: -1 })),
        { runs: 2, shard: { index, of: 2 } },
      ),
    );
    const [first, second] = await Promise.all(shards);
    const [again] = await Promise.all([
      go(
        listing(() => ({ totalSize: -1 })),
        { runs: 2, shard: { index: 0, of: 2 } },
      ),
    ]);
    expect(first?.judged[0]).not.toEqual(second?.judged[0]);
    expect(again?.judged).toEqual(first?.judged);
  });
});

describe('a program in lockstep', () => {
  it('is data that its numbers decide, with every kind of operation', () => {
    const of = (seed: number) => lockstepProgram(memory.capabilities, seededNumbers(seed));
    expect(of(7)).toEqual(of(7));
    expect(JSON.parse(JSON.stringify(of(7)))).toEqual(of(7));
    const kinds = new Set(of(7).clients[0]?.map(({ op }) => op));
    expect([...kinds].sort()).toEqual(
      ['append', 'cancel', 'clock', 'create', 'delete', 'first', 'get', 'next', 'replace'].sort(),
    );
  });
});
