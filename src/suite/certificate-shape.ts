/** The shape of a certificate in a file, from which `spec/certificate.schema.json` is generated. */
import { profiles } from '../../spec/profiles.ts';
import type { Finding, TaskMark } from '../check/verdict.ts';
import type {
  Certificate,
  Counterexample,
  Coverage,
  LaneEvent,
  LayerVerdict,
  ProfileName,
  Proof,
  RuleResult,
  RuleStatus,
  TimelineEvent,
} from './certificate.ts';
import { programShape } from './program-shape.ts';
import {
  constant,
  count,
  duration,
  flag,
  instant,
  integer,
  type JsonSchema,
  list,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  words,
} from './shape.ts';

const status: Shape<RuleStatus> = oneOf(
  'pass',
  'fail',
  'known',
  'stale',
  'vacuous',
  'unknown',
  'unproved',
  'not-applicable',
  'not-run',
);

const finding: Shape<Finding> = object<Finding>({
  rule: words,
  entries: list(count),
  saw: text,
  allowed: text,
  let: list(text),
  then: list(text),
  however: text,
  marks: optional(
    list(object<TaskMark>({ id: text, how: oneOf('lost', 'repeated', 'misplaced', 'intruding'), entry: count })),
  ),
});

const event: Shape<TimelineEvent> = object<TimelineEvent>({
  entry: count,
  client: count,
  call: count,
  return: count,
  op: words,
  task: optional(text),
  caller: optional(text),
  detail: optional(text),
  error: optional(text),
  page: optional(
    object<NonNullable<TimelineEvent['page']>>({
      items: list(text),
      after: optional(count),
      walk: optional(text),
      number: optional(count),
      size: optional(number),
      where: optional(text),
      ends: flag,
      total: optional(number),
    }),
  ),
});

const counterexample: Shape<Counterexample> = object<Counterexample>({
  finding,
  program: programShape,
  trace: list(text),
  steps: count,
  seed: integer,
  run: integer,
  replay: text,
  reproduction: optional(object<NonNullable<Counterexample['reproduction']>>({ shown: count, of: count })),
  lanes: optional(
    list(object<LaneEvent>({ client: count, call: count, return: count, operation: text, result: text })),
  ),
  history: optional(text),
  layers: optional(
    list(
      object<LayerVerdict>({
        layer: words,
        level: oneOf('store', 'dispatcher', 'transport'),
        breaks: list(words),
        leftOut: count,
      }),
    ),
  ),
  timeline: optional(list(event)),
});

const result: Shape<RuleResult> = object<RuleResult>({
  rule: words,
  level: oneOf('M', 'S'),
  status,
  witnesses: count,
  floor: count,
  reason: optional(text),
  counterexample: optional(counterexample),
  durationMs: duration,
});

const coverage: Shape<Coverage> = object<Coverage>({ name: text, count, floor: count });

const proof: Shape<Proof> = object<Proof>({
  wrapper: words,
  fault: text,
  rule: words,
  outcome: oneOf('killed', 'survived'),
  run: optional(integer),
  reason: optional(text),
});

/** A certificate, version 1. */
export const certificateShape: Shape<Certificate> = object<Certificate>({
  format: constant('pagecheck-certificate'),
  version: constant(1),
  pagecheck: text,
  subject: words,
  profile: oneOf(...(Object.keys(profiles) as ProfileName[])),
  seed: integer,
  shard: optional(object<NonNullable<Certificate['shard']>>({ index: count, of: count })),
  startedAt: instant,
  durationMs: duration,
  environment: object<Certificate['environment']>({ node: text, platform: text }),
  programs: count,
  operations: count,
  pages: count,
  rules: list(result),
  coverage: list(coverage),
  proof: optional(list(proof)),
  notes: list(text),
});

/** The JSON Schema of a certificate, for readers in other languages. */
export const certificateSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'pagecheck certificate, version 1',
  description: 'What one run decided of one subject, rule by rule. Fields that are not named here may be added.',
  ...certificateShape.schema,
};
