/**
 * A program: what the clients do, as plain JSON data with symbolic references. It can be generated, shrunk, stored,
 * compared and replayed by a later version. A step whose reference has no meaning (a `next` of a walk that ended, say)
 * is skipped, so that any subset of a program is a program.
 */

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
  /** `statusTimestampAfter`, ISO 8601. */
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
  | { readonly op: 'allow' | 'deny'; readonly caller: string; readonly task: TaskLabel }
  | { readonly op: 'restart' }
  /** Creates `count` tasks named `<task>-0000000` … in one go, for cost programs. */
  | { readonly op: 'fill'; readonly task: TaskLabel; readonly count: number; readonly context?: string };

/**
 * What a crafted token is: invalid whatever the subject's format (`invalid-anywhere`), invalid as v1, or a v1 boundary.
 */
export type TokenMeaning =
  | { readonly kind: 'number' }
  | { readonly kind: 'foreign' }
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
  /** The harness scribbles over every object that it passed or got (STORE-2). */
  readonly tamper?: boolean;
  /** The history keeps what each operation moved the subject's counters by (COST-1, COST-2, COUNT-2). */
  readonly counters?: boolean;
}
