/** The shape of a program in a file: a counterexample, a saved regression. */
import type { DatabaseAct } from '../history/database.ts';
import type {
  BeneathPlan,
  Content,
  Filter,
  MomentStep,
  PageOptions,
  Program,
  RawMeaning,
  Step,
  TokenMeaning,
} from '../history/program.ts';
import {
  anyObject,
  constant,
  count,
  flag,
  integer,
  list,
  microsText,
  number,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  scopeContexts,
  text,
  variant,
} from './shape.ts';

const state: Shape<NonNullable<Content['state']>> = oneOf(
  'UNSPECIFIED',
  'SUBMITTED',
  'WORKING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'INPUT_REQUIRED',
  'REJECTED',
  'AUTH_REQUIRED',
);

const content: Shape<Content> = object<Content>({
  context: optional(text),
  state: optional(state),
  timestamp: optional(text),
  history: optional(list(text)),
  artifacts: optional(list(text)),
  note: optional(text),
});

const filter: Shape<Filter> = object<Filter>({
  context: optional(text),
  state: optional(state),
  after: optional(text),
});

const meaning: Shape<TokenMeaning> = variant<TokenMeaning>('kind', {
  number: object({}),
  foreign: object({}),
  push: object({}),
  'invalid-v1': object({ reason: text }),
  v1: object({ id: text, micros: microsText }),
});

const caller = optional(text);
const task = { task: text, caller };
const page = {
  pageSize: optional(number),
  filter: optional(filter),
  caller,
  total: optional(flag),
  artifacts: optional(flag),
  historyLength: optional(number),
};
const walk: Shape<{ walk: string } & PageOptions> = object<{ walk: string } & PageOptions>({ walk: text, ...page });
const access = object<{ caller: string; task: string; count?: number }>({
  caller: text,
  task: text,
  count: optional(count),
});

const taskSteps = {
  create: object<{ task: string; content?: Content; caller?: string }>({ ...task, content: optional(content) }),
  replace: object<{ task: string; content?: Content; revision?: string; caller?: string }>({
    ...task,
    content: optional(content),
    revision: optional(oneOf('current', 'stale')),
  }),
  append: object<{ task: string; message: string; caller?: string }>({ ...task, message: text }),
  cancel: object<{ task: string; timestamp?: string; caller?: string }>({ ...task, timestamp: optional(text) }),
  delete: object<{ task: string; caller?: string }>(task),
  allow: access,
  deny: access,
  clock: object({ micros: microsText }),
  first: walk,
};

const plan: Shape<BeneathPlan> = variant<BeneathPlan>('at', {
  nothing: object({}),
  watch: object<{ projection?: string }>({ projection: optional(oneOf('full', 'light')) }),
  page: object({ how: text, batch: count }),
  short: object({ size: count }),
  policy: object({ how: text, on: oneOf('scope', 'scan', 'final') }),
  store: object({ on: oneOf('list', 'get') }),
  moment: object<{ before: string; batch?: number; do: readonly MomentStep[] }>({
    before: oneOf('final-read', 'batch'),
    batch: optional(count),
    do: list(variant<MomentStep>('op', taskSteps)),
  }),
});

const rawMeaning: Shape<RawMeaning> = variant<RawMeaning>('kind', {
  valid: object({}),
  invalid: object({ rule: text }),
  missing: object({}),
});

const steps: { readonly [Op in Step['op']]: Shape<object> } = {
  ...taskSteps,
  get: object<{ task: string; caller?: string }>(task),
  walk,
  peek: walk,
  next: object<{ walk: string; pageSize?: number }>({ walk: text, pageSize: optional(number) }),
  token: object<{ token: string; means?: TokenMeaning } & PageOptions>({
    token: text,
    means: optional(meaning),
    ...page,
  }),
  tick: object({}),
  restart: object({}),
  database: object({
    do: variant<DatabaseAct>('act', {
      start: object<{ fixture: string; apply?: string; mode: string; starters: number; busy?: boolean }>({
        fixture: text,
        apply: optional(oneOf('create', 'migrate')),
        mode: oneOf('managed', 'external'),
        starters: count,
        busy: optional(flag),
      }),
      'held-row': object({
        write: oneOf('replace', 'conditional replace', 'append', 'cancel'),
        writers: count,
        holder: oneOf('advances', 'future', 'rolls back'),
      }),
      pages: object({
        shape: oneOf('one time', 'in order', 'scattered', 'one task updated'),
        tasks: count,
        pageSize: count,
        context: flag,
        pages: count,
      }),
    }),
  }),
  scope: object({ caller: text, contexts: scopeContexts }),
  beneath: object({ plan }),
  push: object<{ verb: string; task: string; config: string; caller?: string }>({
    ...task,
    verb: oneOf('set', 'get', 'delete'),
    config: text,
  }),
  'push-list': object<{ task: string; from?: string; walk?: string; pageSize?: number; caller?: string }>({
    ...task,
    from: optional(oneOf('next', 'walk')),
    walk: optional(text),
    pageSize: optional(number),
  }),
  'push-token': object<PageOptions>(page),
  raw: object<{ transport: string; method: string; fields: object; means: RawMeaning; caller?: string }>({
    transport: text,
    method: oneOf('ListTasks', 'GetTask', 'CancelTask'),
    fields: anyObject,
    means: rawMeaning,
    caller,
  }),
  fill: object<{ task: string; count: number; context?: string }>({ task: text, count, context: optional(text) }),
};

/** A program, version 1. References without a task or a walk are no error: such steps are skipped. */
export const programShape: Shape<Program> = object<Program>({
  version: constant(1),
  scenario: text,
  tasks: record(text),
  clients: list(list(variant<Step>('op', steps))),
  setup: optional(list(variant<Step>('op', steps))),
  pace: optional(integer),
  schedule: optional(list(count)),
  tamper: optional(flag),
  counters: optional(flag),
  worlds: optional(object({ observer: text, hidden: list(text) })),
});
