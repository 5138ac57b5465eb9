/** Page token v1: the one spelling of a boundary. */
import type { TaskCursor } from '../task/task.ts';

export declare function encodePageToken(cursor: TaskCursor): string;
export declare function decodePageToken(token: string): TaskCursor;
