/**
 * A program: what the clients do, as plain JSON data with symbolic references. It can be generated, shrunk, stored,
 * compared and replayed by a later version. A step whose reference has no meaning (a `next` of a walk that ended, say)
 * is skipped, so that any subset of a program is a program.
 */
import type { DatabaseAct } from './database.ts';

/**
 * Names a task inside a program; `Program.tasks` gives its id, and a label that is not there is the id itself. `@w` is
 * the boundary task of walk `w`: the last one of its latest page.
 */
export type TaskLabel = string;
/** Names a walk inside a program. */
export type WalkLabel = string;

/** The content of a task, as far as the contract looks at it. Absent fields take the harness's defaults. */
export interface Content {
  /** Context id; `ctx` where absent. */
  readonly context?: string;
  /** State name without its prefix, such as `WORKING`; `WORKING` where absent. */
  readonly state?: StateName;
  /** `status.timestamp`, ISO 8601 with up to 6 fraction digits; none where absent. */
  readonly timestamp?: string;
  /** Message ids of the history. */
  readonly history?: readonly string[];
  /** Artifact ids. */
  readonly artifacts?: readonly string[];
  /** Told apart by this text in the metadata. */
  readonly note?: string;
}

export type StateName =
  | 'UNSPECIFIED'
  | 'SUBMITTED'
  | 'WORKING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'INPUT_REQUIRED'
  | 'REJECTED'
  | 'AUTH_REQUIRED';

/** Which tasks a list asks for. */
export interface Filter {
  readonly context?: string;
  readonly state?: StateName;
  /** `statusTimestampAfter`, ISO 8601; `=A` for the status time of task A as its last write left it, in milliseconds. */
  readonly after?: string;
}

/** How a page is asked for. `pageSize` may be any number: bad ones are part of the trade. */
export interface PageOptions {
  readonly pageSize?: number;
  readonly filter?: Filter;
  readonly caller?: string;
  /** `include_total_size`; absent means true. */
  readonly total?: boolean;
  readonly artifacts?: boolean;
  readonly historyLength?: number;
}

export type Step =
  | { readonly op: 'create'; readonly task: TaskLabel; readonly content?: Content; readonly caller?: string }
  | {
      readonly op: 'replace';
      readonly task: TaskLabel;
      /** Absent: the contents that the task has already. */
      readonly content?: Content;
      /** Absent: unconditional. `stale` names a revision that the task had once, or never. */
      readonly revision?: 'current' | 'stale';
      readonly caller?: string;
    }
  | { readonly op: 'append'; readonly task: TaskLabel; readonly message: string; readonly caller?: string }
  /** Absent timestamp: the wall clock's time. */
  | { readonly op: 'cancel'; readonly task: TaskLabel; readonly timestamp?: string; readonly caller?: string }
  | { readonly op: 'delete'; readonly task: TaskLabel; readonly caller?: string }
  | { readonly op: 'get'; readonly task: TaskLabel; readonly caller?: string }
  /** Starts a walk (again). */
  | ({ readonly op: 'first'; readonly walk: WalkLabel } & PageOptions)
  /** The next page of a walk; filter and caller are the walk's own. */
  | { readonly op: 'next'; readonly walk: WalkLabel; readonly pageSize?: number }
  /** Follows a walk to its end, or starts it where it has not begun. */
  | ({ readonly op: 'walk'; readonly walk: WalkLabel } & PageOptions)
  /** Sends the walk's current token, perhaps with another filter or caller, without moving the walk. */
  | ({ readonly op: 'peek'; readonly walk: WalkLabel } & PageOptions)
  /** Sends a token that no page gave. */
  | ({ readonly op: 'token'; readonly token: string; readonly means?: TokenMeaning } & PageOptions)
  /** Sets the store's clock to this decimal number of microseconds. */
  | { readonly op: 'clock'; readonly micros: string }
  /** Waits until the wall clock has moved by 3 ms, where the store's clock can't be set. */
  | { readonly op: 'tick' }
  /** With `count`, of every task that a `fill` of so many makes. */
  | { readonly op: 'allow' | 'deny'; readonly caller: string; readonly task: TaskLabel; readonly count?: number }
  /** Narrows what the lists of a caller may touch to these contexts; `all` lifts it. */
  | { readonly op: 'scope'; readonly caller: string; readonly contexts: readonly string[] | 'all' }
  /** Stands between the dispatcher and what is beneath it, until the next such step. */
  | { readonly op: 'beneath'; readonly plan: BeneathPlan }
  | {
      readonly op: 'push';
      readonly verb: 'set' | 'get' | 'delete';
      readonly task: TaskLabel;
      readonly config: string;
      readonly caller?: string;
    }
  /** Lists push configurations: from the start, on from the last such page of the task, or from a walk's token. */
  | {
      readonly op: 'push-list';
      readonly task: TaskLabel;
      readonly from?: 'next' | 'walk';
      readonly walk?: WalkLabel;
      readonly pageSize?: number;
      readonly caller?: string;
    }
  /** Sends the token of the last page of push configurations to the list of tasks. */
  | ({ readonly op: 'push-token' } & PageOptions)
  /** Sends a request over one transport with these very fields. */
  | {
      readonly op: 'raw';
      readonly transport: string;
      readonly method: 'ListTasks' | 'GetTask' | 'CancelTask';
      readonly fields: Readonly<Record<string, unknown>>;
      readonly means: RawMeaning;
      readonly caller?: string;
    }
  | { readonly op: 'restart' }
  /** Does something to the database beneath the store, where it has one. */
  | { readonly op: 'database'; readonly do: DatabaseAct }
  /** Creates `count` tasks named `<task>-0000000` … in one go, for cost programs. */
  | { readonly op: 'fill'; readonly task: TaskLabel; readonly count: number; readonly context?: string };

/** What a raw request is: right, wrong in a field that is named, or about a task that never was. */
export type RawMeaning =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly rule: string }
  | { readonly kind: 'missing' };

/** How a store's page can be unsound. */
export type PageFault = 'absent' | 'fewer' | 'shifted' | 'repeated' | 'reversed' | 'foreign' | 'rewound';

/** How a policy can fail to answer. */
export type PolicyFault =
  | 'throws'
  | 'rejects'
  | 'late'
  | 'undefined'
  | 'null'
  | 'number'
  | 'text'
  | 'object'
  | 'promised number';

/**
 * What happens between a dispatcher and what it stands on while it works. `watch` only looks on; the others also make
 * the store's pages unsound (that of batch `batch`, from 1) or shorter than asked, the policy fail at its first question
 * of that kind in each call, the store throw, or let steps happen once, at one moment of a list.
 */
export type BeneathPlan =
  | { readonly at: 'nothing' }
  | { readonly at: 'watch'; readonly projection?: 'full' | 'light' }
  | { readonly at: 'page'; readonly how: PageFault; readonly batch: number }
  | { readonly at: 'short'; readonly size: number }
  | { readonly at: 'policy'; readonly how: PolicyFault; readonly on: 'scope' | 'scan' | 'final' }
  | { readonly at: 'store'; readonly on: 'list' | 'get' }
  | {
      readonly at: 'moment';
      readonly before: 'final-read' | 'batch';
      readonly batch?: number;
      readonly do: readonly MomentStep[];
    };

/** What may happen at one moment of a list. */
export type MomentStep = Extract<
  Step,
  { readonly op: 'create' | 'replace' | 'append' | 'cancel' | 'delete' | 'allow' | 'deny' | 'clock' | 'first' }
>;

/**
 * What a crafted token is: invalid whatever the subject's format (`invalid-anywhere`), invalid as v1, or a v1 boundary.
 */
export type TokenMeaning =
  | { readonly kind: 'number' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'push' }
  | { readonly kind: 'invalid-v1'; readonly reason: string }
  | { readonly kind: 'v1'; readonly id: string; readonly micros: string };

export interface Program {
  readonly version: 1;
  /** The generator that made it; for coverage and reading only. */
  readonly scenario: string;
  /** The id of each task label. */
  readonly tasks: Readonly<Record<TaskLabel, string>>;
  /** One list of steps a client; a sequential program has one client. */
  readonly clients: readonly (readonly Step[])[];
  /** What client 0 does before all clients begin at once. Where it is there, the program is a concurrent one. */
  readonly setup?: readonly Step[];
  /** Decides how long each client of a concurrent program pauses before each of its steps. */
  readonly pace?: number;
  /**
   * The client that goes on at each point where the store under test waits, for subjects whose waits are the harness's
   * own. Where it names a client that does not wait, or has come to its end, the client that went on last goes on.
   */
  readonly schedule?: readonly number[];
  /** The harness scribbles over every object that it passed or got (STORE-2). */
  readonly tamper?: boolean;
  /** The history keeps what each operation moved the subject's counters by (COST-1, COST-2, COUNT-2). */
  readonly counters?: boolean;
  /**
   * Two worlds (AUTH-8): the program is run a second time without the steps about the tasks `hidden`, none of which
   * `observer` may access; what the observer sees must be the same.
   */
  readonly worlds?: { readonly observer: string; readonly hidden: readonly TaskLabel[] };
}

/** Tells whether the clients of a program run at once. */
export function isConcurrent(program: Pick<Program, 'clients' | 'setup'>): boolean {
  return program.setup !== undefined || program.clients.length > 1;
}

/**
 * The same program in a world where the hidden tasks never were: a read takes the place of each of their
 * steps, so that every other one keeps its place and its turn. What the observer itself asks about them stays.
 */
export function withoutHidden(program: Program): Program {
  const { worlds } = program;
  if (worlds === undefined) return program;
  const hidden = new Set(worlds.hidden);
  const keeps = (step: Step): boolean =>
    !('task' in step) || !hidden.has(step.task) || ('caller' in step && step.caller === worlds.observer);
  return {
    ...program,
    clients: program.clients.map((steps) => steps.map((step) => (keeps(step) ? step : readInstead(step)))),
  };
}

/** What nobody looks at, of the same task. */
function readInstead(step: Step): Step {
  return { op: 'get', task: 'task' in step ? step.task : '' };
}
