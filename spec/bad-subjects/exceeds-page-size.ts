/** A store that gives one task more than it was asked for. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'exceeds-page-size',
  async open() {
    const store = await mapStore.open();
    return {
      ...store,
      list: ({ pageSize = 50, ...request }, call) =>
        store.list({ ...request, pageSize: Math.min(pageSize + 1, 100) }, call),
    };
  },
});
export default subject;
