/** A store whose lists are never answered. */
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({
  name: 'never-answers-list',
  open: async () => ({ create: async () => undefined, list: () => new Promise<never>(() => {}) }),
});
export default subject;
