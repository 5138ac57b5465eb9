/** The older release's listing as a subject: it passes profile 0.5.2 and fails 0.6. */
import { createLegacyTaskStore } from '../store/legacy.ts';
import { memoryCapabilities } from './memory.ts';
import type { Subject } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

/** Makes the subject `legacy`: no clock, no cursors, tokens that are offsets. */
export function createLegacySubject(): Subject {
  return {
    name: 'legacy',
    capabilities: { ...memoryCapabilities, scope: ['I'], clock: false, boundaries: false, tokens: 'opaque' },
    open: async () => {
      const methods = storeMethods(createLegacyTaskStore());
      return {
        ...methods,
        list: async (request, call) => {
          const { taskCursors: _, ...page } = await methods.list(request, call);
          return page;
        },
      };
    },
  };
}
