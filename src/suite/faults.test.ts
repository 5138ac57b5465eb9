import { describe, expect, it } from 'vitest';
import { createMemoryTaskStore } from '../store/memory.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';
import { storeMethods } from '../subject/task-store-methods.ts';
import { certifyUnderFaults } from './faults.ts';

/** A store in memory to which something happens, with some awaits so that clients meet. */
function subjectWith(change: (store: SubjectStore) => { store?: Partial<SubjectStore>; fault: () => void }): Subject {
  return {
    ...createMemorySubject(),
    name: 'sample',
    open: async () => {
      const store: SubjectStore = storeMethods(createMemoryTaskStore());
      const slow: SubjectStore = {
        ...store,
        create: async (...args) => {
          await new Promise((resolve) => setImmediate(resolve));
          return store.create(...args);
        },
        list: async (...args) => {
          await new Promise((resolve) => setImmediate(resolve));
          return store.list(...args);
        },
      };
      const { store: changed, fault } = change(slow);
      const inject = async (): Promise<boolean> => {
        fault();
        return true;
      };
      return { ...slow, ...changed, faults: { kinds: ['shock'], inject } };
    },
  };
}

const statusOf = async (subject: Subject, rule: string) => {
  const { certificate, counts } = await certifyUnderFaults(subject, { timeBudgetMs: 1 });
  const result = certificate.rules.find((one) => one.rule === rule);
  return { status: result?.status, saw: result?.counterexample?.finding.saw, counts };
};

describe('a run under faults', () => {
  it('passes a store that does not mind, and counts what it met', async () => {
    const { status, counts } = await statusOf(
      subjectWith(() => ({ fault: () => {} })),
      'SNAP-2',
    );
    expect(status).toBe('pass');
    expect(counts).toMatchObject({ unknown: 0, lost: 0, injected: { shock: 3 } });
    expect(counts.acknowledged).toBeGreaterThan(50);
  });

  it('catches a store that forgets what it acknowledged', async () => {
    const forgetful = subjectWith((store) => ({
      fault: () => {
        for (const id of ['task-a', 'task-b', 'task-c', 'task-d', 'task-e', 'task-f'])
          void store.delete?.(id, { client: 0 }).catch(() => {});
      },
    }));
    expect(await statusOf(forgetful, 'SNAP-2')).toMatchObject({ status: 'fail' });
  });

  it('catches an error that leaves open what happened', async () => {
    let shocked = 0;
    const unclear = subjectWith((store) => ({
      fault: () => {
        shocked = 3;
      },
      store: {
        list: async (...args) => {
          if (shocked-- > 0) throw new Error('SELECT went wrong');
          return store.list(...args);
        },
      },
    }));
    expect(await statusOf(unclear, 'SNAP-2')).toMatchObject({
      status: 'fail',
      saw: 'list fails with unclassified: SELECT went wrong',
    });
  });

  it('is refused to a subject without a place for faults', async () => {
    await expect(certifyUnderFaults(createMemorySubject())).rejects.toThrow(/has no place where faults can happen/);
  });
});
