/** A store that leaves a promise behind which nobody looks after, and which rejects. */
import mapStore from '../../examples/map-store.subject.ts';
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  ...mapStore,
  name: 'rejects-later',
  async open() {
    void Promise.reject(new Error('pool exhausted'));
    return mapStore.open();
  },
});
export default subject;
