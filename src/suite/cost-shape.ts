/** The shape of a cost certificate in a file. */
import type { CostCertificate, CostCurve, CostPlan, CostPoint, CostRule, CostSetting } from './cost-certificate.ts';
import {
  constant,
  count,
  duration,
  flag,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  words,
} from './shape.ts';

const setting: Shape<CostSetting> = object<CostSetting>({
  operation: oneOf('list', 'create', 'replace', 'append'),
  shape: oneOf('in order', 'one time', 'one task updated', 'scattered', 'interleaved'),
  depth: optional(duration),
  pageSize: optional(count),
  filter: optional(oneOf('context', 'status')),
  total: optional(flag),
  access: optional(duration),
  transport: optional(text),
});

const point: Shape<CostPoint> = object<CostPoint>({
  n: count,
  value: duration,
  low: optional(duration),
  high: optional(duration),
});

const curve: Shape<CostCurve> = object<CostCurve>({
  setting,
  counter: words,
  unit: text,
  by: oneOf('counter', 'clock'),
  points: list(point),
  growth: oneOf('constant', 'log n', 'linear', 'n log n', 'worse', 'inconclusive'),
  decidedBy: text,
  standing: oneOf('held', 'broken', 'undecided', 'reported'),
  rule: optional(words),
  allowed: optional(text),
  limit: optional(duration),
  from: optional(count),
});

const rule: Shape<CostRule> = object<CostRule>({
  rule: words,
  level: oneOf('M', 'S'),
  status: oneOf('pass', 'fail', 'vacuous', 'unknown', 'not-applicable'),
  witnesses: count,
  reason: optional(text),
});

const plan: Shape<CostPlan> = object<CostPlan>({
  setting,
  n: count,
  lines: list(text),
  rows: count,
  removed: count,
  buffers: count,
});

/** A cost certificate, version 1. */
export const costCertificateShape: Shape<CostCertificate> = object<CostCertificate>({
  format: constant('pagecheck-cost-certificate'),
  version: constant(1),
  pagecheck: text,
  subject: words,
  seed: integer,
  startedAt: instant,
  durationMs: duration,
  environment: object<CostCertificate['environment']>({ node: text, platform: text }),
  sizes: list(count),
  complete: flag,
  rules: list(rule),
  curves: list(curve),
  plans: list(plan),
  notes: list(text),
});
