/** The error that the command line prints as one line and exits with; defined where lower layers may throw it. */
export { UsageError } from '../subject/usage-error.ts';
