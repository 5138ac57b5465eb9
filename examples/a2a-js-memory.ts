/** The in-memory store of the released SDK: `npx pagecheck certify examples/a2a-js-memory.ts --profile a2a-1.0`. */
import { InMemoryTaskStore } from '@a2a-js/sdk/server';
import type { Subject } from '../src/index.ts';
import { createA2aJsSubject } from '../src/subject/a2a-js.ts';

const subject: Subject = createA2aJsSubject({
  name: '@a2a-js/sdk 1.3.0 InMemoryTaskStore',
  createStore: () => new InMemoryTaskStore(),
  // A Map keeps any id, and the token is made of the id's bytes.
  capabilities: { ids: { nul: true, maxBytes: 4096 } },
});
export default subject;
