/** Performs the steps of a program against an open store and records what happened, entry by entry. */
import type { BeneathCall, Entry, ListOperation, Operation, Result } from '../history/history.ts';
import type { PageOptions, Program, Step, TaskLabel } from '../history/program.ts';
import type { CallContext, Subject, SubjectStore } from '../subject/subject.ts';
import { Underneath } from './beneath.ts';
import { contentsFor, messageOf, tamper, taskOf } from './content.ts';
import type { Deadline } from './deadline.ts';
import { errorResult, pageResult, readResult, writtenResult } from './replies.ts';
import { filledId, filledIds, listFields, pageOptions, requestOf, withStatusTime } from './requests.ts';
import { SubjectFault } from './subject-fault.ts';
import { hasEnded, type TaskView, viewAfter } from './task-view.ts';
import { wallClockMoves } from './wall-clock.ts';

/** Where a walk stands: its latest page's token, and whose it is. */
interface WalkPosition {
  readonly name: string;
  readonly options: PageOptions;
  readonly page: number;
  readonly token: string;
  readonly tokenFrom: number;
  /** The id of the last task of the latest page that had one. */
  readonly boundary: string | undefined;
}

/** The most pages that a `walk` step follows: one each task, and more (WALK-5); of hundreds, what short pages may need. */
function pageBound(tasks: number, pageSize = 50): number {
  return Math.min(tasks + 3, 2 * Math.ceil(tasks / pageSize) + 40);
}

/**
 * One run of one program: holds what references resolve to. Clients share it, and with it the task labels; each has
 * walks of its own. Every answer becomes an entry; a `SubjectFault` ends the run.
 */
export class Executor {
  readonly entries: Entry[] = [];
  readonly #subject: Subject;
  readonly #store: SubjectStore;
  readonly #program: Program;
  readonly #deadline: Deadline;
  readonly #views = new Map<string, TaskView>();
  readonly #walks = new Map<string, WalkPosition>();
  readonly #pushPages: { id: string; token: string; tokenFrom: number }[] = [];
  readonly #underneath: Underneath | undefined;
  #instant = 0;
  #walkCount = 0;

  constructor(subject: Subject, store: SubjectStore, program: Program, deadline: Deadline) {
    this.#subject = subject;
    this.#store = store;
    this.#program = program;
    this.#deadline = deadline;
    this.#underneath =
      store.beneath &&
      new Underneath(store.beneath, async (plan) => {
        for (const step of plan.do) await this.perform(0, -1, step);
      });
  }

  /** Performs one step of one client; resolves when its last operation has returned. */
  async perform(client: number, index: number, given: Step): Promise<void> {
    const at = { client, step: index };
    const step = withStatusTime(given, (task) => this.#views.get(this.#idOf(at, task) ?? '')?.contents.timestamp);
    if (step === undefined) return;
    switch (step.op) {
      case 'create':
      case 'replace':
        return this.#write(at, step);
      case 'append':
      case 'cancel':
      case 'delete':
      case 'get':
        return this.#touch(at, step);
      case 'first':
        await this.#start(at, step.walk, step);
        return;
      case 'next':
        await this.#continue(at, step.walk, step.pageSize);
        return;
      case 'walk':
        return this.#follow(at, step);
      case 'peek': {
        const walk = this.#walks.get(walkKey(client, step.walk));
        if (walk === undefined || walk.token === '') return;
        const { op: _, walk: __, ...options } = step;
        await this.#list(at, {
          op: 'list',
          token: walk.token,
          tokenFrom: walk.tokenFrom,
          ...listFields({ ...walk.options, ...options }),
        });
        return;
      }
      case 'token': {
        const { op: _, token, means, ...options } = step;
        await this.#list(at, { op: 'list', token, ...(means === undefined ? {} : { means }), ...listFields(options) });
        return;
      }
      case 'fill':
        return this.#fill(at, step);
      case 'push':
      case 'push-list':
        return this.#push(at, step);
      case 'push-token': {
        const { op: _, ...options } = step;
        const token = this.#pushPages.at(-1)?.token;
        if (token === undefined || token === '') return;
        await this.#list(at, { op: 'list', token, means: { kind: 'push' }, ...listFields(options) });
        return;
      }
      case 'raw':
        return this.#raw(at, step);
      default:
        return this.#environment(at, step);
    }
  }

  async #write(at: At, step: Extract<Step, { op: 'create' | 'replace' }>): Promise<void> {
    const id = this.#idOf(at, step.task);
    if (id === undefined) return;
    const view = this.#views.get(id);
    const note = `${at.client}.${at.step}`;
    const contents =
      step.op === 'replace' && step.content === undefined
        ? (view?.contents ?? contentsFor(id, undefined, note))
        : contentsFor(id, step.content, note);
    const caller = step.caller === undefined ? {} : { caller: step.caller };
    // Where a create writes over what stands, it is the replace of a store that has none.
    const { replace } = this.#store;
    const writesOver = this.#subject.capabilities.create === 'upsert' && replace === undefined;
    if (step.op === 'create' || (writesOver && step.revision === undefined)) {
      await this.#mutate(at, { op: 'create', contents, ...caller });
      return;
    }
    if (replace === undefined) return;
    if (step.revision !== undefined && !this.#subject.capabilities.revisions) return;
    const ifRevision =
      step.revision === 'current'
        ? view?.revision
        : step.revision === 'stale'
          ? (view?.older ?? noRevision)
          : undefined;
    if (step.revision === 'current' && ifRevision === undefined) return;
    await this.#mutate(at, { op: 'replace', contents, ...(ifRevision === undefined ? {} : { ifRevision }), ...caller });
  }

  async #touch(at: At, step: Extract<Step, { op: 'append' | 'cancel' | 'delete' | 'get' }>): Promise<void> {
    if (this.#store[step.op] === undefined) return;
    const id = this.#idOf(at, step.task);
    if (id === undefined) return;
    const caller = step.caller === undefined ? {} : { caller: step.caller };
    if (step.op === 'append') {
      const contents = this.#views.get(id)?.contents;
      const known = contents?.history.includes(step.message) === true;
      // A message to an agent continues a task that has not ended, and no other.
      if (this.#subject.capabilities.agent === true && (contents === undefined || hasEnded(contents))) return;
      // A subject that declares nothing of repeated messages may add them again, or not.
      if (known && !this.#subject.capabilities.deduplicates) return;
      // An append to a task that is not there has no context to name, which is all that the message needs it for.
      await this.#mutate(at, { op: 'append', id, message: step.message, ...caller });
    } else if (step.op === 'cancel') {
      await this.#mutate(at, { op: 'cancel', id, timestamp: step.timestamp ?? new Date().toISOString(), ...caller });
    } else if (step.op === 'delete') {
      await this.#mutate(at, { op: 'delete', id, ...caller });
    } else {
      await this.#record(at, { op: 'get', id, ...caller }, (call) => this.#get(id, call));
    }
  }

  /** Performs a mutation and, where it took effect, moves the clients' view of the task. */
  async #mutate(
    at: At,
    operation: Extract<Operation, { op: 'create' | 'replace' | 'append' | 'cancel' | 'delete' }>,
  ): Promise<void> {
    const entry = await this.#record(at, operation, (call) => this.#callMutation(operation, call));
    const result = entry.result;
    if (result.kind !== 'written' && result.kind !== 'done') return;
    const id = 'contents' in operation ? operation.contents.id : operation.id;
    const view = this.#views.get(id);
    if (operation.op === 'delete') {
      this.#views.delete(id);
      return;
    }
    const revision = result.kind === 'written' ? result.revision : undefined;
    const older = view?.revision !== undefined && view.revision !== revision ? view.revision : view?.older;
    const decided = result.kind === 'written' ? result.contents : undefined;
    const contents = decided ?? viewAfter(operation, view?.contents);
    if (contents !== undefined) this.#views.set(id, { contents, revision, older });
  }

  async #callMutation(operation: Operation, call: CallContext): Promise<Result> {
    const store = this.#store;
    switch (operation.op) {
      case 'create':
      case 'replace': {
        const task = taskOf(operation.contents);
        const reply =
          operation.op === 'create'
            ? await store.create(task, call)
            : await store.replace?.(
                task,
                operation.ifRevision === undefined ? {} : { ifRevision: operation.ifRevision },
                call,
              );
        if (this.#program.tamper === true) tamper(task);
        return writtenResult(operation.op, reply);
      }
      case 'append': {
        const context = this.#views.get(operation.id)?.contents.context ?? '';
        const message = messageOf(operation.message, { id: operation.id, context });
        const reply = await store.append?.(operation.id, message, call);
        if (this.#program.tamper === true) message.messageId = 'tampered';
        return writtenResult('append', reply);
      }
      case 'cancel':
        return writtenResult(
          'cancel',
          await store.cancel?.(
            operation.id,
            operation.timestamp === undefined ? {} : { timestamp: operation.timestamp },
            call,
          ),
        );
      case 'delete':
        await store.delete?.(operation.id, call);
        return { kind: 'done' };
      default:
        throw new TypeError(`not a mutation: ${operation.op}`);
    }
  }

  async #get(id: string, call: CallContext): Promise<Result> {
    const reply = await this.#store.get?.(id, call);
    const result = readResult(reply);
    if (this.#program.tamper === true && reply !== undefined) tamper(reply.task);
    return result;
  }

  async #start(at: At, label: string, options: PageOptions): Promise<WalkPosition | undefined> {
    const name = `${label}${this.#walkCount++}`;
    return this.#page(
      at,
      walkKey(at.client, label),
      { name, options: pageOptions(options), page: -1, token: '', tokenFrom: -1, boundary: undefined },
      options.pageSize,
    );
  }

  async #continue(at: At, label: string, pageSize: number | undefined): Promise<WalkPosition | undefined> {
    const key = walkKey(at.client, label);
    const walk = this.#walks.get(key);
    if (walk === undefined || walk.token === '') return undefined;
    return this.#page(at, key, walk, pageSize ?? walk.options.pageSize);
  }

  async #follow(at: At, step: Extract<Step, { op: 'walk' }>): Promise<void> {
    const begun = this.#walks.get(walkKey(at.client, step.walk));
    let walk = begun === undefined || begun.token === '' ? await this.#start(at, step.walk, step) : begun;
    for (
      let pages = 0;
      walk !== undefined && walk.token !== '' && pages < pageBound(this.#views.size, step.pageSize);
      pages++
    ) {
      walk = await this.#continue(at, step.walk, step.pageSize);
    }
  }

  /** Asks for the page after `walk` and moves the walk; a failed call ends it. */
  async #page(
    at: At,
    key: string,
    walk: WalkPosition,
    pageSize: number | undefined,
  ): Promise<WalkPosition | undefined> {
    const source = walk.page < 0 ? {} : { token: walk.token, tokenFrom: walk.tokenFrom };
    const size = pageSize === undefined ? {} : { pageSize };
    const operation: ListOperation = {
      op: 'list',
      walk: walk.name,
      page: walk.page + 1,
      ...source,
      ...listFields(walk.options),
      ...size,
    };
    const entry = await this.#list(at, operation);
    if (entry.result.kind !== 'page') {
      this.#walks.delete(key);
      return undefined;
    }
    const moved = {
      ...walk,
      page: walk.page + 1,
      token: entry.result.nextToken,
      tokenFrom: entry.index,
      boundary: entry.result.items.at(-1)?.id ?? walk.boundary,
    };
    this.#walks.set(key, moved);
    return moved;
  }

  #list(at: At, operation: ListOperation): Promise<Entry> {
    return this.#record(at, operation, async (call) => {
      const reply = await this.#store.list(requestOf(operation), call);
      const result = pageResult(reply);
      if (this.#program.tamper === true && result.kind === 'page') for (const task of reply.tasks) tamper(task);
      return result;
    });
  }

  async #fill(at: At, step: Extract<Step, { op: 'fill' }>): Promise<void> {
    for (let number = 0; number < step.count; number++) {
      const id = filledId(this.#idOf(at, step.task) ?? step.task, number);
      const content = step.context === undefined ? {} : { context: step.context };
      await this.#mutate(at, { op: 'create', contents: contentsFor(id, content, `${at.client}.${at.step}`) });
    }
  }

  async #push(at: At, step: Extract<Step, { op: 'push' | 'push-list' }>): Promise<void> {
    const { push } = this.#store;
    const id = this.#idOf(at, step.task);
    if (push === undefined || id === undefined) return;
    const caller = step.caller === undefined ? {} : { caller: step.caller };
    if (step.op === 'push') {
      const { verb, config } = step;
      await this.#record(at, { op: 'push', verb, id, config, ...caller }, async (call) =>
        done(await push[verb](id, config, call)),
      );
      return;
    }
    const source =
      step.from === 'next'
        ? this.#pushPages.findLast((page) => page.id === id)
        : step.from === 'walk'
          ? this.#walks.get(walkKey(at.client, step.walk ?? ''))
          : undefined;
    if (step.from !== undefined && (source === undefined || source.token === '')) return;
    const page = {
      ...(step.pageSize === undefined ? {} : { pageSize: step.pageSize }),
      ...(source === undefined ? {} : { token: source.token }),
    };
    const from = source === undefined ? {} : { tokenFrom: source.tokenFrom };
    const entry = await this.#record(at, { op: 'push-list', id, ...page, ...from, ...caller }, async (call) => {
      const asked = { ...(page.pageSize !== undefined && { pageSize: page.pageSize }), pageToken: page.token ?? '' };
      const { configs, nextPageToken } = await push.list(id, asked, call);
      return { kind: 'push-page', configs: [...configs], nextToken: nextPageToken };
    });
    if (entry.result.kind === 'push-page')
      this.#pushPages.push({ id, token: entry.result.nextToken, tokenFrom: entry.index });
  }

  async #raw(at: At, step: Extract<Step, { op: 'raw' }>): Promise<void> {
    const { raw } = this.#store;
    if (raw === undefined) return;
    await this.#record(at, step, async (call) => {
      const { transport, method, fields } = step;
      return { kind: 'raw', ...(await raw({ transport, method, fields }, call)) };
    });
  }

  async #environment(
    at: At,
    step: Extract<Step, { op: 'clock' | 'tick' | 'allow' | 'deny' | 'restart' | 'scope' | 'beneath' | 'database' }>,
  ): Promise<void> {
    const store = this.#store;
    switch (step.op) {
      case 'clock': {
        if (store.setClock === undefined) return;
        const micros = BigInt(step.micros);
        const { clockFrom } = this.#subject.capabilities;
        if (clockFrom !== undefined && micros < clockFrom) return;
        await this.#record(at, { op: 'clock', micros }, async () => done(await store.setClock?.(micros)));
        return;
      }
      case 'tick': {
        if (store.setClock !== undefined) return;
        await this.#record(at, { op: 'tick' }, async () => done(await wallClockMoves()));
        return;
      }
      case 'allow':
      case 'deny': {
        if (store.setAccess === undefined) return;
        const { caller } = step;
        const first = this.#idOf(at, step.task);
        if (first === undefined) return;
        const allowed = step.op === 'allow';
        const ids = step.count === undefined ? [first] : filledIds(first, step.count);
        for (const id of ids) {
          await this.#record(at, { op: 'access', id, caller, allowed }, async () =>
            done(await store.setAccess?.(caller, id, allowed)),
          );
        }
        return;
      }
      case 'scope': {
        if (store.setScope === undefined) return;
        const { caller, contexts } = step;
        await this.#record(at, { op: 'scope', caller, contexts }, async () =>
          done(await store.setScope?.(caller, contexts)),
        );
        return;
      }
      case 'beneath': {
        const { plan } = step;
        if (this.#underneath?.canTake(plan) !== true) return;
        await this.#record(at, { op: 'beneath', plan }, async () => done(this.#underneath?.take(plan)));
        return;
      }
      case 'database': {
        const { database } = store;
        if (database === undefined) return;
        const { do: act } = step;
        await this.#record(at, step, async () => ({ kind: 'database', sight: await database.perform(act) }));
        return;
      }
      case 'restart':
        if (store.restart === undefined) return;
        await this.#record(at, { op: 'restart' }, async () => done(await store.restart?.()));
    }
  }

  async #record(at: At, operation: Operation, perform: (call: CallContext) => Promise<Result>): Promise<Entry> {
    const caller = 'caller' in operation && operation.op !== 'access' ? operation.caller : undefined;
    const context: CallContext = caller === undefined ? { client: at.client } : { client: at.client, caller };
    const before = this.#program.counters === true ? this.#store.counters?.() : undefined;
    const call = this.#instant++;
    let result: Result;
    let beneath: readonly BeneathCall[] | undefined;
    try {
      // What is done to a database takes its time, and bounds its own waits: the store's limit is not meant for it.
      const answer = () =>
        operation.op === 'database'
          ? perform(context)
          : this.#deadline.within(`${this.#subject.name}: ${operation.op}`, perform(context));
      if (this.#underneath === undefined) {
        result = await answer();
      } else {
        // What was asked beneath is kept where the call fails as well.
        const seen = await this.#underneath.during(() =>
          answer().then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          ),
        );
        beneath = seen.calls;
        if ('error' in seen.value) throw seen.value.error;
        result = seen.value.value;
      }
    } catch (error) {
      if (error instanceof SubjectFault) throw error.kind === 'interface' ? this.#named(error) : error;
      result = errorResult(this.#subject, error);
    }
    const moved = before === undefined ? {} : { counters: difference(before, this.#store.counters?.() ?? {}) };
    const entry: Entry = {
      index: this.entries.length,
      client: at.client,
      step: at.step,
      call,
      return: this.#instant++,
      operation,
      result,
      ...moved,
      ...(beneath === undefined ? {} : { beneath }),
    };
    this.entries.push(entry);
    return entry;
  }

  #named(fault: SubjectFault): SubjectFault {
    return new SubjectFault('interface', `${this.#subject.name}: ${fault.message}`);
  }

  /** The id of a label; `@w` is the boundary task of the client's walk `w`, undefined where it has none. */
  #idOf(at: At, label: TaskLabel): string | undefined {
    if (!label.startsWith('@')) return this.#program.tasks[label] ?? label;
    return this.#walks.get(walkKey(at.client, label.slice(1)))?.boundary;
  }
}

interface At {
  readonly client: number;
  readonly step: number;
}

/** A revision that no store gives. */
const noRevision = '9007199254740991';

function walkKey(client: number, label: string): string {
  return `${client} ${label}`;
}

function done(_: unknown): Result {
  return { kind: 'done' };
}

function difference(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}
