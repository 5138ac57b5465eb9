/** What a run does to the database beneath a store, and what it saw there. Pure data; times are decimal microseconds. */

/** One thing done beneath a store. Each makes what it needs, leaves nothing, and bounds its own waits. */
export type DatabaseAct = StartAct | HeldRowAct | PagesAct;

/** Starts stores on a schema of its own that holds what an older release, or somebody else, left. */
export interface StartAct {
  readonly act: 'start';
  /** A fixture of `spec/sql/fixtures`, by its name; `nothing` for a schema that is not there. */
  readonly fixture: string;
  /** The shipped SQL that is applied before the start; none where absent. */
  readonly apply?: 'create' | 'migrate';
  readonly mode: 'managed' | 'external';
  /** How many stores start at once. */
  readonly starters: number;
  /** Another session has written a row and not committed until all starters wait or have ended. */
  readonly busy?: boolean;
}

/** Holds the row of a task in a session of its own while the store writes that task. */
export interface HeldRowAct {
  readonly act: 'held-row';
  readonly write: 'replace' | 'conditional replace' | 'append' | 'cancel';
  /** How many such writes wait at once. */
  readonly writers: number;
  /** What the holder does with the row's time before it lets go; `future` sets it an hour ahead. */
  readonly holder: 'advances' | 'future' | 'rolls back';
}

/** Asks for pages of a large, vacuumed table and keeps the plans with which they really ran. */
export interface PagesAct {
  readonly act: 'pages';
  /** How the tasks lie: all at one time, stored in the order of their times, in none, or one of them updated as often. */
  readonly shape: 'one time' | 'in order' | 'scattered' | 'one task updated';
  readonly tasks: number;
  readonly pageSize: number;
  /** Asks for one context, which holds every second task. */
  readonly context: boolean;
  /** How many pages, from the first on; further ones follow from the middle and before the end. */
  readonly pages: number;
}

/** What was seen of an act; `nothing` where this database does not let it be done. */
export type DatabaseSight = StartSight | HeldRowSight | PagesSight | { readonly seen: 'nothing'; readonly why: string };

/** One store's attempt to start. */
export interface StartOutcome {
  readonly started: boolean;
  /** What it said where it refused. */
  readonly message?: string;
  /** Every piece that it named, as `piece: expected …, found …`. */
  readonly pieces?: readonly string[];
}

export interface StartSight {
  readonly seen: 'start';
  /** The table that `spec/sql/create.sql` makes. */
  readonly reference: TableSight;
  /** The table before the start and after it; absent where there is none. */
  readonly before?: TableSight;
  readonly after?: TableSight;
  readonly starts: readonly StartOutcome[];
  /** One more start, after those. */
  readonly again: StartOutcome;
  /** A task that a started store created stands in this schema's table; absent where no store had to start. */
  readonly serves?: boolean;
}

/** A table as the catalog and its rows tell it. */
export interface TableSight {
  readonly kind: string;
  readonly columns: readonly ColumnSight[];
  readonly indexes: readonly IndexSight[];
  /** Triggers and rules that are enabled and mention the time. */
  readonly triggers: readonly string[];
  readonly rows: readonly RowSight[];
  /** Every relation of the schema with the file that holds it: a change of any shows. */
  readonly relations: readonly string[];
}

export interface ColumnSight {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly generated: boolean;
  /** False where its collation takes different texts for one. */
  readonly deterministic: boolean;
}

export interface IndexSight {
  readonly name: string;
  readonly method: string;
  readonly valid: boolean;
  readonly partial: boolean;
  readonly unique: boolean;
  /** Each key as `column`, its collation where that is not the column's own, and its direction: `id COLLATE C DESC`. */
  readonly keys: readonly string[];
}

export interface RowSight {
  readonly id: string;
  /** Absent where the row has no time. */
  readonly micros?: string;
  /** Which version of the row it is: a row that was written again has another. */
  readonly version: string;
}

export interface HeldRowSight {
  readonly seen: 'held-row';
  /** The time of the task when it was created. */
  readonly created: string;
  /** How many writes waited for the row when the holder let go. */
  readonly waited: number;
  /** The time that the holder left. */
  readonly held: string;
  /** What each write answered: its time, or the code of its error. */
  readonly writes: readonly { readonly micros?: string; readonly error?: string }[];
  /** The time that was read at the end. */
  readonly read: string;
}

export interface PagesSight {
  readonly seen: 'pages';
  readonly indexes: readonly IndexSight[];
  readonly pages: readonly PlannedPage[];
}

/** One page and every statement that it took. */
export interface PlannedPage {
  /** Its place in the walk, in pages from 0. */
  readonly place: number;
  readonly tasks: number;
  readonly error?: string;
  readonly plans: readonly StatementPlan[];
}

export interface StatementPlan {
  /** Buffers hit and read, in all. */
  readonly buffers: number;
  readonly root: PlanNode;
}

/** One node of an executed plan. */
export interface PlanNode {
  readonly node: string;
  readonly relation?: string;
  readonly index?: string;
  /** The index condition. */
  readonly condition?: string;
  readonly filter?: string;
  /** Rows that it gave, all loops together. */
  readonly rows: number;
  /** Rows that it read and discarded. */
  readonly removed: number;
  /** True for a part that is computed once, before the rest. */
  readonly initial?: boolean;
  readonly parts: readonly PlanNode[];
}
