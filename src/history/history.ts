/** What happened: one entry an operation, with call and return instants. Pure data. */
import type { DatabaseAct, DatabaseSight } from './database.ts';
import type { BeneathPlan, Filter, RawMeaning, StateName, TokenMeaning } from './program.ts';

/** What a history keeps of a task: enough to tell every version of it from every other. */
export interface Contents {
  readonly id: string;
  readonly context: string;
  readonly state: StateName | 'UNRECOGNIZED';
  readonly timestamp?: string;
  /** Message ids; a message whose text is not the one written under that id is marked with a trailing `!`. */
  readonly history: readonly string[];
  /** Artifact ids; marked likewise. */
  readonly artifacts: readonly string[];
  readonly note: string;
}

/** An operation with its references resolved. */
export type Operation =
  | { readonly op: 'create'; readonly contents: Contents; readonly caller?: string }
  | { readonly op: 'replace'; readonly contents: Contents; readonly ifRevision?: string; readonly caller?: string }
  | { readonly op: 'append'; readonly id: string; readonly message: string; readonly caller?: string }
  | { readonly op: 'cancel'; readonly id: string; readonly timestamp?: string; readonly caller?: string }
  | { readonly op: 'delete'; readonly id: string; readonly caller?: string }
  | { readonly op: 'get'; readonly id: string; readonly caller?: string }
  | ListOperation
  | { readonly op: 'clock'; readonly micros: bigint }
  | { readonly op: 'tick' }
  | { readonly op: 'access'; readonly id: string; readonly caller: string; readonly allowed: boolean }
  | { readonly op: 'restart' }
  | { readonly op: 'database'; readonly do: DatabaseAct }
  | { readonly op: 'scope'; readonly caller: string; readonly contexts: readonly string[] | 'all' }
  | { readonly op: 'beneath'; readonly plan: BeneathPlan }
  | PushOperation
  | RawOperation;

export type PushOperation =
  | {
      readonly op: 'push';
      readonly verb: 'set' | 'get' | 'delete';
      readonly id: string;
      readonly config: string;
      readonly caller?: string;
    }
  | {
      readonly op: 'push-list';
      readonly id: string;
      readonly pageSize?: number;
      readonly token?: string;
      /** The entry whose page gave the token: a page of push configurations, or of tasks. */
      readonly tokenFrom?: number;
      readonly caller?: string;
    };

export interface RawOperation {
  readonly op: 'raw';
  readonly transport: string;
  readonly method: 'ListTasks' | 'GetTask' | 'CancelTask';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly means: RawMeaning;
  readonly caller?: string;
}

export interface ListOperation {
  readonly op: 'list';
  /** Which walk it belongs to; absent for a peek or a crafted token. A restarted walk is another walk. */
  readonly walk?: string;
  /** Page number in its walk, from 0. */
  readonly page?: number;
  /** The token sent; absent or empty asks for the first page. */
  readonly token?: string;
  /** The entry whose page gave the token; absent for a first page or a crafted token. */
  readonly tokenFrom?: number;
  /** What a crafted token means. */
  readonly means?: TokenMeaning;
  readonly pageSize?: number;
  readonly filter?: Filter;
  readonly caller?: string;
  readonly total?: boolean;
  readonly includeArtifacts?: boolean;
  readonly historyLength?: number;
}

export type Result =
  | {
      readonly kind: 'written';
      readonly micros?: bigint;
      readonly revision?: string;
      readonly deduplicated?: boolean;
      /** What the task is after the write, where the subject decides it. */
      readonly contents?: Contents;
    }
  | { readonly kind: 'read'; readonly contents?: Contents; readonly micros?: bigint; readonly revision?: string }
  | PageResult
  | { readonly kind: 'done' }
  | { readonly kind: 'database'; readonly sight: DatabaseSight }
  /**
   * A definite error: it certainly had no effect, unless the store lies. `detail` is what else came with it, as text;
   * `via` the transport.
   */
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly detail?: string;
      readonly via?: string;
    }
  | { readonly kind: 'push-page'; readonly configs: readonly string[]; readonly nextToken: string }
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly code?: string | number;
      readonly message?: string;
      readonly body: string;
    }
  /** May have taken effect, once, at any instant after the call. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** The subject broke the interface: what it answered instead. */
  | { readonly kind: 'malformed'; readonly what: string };

export interface PageResult {
  readonly kind: 'page';
  readonly items: readonly Contents[];
  /** As the subject gave them: perhaps fewer, perhaps misaligned. */
  readonly cursors?: readonly { readonly id: string; readonly micros: bigint }[];
  readonly nextToken: string;
  readonly pageSize?: number;
  readonly totalSize?: number;
  /** The transport that carried it, where there are several. */
  readonly via?: string;
}

/** One call of a dispatcher to its store or its policy, in the order in which they were made. */
export type BeneathCall =
  | {
      readonly call: 'list';
      readonly pageSize: number | undefined;
      readonly total: boolean;
      readonly projection: 'full' | 'light';
      readonly artifacts: boolean;
      readonly ids: readonly string[];
      /** What was made unsound in the answer. */
      readonly broken?: string;
    }
  | {
      readonly call: 'get';
      readonly id: string;
      readonly projection: 'full' | 'light';
      /** Undefined where there was no such task. */
      readonly contents?: Contents;
      readonly broken?: string;
    }
  | { readonly call: 'scope'; readonly caller: string; readonly broken?: string }
  | {
      readonly call: 'access';
      readonly caller: string;
      /** The task as it was shown to the policy. */
      readonly contents: Contents;
      /** Undefined where the answer was no boolean. */
      readonly allowed?: boolean;
      readonly broken?: string;
    };

export interface Entry {
  /** Position in the history, in order of return. */
  readonly index: number;
  readonly client: number;
  /** The program step that caused it: its index in the client's list. */
  readonly step: number;
  /** Instants on one strictly increasing scale: two events never share one. */
  readonly call: number;
  readonly return: number;
  readonly operation: Operation;
  readonly result: Result;
  /** What the subject's counters moved by, where it has any. */
  readonly counters?: Readonly<Record<string, number>>;
  /** What happened beneath a dispatcher meanwhile, where the program watches. */
  readonly beneath?: readonly BeneathCall[];
}

export interface History {
  readonly entries: readonly Entry[];
  /** The harness scribbled over every object that it passed or got (STORE-2); nothing else is judged of such a history. */
  readonly tampered?: boolean;
}
