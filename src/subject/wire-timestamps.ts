/** How a harness's timestamps are spelled. gRPC carries instants; the harness compares the texts that it wrote. */
import { parseInstant } from '../store/instant.ts';
import type { Task } from '../task/task.ts';

/** Remembers the spelling of each task's timestamps. */
export interface TimestampSpellings {
  remember(taskId: string, timestamp: string | undefined): void;
  /** Gives the task with its status time as it was written, or with six fraction digits, as the store writes its own. */
  restore(task: Task): Task;
}

/** Makes an empty memory of spellings. */
export function createTimestampSpellings(): TimestampSpellings {
  const spellings = new Map<string, string>();
  return {
    remember(taskId, timestamp) {
      const key = timestamp && instantKey(taskId, timestamp);
      if (key) spellings.set(key, timestamp);
    },
    restore(task) {
      const timestamp = task.status?.timestamp;
      const key = timestamp && instantKey(task.id, timestamp);
      if (!task.status || !timestamp || !key) return task;
      return { ...task, status: { ...task.status, timestamp: spellings.get(key) ?? sixDigits(timestamp) } };
    },
  };
}

function instantKey(taskId: string, timestamp: string): string | undefined {
  const instant = parseInstant(timestamp);
  return instant && `${instant.seconds}.${instant.nanos} ${taskId}`;
}

function sixDigits(timestamp: string): string {
  const [whole = '', fraction = ''] = timestamp.slice(0, -1).split('.');
  return `${whole}.${fraction.padEnd(6, '0')}Z`;
}
