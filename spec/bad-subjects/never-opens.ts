/** A subject whose store is never opened. */
import { defineSubject, type Subject } from '../../src/subject/subject.ts';

const subject: Subject = defineSubject({ name: 'never-opens', open: () => new Promise<never>(() => {}) });
export default subject;
