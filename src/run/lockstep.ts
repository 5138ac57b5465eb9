/**
 * A program performed in lockstep with the model: after each operation the store's answer is compared with the one that
 * the model gives. No history is kept and no rule is asked; where an answer differs, that is for the checks to judge.
 */
import { compareKeys, type Key } from '../../models/key.ts';
import { matches } from '../../models/listing.ts';
import { type Expectation, expectMutation, type ModelOptions, type Mutation } from '../../models/task-store.ts';
import type { Contents } from '../history/history.ts';
import type { PageOptions, Program, Step } from '../history/program.ts';
import type { CallContext, ListReply, Subject, SubjectStore, WriteReply } from '../subject/subject.ts';
import { contentsFor, messageOf, showsContents, taskOf } from './content.ts';
import { errorResult } from './replies.ts';
import { requestOf } from './requests.ts';

/** How far a program came. */
export interface LockstepRun {
  /** Operations whose answers were compared. */
  readonly operations: number;
  /** The last of them was answered otherwise than by the model. */
  readonly differs: boolean;
  /** The answers to writes do not tell times: the store can't be followed in this way. */
  readonly blind: boolean;
}

/** A task as the model holds it: its time and revision are those that the store gave to its last write. */
interface Standing extends Key {
  readonly contents: Contents;
  readonly revision: string | undefined;
}

/** Where a walk stands. The boundary is the key that its last task had when the page was made. */
interface Position {
  readonly options: PageOptions;
  /** The token of its next page. */
  readonly token: string;
  readonly boundary: Key | undefined;
}

const call: CallContext = { client: 0 };
/** A revision that no store gives. */
const noRevision = '9007199254740991';

/** Performs one program; ends at the first answer that differs. The caller bounds the wait with `isOver`. */
export class Lockstep {
  readonly #subject: Subject;
  readonly #store: SubjectStore;
  readonly #program: Program;
  readonly #options: ModelOptions;
  readonly #tasks = new Map<string, Standing>();
  /** The same in list order. */
  readonly #order: Standing[] = [];
  readonly #walks = new Map<string, Position>();
  #operations = 0;
  #blind = false;

  constructor(subject: Subject, store: SubjectStore, program: Program, options: ModelOptions) {
    this.#subject = subject;
    this.#store = store;
    this.#program = program;
    this.#options = options;
  }

  async run(isOver: () => boolean): Promise<LockstepRun> {
    let agrees = true;
    const steps = this.#program.clients[0] ?? [];
    for (let at = 0; at < steps.length && agrees && !this.#blind && !isOver(); at++)
      agrees = await this.#perform(steps[at] as Step, at);
    return { operations: this.#operations, differs: !agrees, blind: this.#blind };
  }

  /** Answers at once where there is nothing to wait for. */
  #perform(step: Step, at: number): Promise<boolean> | boolean {
    const store = this.#store;
    switch (step.op) {
      case 'create': {
        const contents = contentsFor(this.#idOf(step.task), step.content, `0.${at}`);
        return this.#mutate({ op: 'create', contents }, () => store.create(taskOf(contents), call));
      }
      case 'replace': {
        const { replace } = store;
        const contents = contentsFor(this.#idOf(step.task), step.content, `0.${at}`);
        const ifRevision =
          step.revision === 'current' ? (this.#tasks.get(contents.id)?.revision ?? noRevision) : noRevision;
        const condition = step.revision === undefined ? {} : { ifRevision };
        if (replace === undefined || (step.revision !== undefined && !this.#subject.capabilities.revisions))
          return true;
        return this.#mutate({ op: 'replace', contents, ...condition }, () =>
          replace.call(store, taskOf(contents), condition, call),
        );
      }
      case 'append': {
        const { append } = store;
        const { message } = step;
        const id = this.#idOf(step.task);
        const before = this.#tasks.get(id)?.contents;
        if (append === undefined) return true;
        if (before?.history.includes(message) === true && !this.#options.deduplicates) return true;
        return this.#mutate({ op: 'append', id, message }, () =>
          append.call(store, id, messageOf(message, { id, context: before?.context ?? '' }), call),
        );
      }
      case 'cancel': {
        const { cancel } = store;
        const { timestamp } = step;
        const id = this.#idOf(step.task);
        if (cancel === undefined || timestamp === undefined) return true;
        return this.#mutate({ op: 'cancel', id, timestamp }, () => cancel.call(store, id, { timestamp }, call));
      }
      case 'delete': {
        const { delete: remove } = store;
        const id = this.#idOf(step.task);
        if (remove === undefined) return true;
        return this.#mutate({ op: 'delete', id }, () => remove.call(store, id, call) as Promise<undefined>);
      }
      case 'get':
        return this.#get(this.#idOf(step.task));
      case 'first':
        return this.#list(step.walk, { options: step, token: '', boundary: undefined });
      case 'next': {
        const position = this.#walks.get(step.walk);
        return position === undefined ? true : this.#list(step.walk, position);
      }
      case 'clock':
        return this.#setClock(BigInt(step.micros));
      default:
        throw new TypeError(`a step that the model can't follow: ${step.op}`);
    }
  }

  async #setClock(micros: bigint): Promise<boolean> {
    try {
      await this.#store.setClock?.(micros);
      return true;
    } catch {
      return false;
    }
  }

  async #mutate(mutation: Mutation, perform: () => Promise<WriteReply | undefined>): Promise<boolean> {
    const id = 'contents' in mutation ? mutation.contents.id : mutation.id;
    const before = this.#tasks.get(id);
    const expectation = expectMutation(mutation, before, this.#options);
    this.#operations++;
    let reply: WriteReply | undefined;
    try {
      reply = await perform();
    } catch (error) {
      return this.#isRefusal(expectation, error);
    }
    switch (expectation.kind) {
      case 'refuse':
        return false;
      case 'remove':
        this.#replace(before, undefined);
        return true;
      case 'nothing':
        return reply?.lastUpdatedMicros === undefined || reply.lastUpdatedMicros === before?.micros;
      case 'write': {
        const { lastUpdatedMicros: micros } = reply ?? {};
        // Of a store that declares no revisions, what it calls one may be anything.
        const revision = this.#subject.capabilities.revisions ? reply?.revision : undefined;
        if (typeof micros !== 'bigint') {
          this.#blind = true;
          return true;
        }
        if (
          before !== undefined &&
          (micros <= before.micros || (revision !== undefined && revision === before.revision))
        )
          return false;
        this.#replace(before, { id, micros, revision, contents: expectation.contents });
        return true;
      }
    }
  }

  #isRefusal(expectation: Expectation, error: unknown): boolean {
    const result = errorResult(this.#subject, error);
    const code = result.kind === 'error' ? result.code : '';
    if (expectation.kind === 'refuse') return code === expectation.code;
    return expectation.kind === 'write' && expectation.orRefuse === code;
  }

  async #get(id: string): Promise<boolean> {
    const { get } = this.#store;
    if (get === undefined) return true;
    this.#operations++;
    const standing = this.#tasks.get(id);
    try {
      const reply = await get.call(this.#store, id, call);
      if (standing === undefined || reply === undefined) return standing === reply;
      return (
        showsContents(reply.task, standing.contents) &&
        (reply.lastUpdatedMicros === undefined || reply.lastUpdatedMicros === standing.micros) &&
        (reply.revision === undefined || standing.revision === undefined || reply.revision === standing.revision)
      );
    } catch {
      return false;
    }
  }

  async #list(walk: string, position: Position): Promise<boolean> {
    const { options, token } = position;
    this.#operations++;
    try {
      const reply = await this.#store.list(requestOf(options, token), call);
      const shown = this.#shows(reply, position);
      const { nextPageToken } = reply;
      if (!shown.agrees || typeof nextPageToken !== 'string') return false;
      if (nextPageToken === '') this.#walks.delete(walk);
      else this.#walks.set(walk, { options, token: nextPageToken, boundary: shown.boundary });
      return true;
    } catch {
      // An error, or an answer that is none.
      return false;
    }
  }

  /** Whether a page is the model's, and the boundary that it ends at. One pass over the tasks that stand. */
  #shows(
    { tasks, taskCursors, nextPageToken, totalSize }: ListReply,
    { options, boundary }: Position,
  ): { readonly agrees: boolean; readonly boundary: Key | undefined } {
    const { filter, pageSize = 50 } = options;
    let total = 0;
    let shown = 0;
    let more = false;
    let last: Key | undefined;
    let agrees = Array.isArray(tasks);
    for (const standing of this.#order) {
      if (!agrees) break;
      if (filter !== undefined && !matches(standing.contents, filter)) continue;
      total++;
      if (boundary !== undefined && compareKeys(boundary, standing) >= 0) continue;
      if (shown === pageSize) {
        more = true;
        continue;
      }
      const task = tasks[shown];
      const cursor = taskCursors?.[shown];
      shown++;
      last = standing;
      agrees =
        task !== undefined &&
        showsContents(task, standing.contents) &&
        (taskCursors === undefined || (cursor?.id === standing.id && cursor.lastUpdatedMicros === standing.micros));
    }
    // Behind a page that is not full, one that is empty may come (WALK-5, WALK-6).
    const isTokenRight = nextPageToken === '' ? !more : more || (shown > 0 && shown < pageSize);
    agrees =
      agrees &&
      tasks.length === shown &&
      isTokenRight &&
      (options.total === false || !this.#subject.capabilities.totals || totalSize === total);
    return { agrees, boundary: last ?? boundary };
  }

  #replace(before: Standing | undefined, after: Standing | undefined): void {
    const order = this.#order;
    if (before !== undefined) order.splice(order.indexOf(before), 1);
    if (after === undefined) {
      if (before !== undefined) this.#tasks.delete(before.id);
      return;
    }
    let at = 0;
    while (at < order.length && compareKeys(order[at] as Standing, after) < 0) at++;
    order.splice(at, 0, after);
    this.#tasks.set(after.id, after);
  }

  #idOf(label: string): string {
    return this.#program.tasks[label] ?? label;
  }
}
