/** The error that the command line prints as one line and exits with; defined where lower layers may throw it. */
export { type Misuse, UsageError, type UsageStatus } from '../subject/usage-error.ts';
