/** A store whose page tokens are numbers. */
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  name: 'token-not-a-string',
  open: async () => ({ create: async () => undefined, list: async () => ({ tasks: [], nextPageToken: 1 as never }) }),
});
export default subject;
