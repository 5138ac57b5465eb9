/** How fast histories of overlapping operations are judged: the search for an order, and the walk checker. */
import { judgeIntervals } from '../src/check/concurrent.ts';
import { linearize, type Ordering } from '../src/check/linearize.ts';
import { Tally } from '../src/check/tally.ts';
import { memoryCapabilities } from '../src/subject/memory.ts';
import { interleave } from './interleave.ts';
import { type RegisterOperation, registerHistory, walkHistory } from './overlapping-histories.ts';
import { measurePorcupine } from './porcupine.ts';
import type { BenchOptions, BenchPart, BenchRow, BenchTable, Measure } from './table.ts';

const EVENTS_A_SECOND = 1_000_000;
const TIMES_FASTER = 2.5;
const BUDGET = 20_000_000;
/** Growth counts as linear where one of a million events costs no more than this, against one of a thousand. */
const LINEAR = 2;

/** A register as a specification: its state is its value. */
function ordering(history: readonly RegisterOperation[]): Ordering {
  return {
    calls: history.map(({ call }) => call),
    returns: history.map((operation) => operation.return),
    initial: 0,
    step: (at, state) => {
      const { wrote, read } = history[at]!;
      if (wrote !== undefined) return wrote;
      return read === state ? state : -1;
    },
    isRead: (at) => history[at]!.wrote === undefined,
  };
}

/** The same history with one read of the first register, in the middle, of a value that was never written. */
function broken([first = [], ...rest]: readonly RegisterOperation[][]): RegisterOperation[][] {
  const at = first.findIndex(({ wrote }, position) => position >= first.length / 2 && wrote === undefined);
  return [first.map((operation, position) => (position === at ? { ...operation, read: 9 } : operation)), ...rest];
}

interface SearchCase {
  readonly operations: number;
  readonly clients: number;
  readonly right: boolean;
}

async function searchRows({ quick, progress }: BenchOptions): Promise<{ rows: BenchRow[]; notes: string[] }> {
  const cases: readonly SearchCase[] = [
    { operations: 1_000, clients: 8, right: true },
    ...(quick ? [] : [4, 8, 16].map((clients) => ({ operations: 10_000, clients, right: true }))),
    ...(quick ? [] : [{ operations: 10_000, clients: 8, right: false }]),
  ];
  const histories = cases.map(({ operations, clients, right }) => {
    const history = registerHistory(operations, clients, 1);
    return right ? history : broken(history);
  });
  progress('linearizability: Porcupine on the same histories');
  const porcupine = await measurePorcupine(histories);
  const rows: BenchRow[] = [];
  for (const [position, { operations, clients, right }] of cases.entries()) {
    const what = `${clients} clients, ${right ? 'linearizable' : 'not linearizable'}`;
    progress(`linearizability: ${operations.toLocaleString('en')} operations, ${what}`);
    const problems = histories[position]!.map(ordering);
    const judge = () => problems.map((problem) => linearize(problem, BUDGET).kind);
    const found = judge();
    if (found.includes('undecided') || found.includes('not-linearizable') === right)
      throw new Error(`The history of ${what} was judged ${found.join(', ')}`);
    const run = await interleave([{ what, batch: 1, run: judge }], {
      rounds: quick ? 3 : 7,
      timeMs: 200,
    });
    const measure = { ...run.measure(what), what };
    const micros = porcupine.micros?.[position];
    if (micros === undefined) {
      rows.push({ n: operations, measure });
      continue;
    }
    const reference: Measure = {
      what: 'Porcupine (Go)',
      unit: 'µs',
      median: middle(micros),
      low: Math.min(...micros),
      high: Math.max(...micros),
      rounds: micros.length,
    };
    const own = measure.unit === 'ns' ? measure.median / 1_000 : measure.median;
    const ratio = own / reference.median;
    const judged = operations === 10_000 && clients <= 8 && right;
    rows.push({
      n: operations,
      measure,
      reference,
      ratio,
      ...(judged ? { target: { text: `≥ ${TIMES_FASTER}× faster`, met: 1 / ratio >= TIMES_FASTER } } : {}),
    });
  }
  return { rows, notes: porcupine.micros === undefined ? [porcupine.why] : [] };
}

async function walkRows({ quick, progress }: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const context = { capabilities: memoryCapabilities, order: 'storage-time' } as const;
  const medians = new Map<number, number>();
  for (const n of quick ? [1e3, 1e4] : [1e3, 1e4, 1e5, 1e6]) {
    progress(`linearizability: walk checker, ${n.toLocaleString('en')} events`);
    // Of a short history many at once, so that the timer can tell.
    const times = Math.max(1, Math.floor(2e5 / n));
    const entries = await walkHistory(n / 2, 1);
    const rates: number[] = [];
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      const from = performance.now();
      let tally = new Tally();
      for (let time = 0; time < times; time++) {
        tally = new Tally();
        judgeIntervals({ entries }, context, tally);
      }
      rates.push(((2 * times * entries.length) / (performance.now() - from)) * 1_000);
      const found = tally.reports().flatMap(({ findings }) => findings);
      if (found.length > 0) throw new Error(`The walk checker found what is not there: ${found[0]!.saw}`);
    }
    // The first round warms up.
    const counted = rates.slice(1);
    const measure: Measure = {
      what: 'walk checker, calls and returns',
      unit: 'events/s',
      median: middle(counted),
      low: Math.min(...counted),
      high: Math.max(...counted),
      rounds: counted.length,
    };
    rows.push({
      n,
      measure,
      target: { text: '≥ 1 million a second', met: measure.median >= EVENTS_A_SECOND },
    });
    medians.set(n, measure.median);
    // Short histories fit into the caches of the processor, so that the step from 1e5 is shown beside the whole.
    for (const from of n === 1e6 ? [1e3, 1e5] : []) {
      const growth = (medians.get(from) as number) / measure.median;
      rows.push({
        n,
        measure: {
          what: `cost of one against n = ${from.toLocaleString('en')}`,
          unit: 'count',
          median: growth,
          low: growth,
          high: growth,
          rounds: 1,
        },
        ...(from === 1e3 ? { target: { text: `linear (≤ ${LINEAR}×)`, met: growth <= LINEAR } } : {}),
      });
    }
  }
  return rows;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const search = await searchRows(options);
  return {
    name: 'linearizability',
    title: 'Judging overlapping operations: the search for an order of a register, and walks under churn',
    rows: [...search.rows, ...(await walkRows(options))],
    notes: [
      'Half of the register operations are writes of five values. Walk histories: four clients walk 100 tasks in pages of',
      'ten, four write them; n events are calls and returns of n / 2 operations, and half of those show ten tasks.',
      ...search.notes,
    ],
  };
}

/** The linearizability part of `npm run bench`. */
export const linearizabilityBench: BenchPart = { name: 'linearizability', run };
