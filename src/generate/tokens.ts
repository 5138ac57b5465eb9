/** Scenarios about tokens that no page gave: numbers, foreign text, near misses of v1, and v1 boundaries without a task. */
import fc from 'fast-check';
import { decodePageToken } from '../../models/page-token.ts';
import { keepsId } from '../../models/task-store.ts';
import vectors from '../../spec/vectors/page-token-v1.json' with { type: 'json' };
import type { Step, TokenMeaning } from '../history/program.ts';
import { taskIds } from './ids.ts';
import { baseMicros, clockAt, type Scenario, sequential } from './scenario.ts';

/** Offsets of the older release. */
const numbers: readonly string[] = ['0', '1', '2', '3', '10', '50', '100', '007', '-1', '4294967296'];

/** Text that is a page token in nobody's format. */
const foreign: readonly string[] = [
  ' ',
  '!',
  '????',
  'not a token',
  '\u{1F600}',
  '%%%%',
  '<>',
  '{"',
  '..',
  '\u0000',
  'null',
];

/** Tokens that decode in formats of others: v1 refuses them, another format may take them. */
const nearby: readonly string[] = ['fA==', 'YQ==', 'YQ', 'eyJpZCI6ImEifQ==', '2001-01-01T00:00:00Z|a'];

const numeric = (token: string): Step => ({ op: 'token', token, means: { kind: 'number' }, pageSize: 2 });
const unknown = (token: string): Step => ({ op: 'token', token, means: { kind: 'foreign' }, pageSize: 2 });
const wrong = (token: string, reason: string): Step => ({
  op: 'token',
  token,
  means: { kind: 'invalid-v1', reason },
  pageSize: 2,
});

/** Bad tokens against an empty store, a full one, and a request that nothing matches: one error throughout. */
const badTokens: Scenario = {
  name: 'bad-tokens',
  weight: 4,
  suits: () => true,
  programs: ({ ids, tokens }) => {
    const v1 = [
      ...vectors.invalid.map(({ token, reason }) => wrong(token, reason)),
      ...nearby.map((token) => wrong(token, 'not v1')),
    ];
    const any = fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...numbers.map(numeric)) },
      { weight: 2, arbitrary: fc.constantFrom(...foreign.map(unknown)) },
      ...(tokens === 'v1' ? [{ weight: 8, arbitrary: fc.constantFrom(...v1) }] : []),
    );
    const some = fc.array(any, { minLength: 1, maxLength: 6 });
    return fc
      .tuple(taskIds(3, ids), some, some, some)
      .map(([tasks, empty, full, none]) =>
        sequential('bad-tokens', tasks, [
          ...empty,
          clockAt(0n),
          { op: 'create', task: 'A' },
          { op: 'create', task: 'B' },
          { op: 'first', walk: 'w', pageSize: 1 },
          { op: 'token', token: '', pageSize: 1 },
          ...full,
          ...none.map((step): Step => ({ ...step, filter: { context: 'nothing-here' } }) as Step),
          { op: 'next', walk: 'w', pageSize: 1 },
        ]),
      );
  },
};

/** One edit of a token that the store itself would give: flipped, doubled, cut, padded, another version. */
const editedTokens: Scenario = {
  name: 'edited-tokens',
  weight: 2,
  suits: ({ tokens }) => tokens === 'v1',
  programs: ({ ids }) => {
    const base = fc.constantFrom(...vectors.valid.filter(({ id }) => id.length < 40).map(({ token }) => token));
    const edit = fc.constantFrom<(token: string) => string>(
      (token) => `${token}!!`,
      (token) => `${token}=`,
      (token) => `${token}==`,
      (token) => ` ${token}`,
      (token) => `${token}\n`,
      (token) => token.toUpperCase(),
      (token) => token.replace('v1', 'v2'),
      (token) => token.replace('v1', 'v01'),
      (token) => token.replace(/^v1\./, ''),
      (token) => token.slice(0, -1),
      (token) => `${token}A`,
      (token) => token.replace(/\.(-?)/, '.$10'),
      (token) => token.replace('.', '.+'),
      (token) => token.replace(/\.[^.]*$/, '.'),
      (token) => `${token}.`,
    );
    return fc
      .tuple(taskIds(2, ids), fc.array(fc.tuple(base, edit), { minLength: 2, maxLength: 6 }))
      .map(([tasks, edits]) =>
        sequential('edited-tokens', tasks, [
          clockAt(0n),
          { op: 'create', task: 'A' },
          ...edits.map(
            ([token, change]): Step => ({
              op: 'token',
              token: change(token),
              pageSize: 2,
              means: meaningOf(change(token)),
            }),
          ),
        ]),
      );
  },
};

const validTokens = new Map(
  vectors.valid.map(({ token, id, micros }) => [token, { kind: 'v1', id, micros } as TokenMeaning]),
);

/** An edit may give a valid token by chance; those are left to the program below, which knows their boundary. */
function meaningOf(token: string): TokenMeaning {
  const decoded = decodePageToken(token);
  return decoded === undefined
    ? { kind: 'invalid-v1', reason: 'an edited token' }
    : { kind: 'v1', id: decoded.id, micros: String(decoded.lastUpdatedMicros) };
}

/** Boundaries that no task ever had, at, above and below the tasks that stand; some at a task's very key. */
const craftedBoundaries: Scenario = {
  name: 'crafted-boundaries',
  weight: 4,
  suits: ({ tokens, clock }) => tokens === 'v1' && clock,
  programs: ({ ids }) => {
    const options = { create: 'reject', deduplicates: true, ...ids } as const;
    const usable = vectors.valid.filter(({ id }) => keepsId(id, options));
    return fc
      .tuple(
        fc.constantFrom(...vectors.valid),
        fc.constantFrom(...usable),
        fc.constantFrom(0n, 1n, -1n),
        fc.constantFrom(1, 2, 100),
      )
      .map(([crafted, standing, offset, size]) => {
        const micros = BigInt(standing.micros);
        const near = clamp(micros + offset);
        return sequential('crafted-boundaries', { A: standing.id, B: 'task-a', C: 'task-b' }, [
          { op: 'clock', micros: String(near) },
          ...(standing.id === 'task-a' ? [] : [{ op: 'create', task: 'B' } as Step]),
          { op: 'clock', micros: standing.micros },
          { op: 'create', task: 'A' },
          { op: 'clock', micros: String(baseMicros) },
          { op: 'create', task: 'C' },
          { op: 'first', walk: 'all', pageSize: 100 },
          { op: 'token', token: crafted.token, means: validTokens.get(crafted.token) as TokenMeaning, pageSize: size },
          {
            op: 'token',
            token: standing.token,
            means: validTokens.get(standing.token) as TokenMeaning,
            pageSize: size,
          },
          { op: 'walk', walk: 'w', pageSize: 1 },
        ]);
      });
  },
};

function clamp(micros: bigint): bigint {
  return BigInt.asIntN(64, micros) === micros ? micros : baseMicros;
}

export const tokenScenarios: readonly Scenario[] = [badTokens, editedTokens, craftedBoundaries];
