import { expect, it } from 'vitest';
import { createMemorySubject } from '../subject/memory.ts';
import { startSubject, stopSubject } from './subject-life.ts';

const never = (): Promise<void> => new Promise(() => undefined);

it('ends the wait for a subject that does not start, or does not stop', async () => {
  const subject = { ...createMemorySubject(), name: 'stuck', start: never, stop: never };
  await expect(startSubject(subject, 20)).rejects.toMatchObject({
    kind: 'hang',
    message: 'stuck: start gave no answer within 20 ms',
  });
  await expect(stopSubject(subject, 20)).rejects.toMatchObject({ kind: 'hang' });
});

it('starts a subject that has nothing to start', async () => {
  await expect(startSubject(createMemorySubject(), 20)).resolves.toBeUndefined();
});

it('fails as the start fails', async () => {
  const start = (): Promise<void> => Promise.reject(new Error('no server'));
  await expect(startSubject({ ...createMemorySubject(), start }, 20)).rejects.toThrow('no server');
});
