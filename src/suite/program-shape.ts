/** The shape of a program in a file: a counterexample, a saved regression. */
import type { Content, Filter, PageOptions, Program, Step, TokenMeaning } from '../history/program.ts';
import {
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
const access = object({ caller: text, task: text });

const steps: { readonly [Op in Step['op']]: Shape<object> } = {
  create: object<{ task: string; content?: Content; caller?: string }>({ ...task, content: optional(content) }),
  replace: object<{ task: string; content?: Content; revision?: string; caller?: string }>({
    ...task,
    content: optional(content),
    revision: optional(oneOf('current', 'stale')),
  }),
  append: object<{ task: string; message: string; caller?: string }>({ ...task, message: text }),
  cancel: object<{ task: string; timestamp?: string; caller?: string }>({ ...task, timestamp: optional(text) }),
  delete: object<{ task: string; caller?: string }>(task),
  get: object<{ task: string; caller?: string }>(task),
  first: walk,
  walk,
  peek: walk,
  next: object<{ walk: string; pageSize?: number }>({ walk: text, pageSize: optional(number) }),
  token: object<{ token: string; means?: TokenMeaning } & PageOptions>({
    token: text,
    means: optional(meaning),
    ...page,
  }),
  clock: object({ micros: microsText }),
  tick: object({}),
  allow: access,
  deny: access,
  restart: object({}),
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
});
