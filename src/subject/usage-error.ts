/** A misuse of the harness: an argument, a file or a module that it can't work with. */

/** 3: bad usage. 4: the environment or the harness itself failed. */
export type UsageStatus = 3 | 4;

/** What is wrong, where it is wrong, and what to do about it. */
export interface Misuse {
  /** One clause, such as `is not valid JSON`. */
  readonly problem: string;
  /** The argument, file or field at fault, such as `known.json: known[2].rule`. */
  readonly where: string;
  /** One clause in the imperative, such as `name a rule of "pagecheck rules"`. */
  readonly remedy: string;
}

/**
 * An error that the user can mend. Its message is one line, `where problem: remedy`, and holds no stack; the command
 * line prints it and exits with its status. It lives beside the subjects since every layer from there up throws it.
 */
export class UsageError extends Error {
  readonly status: UsageStatus;

  constructor(misuse: Misuse, status: UsageStatus = 3, options?: ErrorOptions) {
    super(`${misuse.where} ${misuse.problem}: ${misuse.remedy}`, options);
    this.name = 'UsageError';
    this.status = status;
  }
}
