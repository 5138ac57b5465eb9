import { describe, expect, it } from 'vitest';
import { renderInterleaving } from './interleaving.ts';

const lane = (client: number, call: number, end: number, operation: string, result = 'ok') => ({
  client,
  call,
  return: end,
  operation,
  result,
});

describe('an interleaving', () => {
  it('has one column a client and one row an event, and shows what is under way', () => {
    const text = renderInterleaving([
      lane(0, 0, 1, 'create "a"'),
      lane(0, 2, 5, 'append m1'),
      lane(1, 3, 6, 'append m2'),
      lane(0, 7, 8, 'get "a"', 'm2'),
    ]);
    expect(text).toEqual([
      'client 0         client 1',
      'create "a" → ok',
      '┌ append m1',
      '│                ┌ append m2',
      '└ ok             │',
      '                 └ ok',
      'get "a" → m2',
    ]);
  });

  it('cuts what is too long, and shows nothing that acts on a terminal', () => {
    const [, row] = renderInterleaving([lane(2, 0, 1, `\u001b[31m${'x'.repeat(90)}`)]);
    expect(row).toHaveLength(44);
    expect(row).toMatch(/…$/);
    expect(row).not.toContain('\u001b');
  });

  it('is empty without operations', () => {
    expect(renderInterleaving([])).toEqual([]);
  });
});
