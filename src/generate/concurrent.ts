/** Programs of several clients: contention on few tasks, walks while others write, pages and totals of small stores. */
import fc from 'fast-check';
import type { PageOptions, Program, Step } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { labels, plainIds } from './ids.ts';
import type { ProgramSource } from './index.ts';
import { clockAt, type Scenario } from './scenario.ts';

/** A task's context never changes, so that which tasks a filter selects is certain whatever the order of writes. */
const contextOf = (task: string): string => ('ACEG'.includes(task) ? 'ctx' : 'd');

const stamp = '2001-01-01T00:00:00.000Z';

function create(task: string): Step {
  const context = contextOf(task);
  return { op: 'create', task, ...(context === 'ctx' ? {} : { content: { context } }) };
}

/** A write of one of these tasks. Deletes are rare: after one, most other writes are refused. */
function write(tasks: readonly string[]): fc.Arbitrary<Step> {
  const of = (weight: number, make: (task: string) => fc.Arbitrary<Step>) => ({
    weight,
    arbitrary: fc.constantFrom(...tasks).chain(make),
  });
  const content = (task: string) => ({ content: { context: contextOf(task) } });
  return fc.oneof(
    of(3, (task) => fc.constant({ op: 'replace', task, ...content(task) })),
    of(1, (task) => fc.constant({ op: 'replace', task })),
    of(3, (task) => fc.constant({ op: 'replace', task, ...content(task), revision: 'current' })),
    of(4, (task) => fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5').map((message) => ({ op: 'append', task, message }))),
    of(1, (task) => fc.constant({ op: 'cancel', task, timestamp: stamp })),
    of(1, (task) => fc.constant({ op: 'delete', task })),
    of(2, (task) => fc.constant(create(task))),
  );
}

function read(tasks: readonly string[]): fc.Arbitrary<Step> {
  return fc.constantFrom(...tasks).map((task) => ({ op: 'get', task }));
}

const view: fc.Arbitrary<PageOptions> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom<PageOptions>({ filter: { context: 'ctx' } }, { filter: { context: 'd' } }) },
  { weight: 1, arbitrary: fc.constantFrom<PageOptions>({ filter: { state: 'WORKING' } }, { total: false }) },
);

function walk(size: fc.Arbitrary<number>): fc.Arbitrary<Step> {
  return fc.tuple(size, view).map(([pageSize, options]) => ({ op: 'walk', walk: 'w', pageSize, ...options }));
}

/** A list that is one call: a first page, the next one, or the token of the last once more. */
const page: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(1, 2, 2, 100), fc.nat(5), view)
  .map(([pageSize, kind, options]) =>
    kind < 3
      ? { op: 'first', walk: 'w', pageSize, ...options }
      : kind < 5
        ? { op: 'next', walk: 'w', pageSize }
        : { op: 'peek', walk: 'w', pageSize },
  );

function program(
  scenario: string,
  tasks: readonly string[],
  setup: readonly Step[],
  clients: readonly (readonly Step[])[],
  pace: number,
): Program {
  const ids = Object.fromEntries(tasks.map((task) => [task, plainIds[labels.indexOf(task)] as string]));
  return { version: 1, scenario, tasks: ids, setup: [clockAt(0n), ...setup], clients, pace };
}

const pace = fc.nat(1_000_000);

const clientsOf = (step: fc.Arbitrary<Step>, least: number, most: number, steps: number) =>
  fc.array(fc.array(step, { minLength: 1, maxLength: steps }), { minLength: least, maxLength: most });

/** Everybody writes one or two tasks: conditional replaces of one revision, one message id from several clients. */
const contention: Scenario = {
  name: 'contention',
  weight: 5,
  suits: () => true,
  programs: () =>
    fc.constantFrom(['A'], ['A', 'B']).chain((tasks) => {
      const step = fc.oneof({ weight: 5, arbitrary: write(tasks) }, { weight: 2, arbitrary: read(tasks) });
      return fc
        .tuple(clientsOf(step, 2, 4, 6), pace)
        .map(([clients, seed]) => program('contention', tasks, tasks.map(create), clients, seed));
    }),
};

/** Two clients walk in small pages while others write, delete and create again, with a clock that moves now and then. */
const churn: Scenario = {
  name: 'concurrent-churn',
  weight: 5,
  suits: () => true,
  programs: () =>
    fc.integer({ min: 3, max: 7 }).chain((count) => {
      const tasks = labels.slice(0, count);
      const clock = fc.constantFrom(1n, 2n, 1_000n, -1n).map(clockAt);
      const writing = fc.oneof({ weight: 9, arbitrary: write(tasks) }, { weight: 1, arbitrary: clock });
      return fc
        .tuple(
          fc.shuffledSubarray(tasks, { minLength: count - 1 }),
          clientsOf(walk(fc.constantFrom(1, 1, 2, 3)), 1, 2, 3),
          clientsOf(writing, 1, 3, 8),
          pace,
        )
        .map(([first, walkers, writers, seed]) =>
          program('concurrent-churn', tasks, first.map(create), [...walkers, ...writers], seed),
        );
    }),
};

/** Small enough to ask of each page, with its total, at which one moment it was true. */
const pages: Scenario = {
  name: 'pages',
  weight: 5,
  suits: () => true,
  programs: () =>
    fc.constantFrom(2, 3, 4).chain((count) => {
      const tasks = labels.slice(0, count);
      return fc
        .tuple(
          fc.subarray(tasks, { minLength: 1 }),
          fc.constantFrom<Step[]>([], [{ op: 'first', walk: 'w', pageSize: 100 }]),
          clientsOf(page, 1, 2, 5),
          clientsOf(fc.oneof(write(tasks), fc.constantFrom(...tasks).map(create)), 1, 2, 5),
          pace,
        )
        .map(([first, seen, readers, writers, seed]) =>
          program('pages', tasks, [...first.map(create), ...seen], [...readers, ...writers], seed),
        );
    }),
};

/** Two callers walk while what they may access changes, and tasks are deleted. */
const revocations: Scenario = {
  name: 'revocations',
  weight: 5,
  suits: ({ callers }) => callers,
  programs: () =>
    fc.integer({ min: 3, max: 6 }).chain((count) => {
      const tasks = labels.slice(0, count);
      const task = fc.constantFrom(...tasks);
      const change = fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({
            op: fc.constantFrom('allow' as const, 'deny' as const),
            caller: fc.constantFrom('alice', 'bob'),
            task,
          }),
        },
        { weight: 1, arbitrary: task.map((one): Step => ({ op: 'delete', task: one })) },
        { weight: 2, arbitrary: task.map(create) },
        { weight: 1, arbitrary: task.map((one): Step => ({ op: 'append', task: one, message: 'm1' })) },
      );
      const walker = (caller: string) =>
        fc.array(
          fc.constantFrom(1, 2, 100).map((pageSize): Step => ({ op: 'walk', walk: 'w', pageSize, caller })),
          { minLength: 1, maxLength: 4 },
        );
      return fc
        .tuple(fc.subarray(tasks), walker('alice'), walker('bob'), clientsOf(change, 1, 2, 8), pace)
        .map(([hidden, alice, bob, changes, seed]) => {
          const denials = hidden.map((one): Step => ({ op: 'deny', caller: 'bob', task: one }));
          return program('revocations', tasks, [...tasks.map(create), ...denials], [alice, bob, ...changes], seed);
        });
    }),
};

export const concurrentScenarios: readonly Scenario[] = [contention, churn, pages, revocations];

/** Prepares the concurrent programs of a seed, as `programSource` does the others. */
export function concurrentSource(capabilities: Capabilities, seed: number): ProgramSource {
  const suiting = concurrentScenarios.filter((scenario) => scenario.suits(capabilities));
  const turns = suiting.map((scenario) => scenario.programs(capabilities));
  return (index) => {
    const programs = turns[index % turns.length] as fc.Arbitrary<Program>;
    const [one] = fc.sample(programs, { seed: (seed ^ Math.imul(index + 1, 0x85ebca6b)) | 0, numRuns: 1 });
    return capabilities.deduplicates ? (one as Program) : withMessagesOfTheirOwn(one as Program);
  };
}

/** A subject that declares nothing of repeated messages may add them again, or not: no two appends have one. */
function withMessagesOfTheirOwn(program: Program): Program {
  const clients = program.clients.map((steps, client) =>
    steps.map(
      (step, index): Step => (step.op === 'append' ? { ...step, message: `${step.message}.${client}.${index}` } : step),
    ),
  );
  return { ...program, clients };
}
