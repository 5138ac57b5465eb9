import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from './deadline.ts';

describe('a deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives what the promise gives', async () => {
    const deadline = new Deadline(100);
    await expect(deadline.within('a', Promise.resolve(7))).resolves.toBe(7);
    await expect(deadline.within('b', Promise.reject(new Error('own')))).rejects.toThrow('own');
    deadline.stop();
  });

  it('ends a wait that lasts, and names what was waited for', async () => {
    const deadline = new Deadline(100);
    const wait = deadline.within('store: list', new Promise(() => {}));
    const ended = expect(wait).rejects.toMatchObject({
      kind: 'hang',
      message: 'store: list gave no answer within 100 ms',
    });
    await vi.advanceTimersByTimeAsync(150);
    await ended;
    deadline.stop();
  });

  it('measures each wait by itself', async () => {
    const deadline = new Deadline(100);
    for (let call = 0; call < 5; call++) {
      const wait = deadline.within('a', new Promise((resolve) => setTimeout(resolve, 1, call)));
      await vi.advanceTimersByTimeAsync(60);
      await expect(wait).resolves.toBe(call);
    }
    deadline.stop();
  });

  it('leaves no timer behind', () => {
    new Deadline(100).stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
