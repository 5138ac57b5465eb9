/** The errors of the contract as typed classes, one for each code; a message never holds ids, tokens, SQL or paths. */

/** What went wrong, in the contract's terms. `unknown-outcome` is the only indefinite one: the write may have happened. */
export type ErrorCode =
  | 'invalid-argument'
  | 'not-found'
  | 'already-exists'
  | 'revision-conflict'
  | 'not-cancelable'
  | 'internal'
  | 'unknown-outcome';

/** Base of every error that a store or dispatcher of ours throws on purpose. */
export class TaskStoreError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The request itself is wrong, whatever the store holds. */
export class InvalidArgumentError extends TaskStoreError {
  constructor(message: string) {
    super('invalid-argument', message);
  }
}

/** No such task, or none that the caller may access: the two are one error (AUTH-9). */
export class TaskNotFoundError extends TaskStoreError {
  constructor() {
    super('not-found', 'Task not found');
  }
}

/** A create of an id that stands already. */
export class TaskAlreadyExistsError extends TaskStoreError {
  constructor() {
    super('already-exists', 'Task already exists');
  }
}

/** A conditional replace whose revision is not the current one; nothing was written. */
export class RevisionConflictError extends TaskStoreError {
  constructor() {
    super('revision-conflict', 'Task revision does not match');
  }
}

/** A cancel of a task in a terminal state; nothing was written. */
export class TaskNotCancelableError extends TaskStoreError {
  constructor() {
    super('not-cancelable', 'Task cannot be canceled');
  }
}

/** Our fault or the environment's. The cause is for logs and never crosses the wire (WIRE-3). */
export class InternalError extends TaskStoreError {
  constructor(message = 'Internal error', options?: ErrorOptions) {
    super('internal', message, options);
  }
}

/** The connection was lost after the write was sent: it took effect never, or once. */
export class UnknownOutcomeError extends TaskStoreError {
  constructor(options?: ErrorOptions) {
    super('unknown-outcome', 'The outcome of the write is unknown', options);
  }
}
