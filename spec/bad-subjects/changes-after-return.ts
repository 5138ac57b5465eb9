/** A store that empties a page after it has given it. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'changes-after-return',
  async open() {
    const store = await mapStore.open();
    return {
      ...store,
      async list(request, call) {
        const page = await store.list(request, call);
        const tasks = [...page.tasks];
        setImmediate(() => tasks.splice(0));
        return { ...page, tasks };
      },
    };
  },
});
export default subject;
