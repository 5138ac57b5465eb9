/**
 * The mutants of the agent: rows WIRE of the catalogue, and rows of our own from WIRE-31 on. Row 27 is a client's.
 */
import { createWireSubject } from '../subject/wire.ts';
import type { Mutant } from './mutant.ts';
import { wireMutant } from './wire-fault.ts';
import { wireFaults } from './wire-faults.ts';

/** A client that follows the last token for ever. */
const clientLoop: Mutant = {
  id: 'WIRE-27',
  area: 'wire',
  fault: 'the client keeps its token where the new one is empty',
  breaks: ['AUTH-8', 'TOKEN-1', 'TOKEN-6', 'WALK-1', 'WALK-2', 'WALK-4', 'WALK-5'],
  subject: () => {
    const right = createWireSubject('jsonrpc', undefined, { name: 'WIRE-27' });
    return {
      ...right,
      open: async () => {
        const store = await right.open();
        return {
          ...store,
          list: async (request, call) => {
            const page = await store.list(request, call);
            return { ...page, nextPageToken: page.nextPageToken || (request.pageToken ?? '') };
          },
        };
      },
    };
  },
};

/** Every mutant of the agent, in the order of its row. */
export const wireMutants: readonly Mutant[] = [...wireFaults.map(wireMutant), clientLoop].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
