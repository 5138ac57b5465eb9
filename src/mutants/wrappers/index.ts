/** Every fault wrapper. A new one is an entry in its family's file. */
import { costWrappers } from './costs.ts';
import { rowWrappers } from './rows.ts';
import { taskWrappers } from './tasks.ts';
import { tokenWrappers } from './tokens.ts';
import type { FaultWrapper } from './wrapper.ts';
import { writeWrappers } from './writes.ts';

export const faultWrappers: readonly FaultWrapper[] = [
  ...rowWrappers,
  ...tokenWrappers,
  ...writeWrappers,
  ...taskWrappers,
  ...costWrappers,
];
