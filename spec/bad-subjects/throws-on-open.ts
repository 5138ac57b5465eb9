/** A subject whose store can't be opened. */
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  name: 'throws-on-open',
  async open() {
    throw new Error('connection refused');
  },
});
export default subject;
