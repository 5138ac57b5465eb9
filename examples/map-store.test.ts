import { describeTaskStore } from '../src/vitest.ts';
import subject from './map-store.subject.ts';

describeTaskStore('a task store over a Map', subject, { runs: 1_000 });
