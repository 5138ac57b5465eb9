/** A store whose last page leads back to its first. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'token-cycle',
  async open() {
    const store = await mapStore.open();
    return {
      ...store,
      async list(request, call) {
        const again = request.pageToken === 'first' ? { ...request, pageToken: '' } : request;
        const page = await store.list(again, call);
        return { ...page, nextPageToken: page.nextPageToken || 'first' };
      },
    };
  },
});
export default subject;
