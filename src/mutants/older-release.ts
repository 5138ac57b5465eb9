/** Faults of the older release's listing, judged by its own profile: LEGACY-1 is a must there alone. */
import { createLegacySubject } from '../subject/legacy.ts';
import type { ListReply, SubjectStore } from '../subject/subject.ts';
import type { Mutant } from './mutant.ts';

type List = SubjectStore['list'];

function older(id: string, fault: string, change: (list: List) => List): Mutant {
  return {
    id,
    area: 'memory',
    profile: '0.5.2',
    fault,
    breaks: ['LEGACY-1'],
    subject: () => {
      const right = createLegacySubject();
      return {
        ...right,
        name: id,
        open: async () => {
          const store = await right.open();
          return { ...store, list: change((request, call) => store.list(request, call)) };
        },
      };
    },
  };
}

/** In the order of their rows. */
export const olderReleaseMutants: readonly Mutant[] = [
  older('OLD-01', 'the list begins with the task that was created last', (list) => async (request, call) => {
    const { pageToken = '', pageSize = 50 } = request;
    const asked = await list(request, call);
    const pages: ListReply[] = [];
    for (let token: string | undefined; token !== ''; token = pages.at(-1)?.nextPageToken)
      pages.push(await list({ ...request, pageSize: 100, pageToken: token ?? '' }, call));
    const offset = Number(pageToken);
    const tasks = pages.flatMap((page) => page.tasks).reverse();
    return { ...asked, tasks: tasks.slice(offset, offset + pageSize) };
  }),
  older('OLD-02', 'offsets count from one', (list) => async (request, call) => {
    const { pageToken = '' } = request;
    const offset = /^[1-9][0-9]*$/.test(pageToken) ? String(Number(pageToken) - 1) : pageToken;
    const page = await list({ ...request, pageToken: offset }, call);
    return { ...page, nextPageToken: page.nextPageToken && String(Number(page.nextPageToken) + 1) };
  }),
];
