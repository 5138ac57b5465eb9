/** A store that answers undefined to a list. */
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  name: 'list-returns-undefined',
  open: async () => ({ create: async () => undefined, list: async () => undefined as never }),
});
export default subject;
