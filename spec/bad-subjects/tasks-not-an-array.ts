/** A store whose pages hold an object where the tasks should be. */
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  name: 'tasks-not-an-array',
  open: async () => ({ create: async () => undefined, list: async () => ({ tasks: {} as never, nextPageToken: '' }) }),
});
export default subject;
