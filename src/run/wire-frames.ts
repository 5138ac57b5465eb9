/** Messages of PostgreSQL's frontend/backend protocol 3.0 (manual, 55.7), as far as telling them apart goes. */

/** One message as it came: its type letter, empty for the untyped ones that begin a connection, and all its bytes. */
export interface Frame {
  readonly type: string;
  readonly bytes: Buffer;
}

/** What the first, untyped message of a connection asks for. */
export type Opening = 'startup' | 'encryption' | 'cancel';

const CANCEL = 80877102;
const SSL = 80877103;
const GSS = 80877104;

/** The longest message that PostgreSQL takes; a stream that says more is of another protocol. */
const MOST_BYTES = 0x3fffffff;

/** Cuts a stream into messages; the frontend's begins with untyped ones, until `typed` is called. */
export class FrameSplitter {
  #isTyped: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(side: 'frontend' | 'backend') {
    this.#isTyped = side === 'backend';
  }

  /** From here on messages have a type. */
  typed(): void {
    this.#isTyped = true;
  }

  /** Adds what came. */
  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
  }

  /** Takes the next whole message; undefined where there is none yet. Throws a `RangeError` on what is no message. */
  take(): Frame | undefined {
    const head = this.#isTyped ? 1 : 0;
    if (this.#rest.length < head + 4) return undefined;
    const length = this.#rest.readUInt32BE(head);
    if (length < 4 || length > MOST_BYTES) throw new RangeError(`a message of ${length} bytes`);
    const end = head + length;
    if (this.#rest.length < end) return undefined;
    const bytes = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    return { type: this.#isTyped ? String.fromCharCode(bytes[0] as number) : '', bytes };
  }
}

/** Tells what an untyped message opens. */
export function openingOf({ bytes }: Frame): Opening {
  const code = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0;
  if (code === SSL || code === GSS) return 'encryption';
  return code === CANCEL ? 'cancel' : 'startup';
}

/** How the end of the answer to a request is known: by ReadyForQuery, or by so many replies where no Sync asks for one. */
export type Completion = { readonly by: 'ready' } | { readonly by: 'replies'; readonly count: number };

/** What a client sends in one go and waits for: a simple query, or everything up to a Sync or a Flush. */
export interface WireRequest {
  readonly bytes: Buffer;
  readonly completion: Completion;
}

/** Messages that the server replies to one by one: Parse, Bind, Describe, Execute, Close. */
const replied = new Set(['P', 'B', 'D', 'E', 'C']);

/** The last messages of those replies; an Execute may send rows before it, a Describe of a statement its parameters. */
const replies = new Set(['1', '2', '3', 'T', 'n', 'C', 'I', 's']);

/** Puts a frontend's messages together to requests. */
export class RequestCollector {
  #frames: Frame[] = [];

  /** Takes a message; gives the request that it ends. */
  add(frame: Frame): WireRequest | undefined {
    this.#frames.push(frame);
    const { type } = frame;
    if (type !== 'Q' && type !== 'F' && type !== 'S' && type !== 'H') return undefined;
    const frames = this.#frames;
    this.#frames = [];
    const bytes = Buffer.concat(frames.map((one) => one.bytes));
    const count = frames.filter((one) => replied.has(one.type)).length;
    return { bytes, completion: type === 'H' ? { by: 'replies', count } : { by: 'ready' } };
  }
}

/** Follows the answer to one request. */
export class AnswerFollower {
  readonly #completion: Completion;
  #replies = 0;

  constructor(completion: Completion) {
    this.#completion = completion;
  }

  /** Takes a backend's message; true where the answer ends with it. After an error nothing but a Sync is answered. */
  ends({ type }: Pick<Frame, 'type'>): boolean {
    if (type === 'Z' || this.#completion.by === 'ready') return type === 'Z';
    if (replies.has(type)) this.#replies++;
    return type === 'E' || this.#replies >= this.#completion.count;
  }

  /** Nothing is answered to it at all. */
  get isDone(): boolean {
    return this.#completion.by === 'replies' && this.#completion.count === 0;
  }
}
