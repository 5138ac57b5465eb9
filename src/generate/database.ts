/** Programs about the database beneath a store: how stores start, rows that others hold, plans of pages. */
import fc from 'fast-check';
import type { DatabaseAct, HeldRowAct, PagesAct, StartAct } from '../history/database.ts';
import type { Program } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { type Scenario, sequential } from './scenario.ts';

/** What a start may find: the fixtures of `spec/sql/fixtures`, and nothing. */
const fixtures = [
  'nothing',
  'release-0.5',
  'wrong-indexes',
  'nullable-time',
  'invalid-index',
  'time-without-zone',
  'time-in-millis',
  'time-trigger',
  'missing-time',
  'short-ids',
  'folded-ids',
  'not-ours',
] as const;

/** The fixtures that the shipped migration brings to what a store needs. */
const migrated = ['release-0.5', 'wrong-indexes', 'invalid-index'] as const;

const starts: readonly StartAct[] = [
  ...fixtures.flatMap((fixture): StartAct[] => [
    { act: 'start', fixture, mode: 'managed', starters: 1 },
    { act: 'start', fixture, mode: 'external', starters: 1 },
  ]),
  { act: 'start', fixture: 'nothing', apply: 'create', mode: 'external', starters: 2 },
  { act: 'start', fixture: 'nothing', apply: 'create', mode: 'managed', starters: 2 },
  ...migrated.map((fixture): StartAct => ({ act: 'start', fixture, apply: 'migrate', mode: 'external', starters: 1 })),
  // At once: on nothing, where chance decides who meets whom, and beside a writer that keeps all of them waiting.
  ...[2, 4, 4].map((starters): StartAct => ({ act: 'start', fixture: 'nothing', mode: 'managed', starters })),
  ...[2, 4].map(
    (starters): StartAct => ({ act: 'start', fixture: 'release-0.5', mode: 'managed', starters, busy: true }),
  ),
];

const shapes = ['one time', 'scattered', 'in order', 'one task updated'] as const;

const pages: readonly PagesAct[] = shapes.flatMap((shape) =>
  [false, true].flatMap((context) =>
    [50, 1].map((pageSize): PagesAct => ({ act: 'pages', shape, tasks: 10_000, pageSize, context, pages: 8 })),
  ),
);

const writes = ['replace', 'conditional replace', 'append', 'cancel'] as const;
const holders = ['advances', 'future', 'rolls back'] as const;

const held: readonly HeldRowAct[] = writes.flatMap((write) =>
  holders.flatMap((holder) => [1, 3].map((writers): HeldRowAct => ({ act: 'held-row', write, writers, holder }))),
);

/** The rules that each kind of act is for. */
const rulesOf: Readonly<Record<DatabaseAct['act'], readonly string[]>> = {
  start: ['SCHEMA-1', 'SCHEMA-2', 'SCHEMA-3', 'SCHEMA-4'],
  'held-row': ['TIME-2'],
  pages: ['COST-3'],
};

/** The programs that every run makes once, one act each, for the rules that are wanted: none of them depends on chance. */
export function databasePrograms({ database }: Capabilities, wanted: (rule: string) => boolean): readonly Program[] {
  if (database !== true) return [];
  return [...starts, ...held, ...pages].filter(({ act }) => rulesOf[act].some(wanted)).map(single);
}

/** Held rows again and again, since who comes first after a wait is chance. */
export const databaseScenarios: readonly Scenario[] = [
  {
    name: 'held-rows',
    weight: 1,
    suits: ({ database }) => database === true,
    programs: () => fc.constantFrom(...held).map(single),
  },
];

function single(act: DatabaseAct): Program {
  return sequential(`database-${act.act}`, {}, [{ op: 'database', do: act }]);
}
