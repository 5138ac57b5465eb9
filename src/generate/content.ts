/** Contents of tasks: states, contexts, status timestamps and histories that filters and orders stumble over. */
import fc from 'fast-check';
import type { Content, Filter, StateName } from '../history/program.ts';

/** Contexts that a loose comparison confuses. */
export const contexts: readonly string[] = ['ctx', 'd', 'ctx%', 'CTX', 'ct_', 'ctx '];

/**
 * Status timestamps: far from any clock, in several spellings of one instant, a microsecond apart, with an offset.
 * The filter values of `filters` are among them.
 */
export const timestamps: readonly string[] = [
  '2001-01-01T00:00:00Z',
  '2001-01-01T00:00:00.500Z',
  '2001-01-01T00:00:00.5Z',
  '2001-01-01T00:00:00.000001Z',
  '2001-01-01T01:00:00+01:00',
  '2001-01-02T03:04:05.678Z',
  '2099-12-31T23:59:59.999Z',
  '1999-12-31T23:59:59.999999Z',
];

/** The timestamps that A2A implementations write themselves: UTC with milliseconds. */
export const millisecondTimestamps: readonly string[] = [
  '2001-01-01T00:00:00.000Z',
  '2001-01-01T00:00:00.500Z',
  '2001-01-02T03:04:05.678Z',
  '2099-12-31T23:59:59.999Z',
  '1999-12-31T23:59:59.999Z',
];

const live: readonly StateName[] = ['WORKING', 'SUBMITTED', 'INPUT_REQUIRED', 'AUTH_REQUIRED'];
const states: readonly StateName[] = [...live, 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'];

/** A state in which a task can be cancelled. */
export const liveState: fc.Arbitrary<StateName> = fc.constantFrom(...live);

const timestamp = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 2 },
  { arbitrary: fc.constantFrom(...millisecondTimestamps), weight: 2 },
  { arbitrary: fc.constantFrom(...timestamps), weight: 1 },
);

/** Contents of any kind. */
export const content: fc.Arbitrary<Content> = fc
  .record({
    context: fc.oneof(
      { arbitrary: fc.constant('ctx'), weight: 3 },
      { arbitrary: fc.constantFrom(...contexts), weight: 1 },
    ),
    state: fc.oneof(
      { arbitrary: fc.constant<StateName>('WORKING'), weight: 3 },
      { arbitrary: fc.constantFrom(...states), weight: 1 },
    ),
    timestamp,
    history: fc.subarray(['m1', 'm2', 'm3'], { maxLength: 2 }),
    artifacts: fc.subarray(['r1', 'r2'], { maxLength: 1 }),
  })
  .map(compact);

/** Any filter, each of its conditions now and then; the unspecified status selects all. */
export const filter: fc.Arbitrary<Filter> = fc
  .record(
    {
      context: fc.constantFrom(...contexts),
      state: fc.constantFrom<StateName>('WORKING', 'COMPLETED', 'SUBMITTED', 'UNSPECIFIED'),
      after: fc.constantFrom(...timestamps),
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.keys(one).length > 0);

/** Leaves out what is a default, so that programs stay short to read. */
function compact(one: {
  context: string;
  state: StateName;
  timestamp: string | undefined;
  history: string[];
  artifacts: string[];
}): Content {
  return {
    ...(one.context === 'ctx' ? {} : { context: one.context }),
    ...(one.state === 'WORKING' ? {} : { state: one.state }),
    ...(one.timestamp === undefined ? {} : { timestamp: one.timestamp }),
    ...(one.history.length === 0 ? {} : { history: one.history }),
    ...(one.artifacts.length === 0 ? {} : { artifacts: one.artifacts }),
  };
}
