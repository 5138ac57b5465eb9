/** Rows of our own, AUTH-71 and on: dispatchers that break one rule alone. */
import { dispatcherParts } from '../dispatcher/context.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import { answering, around, type DispatcherFault } from './dispatcher-fault.ts';

/** In the order of the rules. */
export const loneAuthorizationFaults: readonly DispatcherFault[] = [
  {
    id: 'AUTH-71',
    fault: 'a token is refused with another page size than the one it came with',
    breaks: ['TOKEN-1'],
    options: around((dispatcher) => {
      // A token that was given to several requests is left alone: which of them it comes from can't be seen.
      const given = new Map<string, { readonly pageSize: number; readonly asked: string }>();
      return {
        list: async (caller, request, signal) => {
          const { pageToken = '', pageSize = 50, includeTotalSize: _, ...filters } = request;
          const asked = JSON.stringify([caller, filters]);
          const before = given.get(pageToken);
          if (before?.asked === asked && before.pageSize !== pageSize)
            throw new InvalidArgumentError('Invalid page token');
          const page = await dispatcher.list(caller, request, signal);
          const known = given.get(page.nextPageToken)?.asked ?? asked;
          if (page.nextPageToken !== '')
            given.set(page.nextPageToken, { pageSize, asked: known === asked ? asked : 'several' });
          return page;
        },
      };
    }),
  },
  {
    id: 'AUTH-72',
    fault: 'the policy is asked about somebody else first, and that answer dropped',
    breaks: ['AUTH-2'],
    options: answering(async (access, caller, scope, tasks) => {
      await access.allows('somebody else', scope, tasks);
      return dispatcherParts.allows(access, caller, scope, tasks);
    }),
  },
  {
    id: 'AUTH-73',
    fault: 'the revision that an append answers with counts the tasks of everybody',
    breaks: ['AUTH-8'],
    options: around((dispatcher) => {
      let created = 0;
      return {
        create: async (caller, task) => {
          const stored = await dispatcher.create(caller, task);
          created++;
          return stored;
        },
        append: async (caller, taskId, message) => {
          const { stored, deduplicated } = await dispatcher.append(caller, taskId, message);
          return { deduplicated, stored: { ...stored, revision: stored.revision + created } };
        },
      };
    }),
  },
];
