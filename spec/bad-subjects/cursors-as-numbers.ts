/** A store whose task cursors hold numbers where microseconds are bigints. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'cursors-as-numbers',
  async open() {
    const store = await mapStore.open();
    return {
      ...store,
      async list(request, call) {
        const { taskCursors = [], ...page } = await store.list(request, call);
        const cursors = taskCursors.map(({ id, lastUpdatedMicros }) => ({
          id,
          lastUpdatedMicros: Number(lastUpdatedMicros),
        }));
        return { ...page, taskCursors: cursors as never };
      },
    };
  },
});
export default subject;
