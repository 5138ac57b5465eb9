/** Tells small histories in few words: what a store holds is followed, so that a page says only what is wrong with it. */
import { compareKeys } from '../../models/key.ts';
import { matches } from '../../models/listing.ts';
import { encodePageToken } from '../../models/page-token.ts';
import type { Contents, Entry, History, ListOperation, Operation, PageResult, Result } from '../history/history.ts';
import type { Content, TokenMeaning } from '../history/program.ts';
import { contentsFor } from '../run/content.ts';
import { memoryCapabilities } from '../subject/memory.ts';
import type { Capabilities } from '../subject/subject.ts';
import { type CheckContext, modelOptions } from './check.ts';
import { costChecks, sequentialChecks } from './index.ts';
import type { Finding } from './verdict.ts';
import { observe } from './world.ts';

/** What a page says; what is absent is right. */
interface Said {
  readonly size?: number;
  readonly filter?: ListOperation['filter'];
  readonly caller?: string;
  /** The next token: absent, the boundary's where tasks are left. */
  readonly next?: string;
  readonly total?: number;
  /** No total was asked for. */
  readonly uncounted?: boolean;
  readonly cursors?: readonly (readonly [id: string, micros: bigint])[] | 'none';
  /** Contents that are not those that stand. */
  readonly items?: Readonly<Record<string, Partial<Contents>>>;
  readonly history?: number;
  readonly counters?: Readonly<Record<string, number>>;
  /** Ends the walk with this error instead of a page. */
  readonly error?: string;
}

interface Held {
  readonly contents: Contents;
  readonly micros: bigint | undefined;
}

/** One history in the making. Times are micros; a write without one shows none. */
export class Story {
  readonly #entries: Entry[] = [];
  readonly #held = new Map<string, Held>();
  readonly #walks = new Map<string, { name: string; page: number; token: string; from: number; said: Said }>();
  tampered = false;

  history(): History {
    return { entries: this.#entries, ...(this.tampered ? { tampered: true } : {}) };
  }

  /** Adds an entry as it is. */
  add(operation: Operation, result: Result, counters?: Readonly<Record<string, number>>): number {
    const index = this.#entries.length;
    const more = counters === undefined ? {} : { counters };
    this.#entries.push({
      index,
      client: 0,
      step: index,
      call: 2 * index,
      return: 2 * index + 1,
      operation,
      result,
      ...more,
    });
    return index;
  }

  create(id: string, micros?: bigint, content?: Content): this {
    const contents = contentsFor(id, content, `${this.#entries.length}`);
    return this.#write({ op: 'create', contents }, contents, micros);
  }

  replace(id: string, micros?: bigint, content?: Content): this {
    const contents = contentsFor(id, content, `${this.#entries.length}`);
    return this.#write({ op: 'replace', contents }, contents, micros);
  }

  append(id: string, message: string, micros?: bigint, more: Partial<Extract<Result, { kind: 'written' }>> = {}): this {
    const { contents } = this.#of(id);
    const known = contents.history.includes(message);
    const after = known ? contents : { ...contents, history: [...contents.history, message] };
    return this.#write({ op: 'append', id, message }, after, micros, more);
  }

  cancel(id: string, micros?: bigint): this {
    const after: Contents = { ...this.#of(id).contents, state: 'CANCELED', timestamp: '2001-01-01T00:00:00Z' };
    return this.#write({ op: 'cancel', id, timestamp: '2001-01-01T00:00:00Z' }, after, micros);
  }

  delete(id: string): this {
    this.#held.delete(id);
    this.add({ op: 'delete', id }, { kind: 'done' });
    return this;
  }

  /** An operation that failed, and left what there was. */
  refused(operation: Operation, code: string): this {
    this.add(operation, { kind: 'error', code, message: code });
    return this;
  }

  clock(micros: bigint): this {
    this.add({ op: 'clock', micros }, { kind: 'done' });
    return this;
  }

  tick(): this {
    this.add({ op: 'tick' }, { kind: 'done' });
    return this;
  }

  /** A read of what stands, or of something else. */
  get(id: string, other: Partial<Contents> & { readonly micros?: bigint; readonly revision?: string } = {}): this {
    const held = this.#held.get(id);
    const { micros = held?.micros, revision, ...contents } = other;
    const read =
      held === undefined && Object.keys(other).length === 0 ? {} : { contents: this.#contents(id, contents) };
    this.add(
      { op: 'get', id },
      {
        kind: 'read',
        ...read,
        ...(micros === undefined ? {} : { micros }),
        ...(revision === undefined ? {} : { revision }),
      },
    );
    return this;
  }

  /** A read that finds nothing. */
  lost(id: string): this {
    this.add({ op: 'get', id }, { kind: 'read' });
    return this;
  }

  /** The next page of a walk, or its first one; `ids` in the order shown. */
  page(walk: string, ids: string, said: Said = {}): this {
    const before = this.#walks.get(walk);
    const settings = before === undefined || before.token === '' ? said : { ...before.said, ...said };
    const isFirst = before === undefined || before.token === '';
    const name = isFirst ? `${walk}${this.#entries.length}` : before.name;
    const operation: ListOperation = {
      op: 'list',
      walk: name,
      page: isFirst ? 0 : before.page + 1,
      ...(isFirst ? {} : { token: before.token, tokenFrom: before.from }),
      ...asked(settings),
    };
    const from = this.#list(operation, ids, said);
    const { result } = this.#entries[from] as Entry;
    const token = result.kind === 'page' ? result.nextToken : '';
    this.#walks.set(walk, { name, page: operation.page ?? 0, token, from, said: settings });
    return this;
  }

  /** The walk's token once more, without moving the walk. */
  peek(walk: string, ids: string, said: Said = {}): this {
    const { token, from } = this.#walks.get(walk)!;
    this.#list({ op: 'list', token, tokenFrom: from, ...asked(said) }, ids, said);
    return this;
  }

  /** A token that no page gave. */
  token(token: string, means: TokenMeaning | undefined, ids: string, said: Said = {}): this {
    this.#list({ op: 'list', token, ...(means === undefined ? {} : { means }), ...asked(said) }, ids, said);
    return this;
  }

  #list(operation: ListOperation, shown: string, said: Said): number {
    if (said.error !== undefined)
      return this.add(operation, {
        kind: 'error',
        code: said.error,
        message: `${said.error} ${said.next ?? ''}`.trim(),
      });
    const ids = shown === '' ? [] : shown.split(' ');
    return this.add(operation, this.#pageOf(operation, ids, said), said.counters);
  }

  #pageOf(operation: ListOperation, ids: readonly string[], said: Said): PageResult {
    const all = [...this.#held.values()].filter(({ contents }) => matches(contents, operation.filter));
    const last = this.#held.get(ids.at(-1) ?? '');
    const left = all.filter(
      (one) => last !== undefined && compareKeys(keyOf(last), keyOf(one)) < 0 && !ids.includes(one.contents.id),
    );
    const rightToken =
      last !== undefined && left.length > 0
        ? encodePageToken({ id: last.contents.id, lastUpdatedMicros: last.micros ?? 0n })!
        : '';
    const times = ids.map((id) => [id, this.#held.get(id)?.micros] as const);
    const cursors = said.cursors ?? (times.every(([, micros]) => micros !== undefined) ? times : 'none');
    return {
      kind: 'page',
      items: ids.map((id) => ({ ...this.#contents(id, said.items?.[id]), artifacts: [] })),
      ...(cursors === 'none' ? {} : { cursors: cursors.map(([id, micros]) => ({ id, micros: micros! })) }),
      nextToken: said.next ?? rightToken,
      ...(said.uncounted === true ? {} : { totalSize: said.total ?? all.length }),
    };
  }

  #write(
    operation: Operation,
    contents: Contents,
    micros: bigint | undefined,
    more: Partial<Extract<Result, { kind: 'written' }>> = {},
  ): this {
    this.#held.set(contents.id, { contents, micros });
    this.add(operation, { kind: 'written', ...(micros === undefined ? {} : { micros }), ...more });
    return this;
  }

  #of(id: string): Held {
    return this.#held.get(id) ?? { contents: contentsFor(id, undefined, ''), micros: undefined };
  }

  #contents(id: string, other: Partial<Contents> = {}): Contents {
    return { ...this.#of(id).contents, ...other };
  }
}

function keyOf({ contents, micros }: Held): { id: string; micros: bigint } {
  return { id: contents.id, micros: micros ?? 0n };
}

function asked({ size, filter, caller, uncounted, history }: Said): Omit<ListOperation, 'op'> {
  return {
    ...(size === undefined ? {} : { pageSize: size }),
    ...(filter === undefined ? {} : { filter }),
    ...(caller === undefined ? {} : { caller }),
    ...(uncounted === true ? { total: false } : {}),
    ...(history === undefined ? {} : { historyLength: history }),
  };
}

/** A story that breaks rules, and the same without the fault. */
export interface Case {
  readonly what: string;
  /** All rules that it breaks; the first is the one that it is about. */
  readonly breaks: readonly [string, ...string[]];
  readonly wrong: (story: Story) => unknown;
  readonly right: (story: Story) => unknown;
  readonly judges?: Judges;
}

/** What decides how a story is judged; what is absent is the in-memory store's, under the contract. */
export interface Judges {
  readonly capabilities?: Partial<Capabilities>;
  readonly order?: CheckContext['order'];
  readonly cost?: boolean;
}

/** What the checks say of a story. */
interface Told {
  readonly broken: readonly string[];
  readonly findings: readonly Finding[];
  witnesses(rule: string): number;
}

/** The rules that the checks say are broken by a story, sorted, with the witnesses of each rule that could have been. */
export function judge(tell: (story: Story) => unknown, judges: Judges = {}): Told {
  const story = new Story();
  tell(story);
  const context: CheckContext = {
    capabilities: { ...memoryCapabilities, ...judges.capabilities },
    order: judges.order ?? 'storage-time',
  };
  const world = observe(story.history(), modelOptions(context.capabilities));
  const checks = judges.cost === true ? costChecks : sequentialChecks;
  const reports = checks.flatMap((check) => check.judge(world, context));
  const broken = reports.filter(({ findings }) => findings.length > 0);
  return {
    broken: [...new Set(broken.map(({ rule }) => rule))].sort(),
    findings: broken.flatMap(({ findings }) => findings),
    witnesses: (rule: string) =>
      reports.filter((one) => one.rule === rule).reduce((sum, one) => sum + one.witnesses, 0),
  };
}

/** The rules that a story breaks, sorted. */
export function broken(tell: (story: Story) => unknown, judges: Judges = {}): readonly string[] {
  return judge(tell, judges).broken;
}

/** What the checks find against one rule in a story. */
export function findingsOf(tell: (story: Story) => unknown, rule: string, judges: Judges = {}): readonly Finding[] {
  return judge(tell, judges).findings.filter((one) => one.rule === rule);
}

/** A store that shows no times, as most of others' do. */
export const unseen: Judges = {
  capabilities: { clock: false, boundaries: false, tokens: 'opaque', validatesPageSize: false },
};

/** The same, judged by A2A alone. */
export const a2a: Judges = { ...unseen, order: 'status-timestamp' };
