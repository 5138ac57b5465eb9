/** One connection through the schedule proxy: its requests wait for their turns, its answers pass. */
import net from 'node:net';
import type { Turns } from '../subject/subject.ts';
import {
  AnswerFollower,
  type Frame,
  FrameSplitter,
  openingOf,
  RequestCollector,
  type WireRequest,
} from './wire-frames.ts';

/**
 * What a connection is at: `idle` asks for nothing; `held` has a request that waits for its turn; `working` has one in
 * the server; `blocked` has one there that waits for a lock; `answered` was blocked, and its answer waits for its turn.
 */
export type ConnectionState = 'starting' | 'idle' | 'held' | 'working' | 'blocked' | 'answered' | 'closed';

/** ReadyForQuery's status `I`: outside of any transaction. */
const IDLE_STATUS = 0x49;

/** What a connection needs of its proxy. */
export interface ProxySide {
  readonly target: { readonly host: string; readonly port: number };
  /** The turns of the run under way; undefined where everything passes. */
  turns(): Turns | undefined;
  /** Something happened. */
  moved(): void;
}

/** One connection of a store, and the one to the server that stands for it. */
export class ProxiedConnection {
  state: ConnectionState = 'idle';
  /** The server process, once it has told. */
  pid: number | undefined;
  /** The client whose request was the last one. */
  owner: number | undefined;
  /** Requests that waited for a turn. */
  held = 0;
  readonly #proxy: ProxySide;
  readonly #near: net.Socket;
  #far: net.Socket | undefined;
  readonly #fromNear = new FrameSplitter('frontend');
  readonly #fromFar = new FrameSplitter('backend');
  readonly #collector = new RequestCollector();
  readonly #requests: { readonly request: WireRequest; readonly owner: number | undefined }[] = [];
  #answer: AnswerFollower | undefined;
  /** Collects the answer of a request that was blocked. */
  #withheld: Buffer[] | undefined;
  #isReady = false;
  #copies = false;
  #isInTransaction = false;

  constructor(proxy: ProxySide, near: net.Socket) {
    this.#proxy = proxy;
    this.#near = near;
    near.setNoDelay(true);
    near.on('data', (chunk: Buffer) => this.#guard(() => this.#ask(chunk)));
    near.on('error', () => this.close());
    near.on('close', () => this.close());
  }

  /** In an open transaction, whose locks others may wait for. */
  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  /** What the server says of its request: waits for a lock, or works. */
  sees(isBlocked: boolean): void {
    if (this.state !== 'working' && this.state !== 'blocked') return;
    this.state = isBlocked ? 'blocked' : 'working';
    // Its answer comes while another client goes on: two would go on at once.
    if (isBlocked) this.#withheld ??= [];
  }

  close(): void {
    this.#near.destroy();
    this.#far?.destroy();
    this.#ended();
  }

  #ended(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.#proxy.moved();
  }

  /** What is no PostgreSQL ends the connection, not the run. */
  #guard(work: () => void): void {
    try {
      work();
    } catch {
      this.close();
    }
  }

  #ask(chunk: Buffer): void {
    this.#fromNear.push(chunk);
    for (let frame = this.#fromNear.take(); frame !== undefined; frame = this.#fromNear.take()) {
      if (frame.type === '') this.#open(frame);
      else this.#take(frame);
    }
  }

  #open(frame: Frame): void {
    const opening = openingOf(frame);
    // Neither TLS nor GSS: the client goes on in plain text, or closes where it must not.
    if (opening === 'encryption') {
      this.#near.write('N');
      return;
    }
    this.#fromNear.typed();
    const far = net.connect(this.#proxy.target);
    this.#far = far;
    far.setNoDelay(true);
    far.on('data', (answer: Buffer) => this.#guard(() => this.#reply(answer)));
    far.on('error', () => this.close());
    far.on('close', () => {
      // What the server said last, such as why it ends the session, is still on its way.
      this.#near.end();
      this.#ended();
    });
    far.write(frame.bytes);
    if (opening === 'startup') this.state = 'starting';
    this.#proxy.moved();
  }

  #take(frame: Frame): void {
    const passes = !this.#isReady || this.#copies || 'dcf'.includes(frame.type) || frame.type === 'X';
    if (passes) {
      this.#far?.write(frame.bytes);
      return;
    }
    const request = this.#collector.add(frame);
    if (request === undefined) return;
    const turns = this.#proxy.turns();
    this.#requests.push({ request, owner: this.#isInTransaction ? (this.owner ?? turns?.current) : turns?.current });
    this.#proxy.moved();
    this.#next();
  }

  /** Lets the next request go on, when its turn has come. */
  #next(): void {
    if (this.state !== 'idle') return;
    const next = this.#requests.shift();
    if (next === undefined) return;
    const { request, owner } = next;
    this.owner = owner;
    const turns = this.#proxy.turns();
    if (turns === undefined || owner === undefined) {
      this.#send(request);
      return;
    }
    this.held++;
    this.state = 'held';
    turns.hold(owner).then(() => {
      if (this.state === 'held') this.#send(request);
    });
  }

  #send({ bytes, completion }: WireRequest): void {
    this.state = 'working';
    this.#answer = new AnswerFollower(completion);
    this.#far?.write(bytes);
    this.#proxy.moved();
    if (this.#answer.isDone) this.#finish();
  }

  #reply(chunk: Buffer): void {
    this.#fromFar.push(chunk);
    // What is withheld came before what passes: an answer is withheld to its end.
    const passed: Buffer[] = [];
    for (let frame = this.#fromFar.take(); frame !== undefined; frame = this.#fromFar.take()) {
      (this.#withheld ?? passed).push(frame.bytes);
      this.#follow(frame);
    }
    if (passed.length > 0) this.#near.write(Buffer.concat(passed));
  }

  #follow(frame: Frame): void {
    const { type, bytes } = frame;
    if (type === 'K') this.pid = bytes.readInt32BE(5);
    if (type === 'G' || type === 'W') {
      this.#copies = true;
      this.#release();
    }
    if (type === 'Z') {
      this.#copies = false;
      this.#isInTransaction = bytes[5] !== IDLE_STATUS;
    }
    if (this.#isReady) {
      if (this.#answer?.ends(frame) === true) this.#finish();
    } else if (type === 'Z') {
      this.#isReady = true;
      this.#settleIn();
    }
  }

  #settleIn(): void {
    this.state = 'idle';
    this.#proxy.moved();
    this.#next();
  }

  /** The answer is whole. */
  #finish(): void {
    this.#answer = undefined;
    const turns = this.#proxy.turns();
    if (this.#withheld !== undefined && turns !== undefined && this.owner !== undefined) {
      this.state = 'answered';
      this.#proxy.moved();
      turns.hold(this.owner).then(() => {
        if (this.state !== 'answered') return;
        this.#release();
        this.#settleIn();
      });
      return;
    }
    this.#release();
    // The answer goes out before the next request asks for its turn.
    queueMicrotask(() => {
      if (this.state === 'working' || this.state === 'blocked') this.#settleIn();
    });
  }

  #release(): void {
    const withheld = this.#withheld;
    this.#withheld = undefined;
    if (withheld !== undefined && withheld.length > 0) this.#near.write(Buffer.concat(withheld));
  }
}
