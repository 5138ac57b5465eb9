/** The same store in an older release, installed beside the newer one under an npm alias. */
import { InMemoryTaskStore } from 'a2a-js-sdk-1.0.1/server';
import type { Subject } from '../src/index.ts';
import { createA2aJsSubject } from '../src/subject/a2a-js.ts';

const subject: Subject = createA2aJsSubject({
  name: '@a2a-js/sdk 1.0.1 InMemoryTaskStore',
  createStore: () => new InMemoryTaskStore(),
  capabilities: { ids: { nul: true, maxBytes: 4096 } },
});
export default subject;
