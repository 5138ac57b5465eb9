/** What `profile` tells the program that it profiles. */
import type { LoadSettings } from '../subject/load.ts';

/** The paging load: a store of so many tasks, walked in pages of this size for this time. */
export interface LoadOrder {
  readonly subject: string;
  readonly settings: LoadSettings;
  readonly tasks: number;
  readonly pageSize: number;
  readonly durationMs: number;
  /** End the process at once: what bubbleprof has under way of its own would keep it for ever. */
  readonly exitAtOnce: boolean;
}

/** The variable of the environment that holds the order, as JSON. */
export const orderVariable = 'PAGECHECK_PROFILE_LOAD';
