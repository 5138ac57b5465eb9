import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearize, type Ordering } from './linearize.ts';

type Kind = { readonly write: number } | { readonly read: number } | 'look';

interface Op {
  readonly kind: Kind;
  readonly call: number;
  /** Infinite where the outcome is unknown. */
  readonly return: number;
}

const isWrite = ({ kind }: Op) => kind !== 'look' && 'write' in kind;

/** A register that holds a number, 0 at first. */
function register(ops: readonly Op[]): Ordering {
  const ordered = [...ops].sort((a, b) => a.call - b.call);
  return {
    calls: ordered.map((op) => op.call),
    returns: ordered.map((op) => op.return),
    initial: 0,
    step(at, state) {
      const { kind } = ordered[at] as Op;
      if (kind === 'look') return state;
      if ('write' in kind) return kind.write;
      return kind.read === state ? state : -1;
    },
    isRead: (at) => !isWrite(ordered[at] as Op),
  };
}

/** Tries every order, and every choice of the unknown ones. */
function bruteForce(ops: readonly Op[]): boolean {
  const from = (left: readonly Op[], state: number): boolean => {
    const definite = left.filter((op) => op.return < Infinity);
    if (definite.length === 0) return true;
    return left.some((op) => {
      if (definite.some((other) => other !== op && other.return < op.call)) return false;
      const next = register([op]).step(0, state);
      return (
        next >= 0 &&
        from(
          left.filter((other) => other !== op),
          next,
        )
      );
    });
  };
  return from(ops, 0);
}

/** Goes through everything that can be placed, with a set of what was reached; up to thirty operations. */
function reachesEnd(ops: readonly Op[]): boolean {
  const steps = ops.map((op) => register([op]));
  const seen = new Set<string>(['0 0']);
  const open: (readonly [placed: number, state: number])[] = [[0, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [placed, state] = next;
    const left = ops.filter((_, at) => ((placed >>> at) & 1) === 0);
    const soonest = Math.min(...left.map((op) => op.return));
    if (soonest === Infinity) return true;
    for (const [at, op] of ops.entries()) {
      if (((placed >>> at) & 1) === 1 || op.call >= soonest) continue;
      const after = (steps[at] as Ordering).step(0, state);
      const key = `${placed | (1 << at)} ${after}`;
      if (after < 0 || seen.has(key)) continue;
      seen.add(key);
      open.push([placed | (1 << at), after]);
    }
  }
  return false;
}

/** What a register really answers to operations that overlap much; where `wrong` is a read, it read another value. */
const busyHistory: fc.Arbitrary<Op[]> = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(3), fc.nat(20), fc.nat(20), fc.nat(20)), { minLength: 6, maxLength: 11 }),
    fc.nat(10),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([parts, wrong, by]) => {
    const planned = parts.map(([value, call, before, behind], at) => {
      const point = call + before + at / 100;
      return { value, call: call + at / 1_000, point, return: point + behind + 0.5 };
    });
    let state = 0;
    return [...planned]
      .sort((a, b) => a.point - b.point)
      .map(({ value, call, return: end }, at): Op => {
        if (value > 0) state = value + 4 * (at % 3);
        const read = at === wrong ? (state + by) % 12 : state;
        return { kind: value > 0 ? { write: state } : { read }, call, return: end };
      });
  });

const kind: fc.Arbitrary<Exclude<Kind, 'look'>> = fc.oneof(
  fc.record({ write: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ read: fc.integer({ min: 0, max: 2 }) }),
);

const history: fc.Arbitrary<Op[]> = fc.array(fc.tuple(kind, fc.nat(3), fc.nat(9)), { maxLength: 7 }).map((parts) => {
  let now = 0;
  return parts.map(([one, gap, length], position) => {
    now += gap;
    const unknown = length === 9 && 'write' in one;
    return { kind: one, call: now + position / 100, return: unknown ? Infinity : now + length + 0.5 + position / 100 };
  });
});

/** A hundred operations that any state allows, within an instant: they order nothing that was not ordered. */
const looksAt = (instant: number): Op[] =>
  Array.from({ length: 100 }, (_, at) => ({
    kind: 'look',
    call: instant + at / 1e4,
    return: instant + at / 1e4 + 1e-5,
  }));

const verdict = (ops: readonly Op[]) => linearize(register(ops), 100_000).kind;

describe('a search for an order', () => {
  it('agrees with trying every order', () => {
    let refused = 0;
    fc.assert(
      fc.property(history, (ops) => {
        const right = bruteForce(ops);
        if (!right) refused++;
        expect(verdict(ops)).toBe(right ? 'linearizable' : 'not-linearizable');
      }),
      { numRuns: 4_000, seed: 5 },
    );
    expect(refused).toBeGreaterThan(300);
  });

  it('agrees with trying every order where any operation overlaps a hundred others', () => {
    const instants = fc.uniqueArray(fc.nat(20), { maxLength: 3 });
    let refused = 0;
    fc.assert(
      fc.property(history, instants, (ops, bursts) => {
        const right = bruteForce(ops);
        if (!right) refused++;
        expect(verdict([...ops, ...bursts.flatMap(looksAt)])).toBe(right ? 'linearizable' : 'not-linearizable');
      }),
      { numRuns: 2_000, seed: 6 },
    );
    expect(refused).toBeGreaterThan(150);
  });

  it('agrees with going through everything, where much overlaps', () => {
    let refused = 0;
    fc.assert(
      fc.property(busyHistory, (ops) => {
        const right = reachesEnd(ops);
        if (!right) refused++;
        expect(linearize(register(ops), 5_000_000).kind).toBe(right ? 'linearizable' : 'not-linearizable');
      }),
      { numRuns: 400, seed: 7 },
    );
    expect(refused).toBeGreaterThan(40);
    expect(refused).toBeLessThan(360);
  });

  it('remembers what it tried: ten writes at once in any order are a thousand sets, not three million orders', () => {
    const writes = Array.from({ length: 10 }, (_, at): Op => ({ kind: { write: at + 1 }, call: at, return: 100 + at }));
    const result = linearize(register([...writes, { kind: { read: 99 }, call: 20, return: 50 }]), 1_000_000);
    expect(result.kind).toBe('not-linearizable');
    expect(result.visited).toBeLessThan(60_000);
  });

  it('places no long read before what it would spoil', () => {
    // States: nothing is known, A is, B is. The first read can only have seen A, or B where that is known already.
    const looks = looksAt(1);
    const [long, short] = [0, 101];
    const ordering: Ordering = {
      calls: [0, ...looks.map((op) => op.call), 3],
      returns: [100, ...looks.map((op) => op.return), 4],
      initial: 0,
      step: (at, state) => (at === long ? [1, 1, 2] : at === short ? [2, -1, 2] : [0, 1, 2])[state] as number,
      isRead: () => true,
    };
    expect(linearize(ordering, 1_000).kind).toBe('linearizable');
  });

  it('takes back what it tried: the later write may come first', () => {
    const ops: Op[] = [
      { kind: { write: 1 }, call: 0, return: 10 },
      { kind: { write: 2 }, call: 1, return: 9 },
      { kind: { read: 2 }, call: 2, return: 3 },
      { kind: { read: 1 }, call: 4, return: 5 },
    ];
    expect(verdict(ops)).toBe('linearizable');
    expect(verdict([...ops, { kind: { read: 2 }, call: 6, return: 7 }])).toBe('not-linearizable');
  });

  it('lets an unknown write happen late, once, or never', () => {
    const lost: Op = { kind: { write: 1 }, call: 0, return: Infinity };
    const read = (value: number, call: number): Op => ({ kind: { read: value }, call, return: call + 0.5 });
    expect(verdict([lost, read(0, 1), read(0, 2)])).toBe('linearizable');
    expect(verdict([lost, read(0, 1), read(1, 2)])).toBe('linearizable');
    expect(verdict([lost, read(1, 1), read(0, 2)])).toBe('not-linearizable');
  });

  it('lets an unknown operation that nothing allows never happen', () => {
    const ordering: Ordering = {
      calls: [0, 1],
      returns: [Infinity, 2],
      initial: 0,
      step: (at, state) => (at === 0 ? -1 : state),
      isRead: (at) => at === 1,
    };
    expect(linearize(ordering, 1_000).kind).toBe('linearizable');
  });

  it('tries everything that may be next, though all that it can tell apart is open', () => {
    // Only the last of those of unknown outcome leads on from the first state; each other one ends there.
    const [asides, ones, key] = [30, 61, 29];
    const ordering: Ordering = {
      calls: Array.from({ length: asides + ones }, (_, at) => at),
      returns: Array.from({ length: asides + ones }, (_, at) => (at < asides ? Infinity : 1_000 + at)),
      initial: 0,
      step: (at, state) => [at === key ? 1 : 2, 1][state] ?? -1,
      isRead: () => false,
    };
    expect(linearize(ordering, 10_000).kind).toBe('linearizable');
  });

  it('shows one of the longest orders, and what can not follow it', () => {
    const ops: Op[] = [
      { kind: { write: 1 }, call: 0, return: 1 },
      { kind: { read: 1 }, call: 2, return: 3 },
      { kind: { read: 0 }, call: 4, return: 5 },
    ];
    expect(linearize(register(ops), 1_000)).toMatchObject({ order: [0, 1], stuck: [2] });
  });

  it('shows the longest order, not the last that it tried', () => {
    const ops: Op[] = [
      { kind: { write: 1 }, call: 0, return: 10 },
      { kind: { write: 2 }, call: 1, return: 9 },
      { kind: { read: 2 }, call: 11, return: 12 },
      { kind: { read: 9 }, call: 13, return: 14 },
    ];
    expect(linearize(register(ops), 1_000)).toMatchObject({ order: [0, 1, 2], stuck: [3] });
  });

  it('counts in an order what returned, also long after it was called, and nothing else', () => {
    const impossible = (call: number): Op => ({ kind: { read: 9 }, call, return: call + 1 });
    const write = (call: number, end: number): Op => ({ kind: { write: 1 }, call, return: end });
    const lost = register([write(0, Infinity), write(1, 2), impossible(3)]);
    expect(linearize(lost, 1_000)).toMatchObject({ order: [1], stuck: [2] });
    const long = linearize(register([write(0, 1_000), ...looksAt(10), impossible(1_001)]), 1_000);
    expect(long).toMatchObject({ kind: 'not-linearizable', stuck: [101] });
    expect(long.kind === 'not-linearizable' && long.order).toContain(0);
  });

  it('calls stuck what was called before the first of it returned, by number', () => {
    const read = (value: number, call: number, end: number): Op => ({ kind: { read: value }, call, return: end });
    const ops = [read(5, 2, 4), read(6, 3, 6), read(7, 5, 8)];
    expect(linearize(register(ops), 1_000)).toMatchObject({ order: [], stuck: [0, 1] });
    expect(linearize(register([read(9, 0, 99), ...ops, ...looksAt(10)]), 1_000)).toMatchObject({ stuck: [0, 1, 2] });
  });

  it('says where it gave up', () => {
    const many = Array.from({ length: 12 }, (_, at): Op => ({ kind: { write: at + 1 }, call: at, return: 100 + at }));
    const impossible: Op = { kind: { read: 99 }, call: 50, return: 99 };
    expect(linearize(register([...many, impossible]), 50)).toMatchObject({
      kind: 'undecided',
      reason: 'the search ended after 50 placements',
    });
    const some = register([...many.slice(6), impossible]);
    const { visited } = linearize(some, 1_000_000);
    expect([linearize(some, visited).kind, linearize(some, visited - 1).kind]).toEqual([
      'not-linearizable',
      'undecided',
    ]);
    const lost = Array.from({ length: 31 }, (_, at): Op => ({ kind: { write: at + 1 }, call: at, return: Infinity }));
    expect(linearize(register(lost), 1_000)).toMatchObject({
      kind: 'undecided',
      reason: '31 operations have an unknown outcome or overlap more than 60 later ones',
    });
    expect(verdict(lost.slice(1))).toBe('linearizable');
  });

  const pairsOf = (many: number): Op[] =>
    Array.from({ length: many }, (_, at): Op[] => [
      { kind: { write: at + 1 }, call: 1 + 4 * at, return: 2 + 4 * at },
      { kind: { read: at + 1 }, call: 3 + 4 * at, return: 4 + 4 * at },
    ]).flat();

  it.each([30, 31, 200])('orders one long operation among %i writes that were each read', (many) => {
    const pairs = pairsOf(many);
    const long = (value: number): Op => ({ kind: { read: value }, call: 0, return: 1_000 });
    expect(verdict([long(25), ...pairs])).toBe('linearizable');
    const stuck = linearize(register([long(99_999), ...pairs]), 1_000);
    expect(stuck).toMatchObject({ kind: 'not-linearizable', stuck: [0] });
    expect(stuck.kind === 'not-linearizable' && stuck.order).toEqual(pairs.map((_, at) => at + 1));
  });

  it('holds a long write to its return', () => {
    const pairs = pairsOf(100);
    const write = (end: number): Op => ({ kind: { write: 999 }, call: 0, return: end });
    const after: Op[] = [
      { kind: { read: 100 }, call: 1_100, return: 1_101 },
      { kind: { read: 999 }, call: 1_200, return: 1_201 },
    ];
    expect(verdict([write(1_000), ...pairs])).toBe('linearizable');
    expect(verdict([write(1_000), ...pairs, ...after.slice(0, 1)])).toBe('linearizable');
    expect(verdict([write(1_000), ...pairs, ...after.slice(1)])).toBe('linearizable');
    expect(verdict([write(1_000), ...pairs, ...after])).toBe('not-linearizable');
    expect(verdict([write(Infinity), ...pairs, ...after])).toBe('linearizable');
  });

  it('decides a long history of eight clients quickly, placing each operation about once', () => {
    let now = 0;
    let value = 0;
    const ops: Op[] = [];
    for (let round = 0; round < 1_000; round++) {
      const start = now;
      for (let client = 0; client < 8; client++) {
        const one: Kind = client === 0 ? { write: round % 5 } : { read: client % 2 === 0 ? round % 5 : value };
        ops.push({ kind: one, call: start + client, return: start + 20 + client });
      }
      value = round % 5;
      now += 40;
    }
    const result = linearize(register(ops), 1_000_000);
    expect(result.kind).toBe('linearizable');
    expect(result.visited).toBeLessThan(30_000);
  });
});
