/** A store that answers, and throws in a timer of its own afterwards. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'fails-later',
  async open() {
    setImmediate(() => {
      throw new Error('connection lost');
    });
    return mapStore.open();
  },
});
export default subject;
