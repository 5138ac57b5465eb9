/** A right store that says on standard error when it is listed first, so that a test knows that a run is under way. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

let said = false;

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'says-when-it-lists',
  async open() {
    const store = await mapStore.open();
    return {
      ...store,
      async list(request, call) {
        if (!said) process.stderr.write('listed\n');
        said = true;
        return store.list(request, call);
      },
    };
  },
});
export default subject;
