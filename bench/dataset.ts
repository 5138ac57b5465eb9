/** The tasks that stores are measured with. */
import { type Message, type Task, TaskState } from '../src/task/task.ts';

/** Numbers from a seed, each below the bound asked for: the same ones in every run. */
export function seededNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** The id of the task at a place; ids of one dataset sort as their places do. */
export function idAt(place: number): string {
  return `task-${String(place).padStart(8, '0')}`;
}

/**
 * A small task of a plausible shape: a status message, two messages of one text part each, one artifact, a little
 * metadata. One context holds about a hundred tasks. `status.timestamp` grows with the place, a millisecond each.
 */
export function taskAt(place: number): Task {
  const id = idAt(place);
  const contextId = `context-${Math.floor(place / 100)}`;
  const message = (kind: string, role: number): Message => ({
    messageId: `${id}-${kind}`,
    contextId,
    taskId: id,
    role,
    parts: [textPart(`The ${kind} of task ${place}, long enough to be a sentence.`)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  return {
    id,
    contextId,
    status: {
      state: place % 3 === 0 ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_WORKING,
      message: message('status', 2),
      timestamp: new Date(1_700_000_000_000 + place).toISOString(),
    },
    artifacts: [
      {
        artifactId: `${id}-artifact`,
        name: 'result',
        description: '',
        parts: [textPart(`Result ${place}`)],
        metadata: undefined,
        extensions: [],
      },
    ],
    history: [message('question', 1), message('answer', 2)],
    metadata: { owner: `user-${place % 17}`, attempt: 1, labels: ['a', 'b'] },
  };
}

function textPart(value: string): Message['parts'][number] {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}
