/** What the program stands on is missing or refuses: not a finding about a store. */

/** The environment failed: no server, no rights, no binaries. The message says what was tried and what to do. */
export class EnvironmentError extends Error {
  /** The exit status that the command line gives it. */
  readonly status = 4;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EnvironmentError';
  }
}
