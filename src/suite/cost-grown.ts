/** A store that is filled through its own operations, and grows from size to size. */
import type { StatementTap } from '../subject/postgres-tap.ts';
import type { Interceptor, Subject, SubjectStore } from '../subject/subject.ts';
import { pageTokenV1 } from '../token/page-token.ts';
import type { CostShape } from './cost-certificate.ts';
import { type Limit, needed } from './cost-limit.ts';
import { accessShares, type ListSetting } from './cost-settings.ts';
import { CALL, type CostStage, costTask, difference, planCounters, type Reading, requestOf } from './cost-stage.ts';

const EPOCH_MICROS = 1_700_000_000_000_000n;
/** Creates under way at once: what waits for a network waits together. */
const AT_ONCE = 8;
/** The share of what is left that one walk to a deep page may take, and that updating one task may. */
const WALK_SHARE = 0.25;
const UPDATE_SHARE = 0.1;

/** How a grown store is driven. */
export interface GrownOptions {
  readonly subject: Subject;
  readonly store: SubjectStore;
  readonly shape: CostShape;
  readonly seed: number;
  readonly limit: Limit;
  /** Tells of statements beneath the store, where something listens to them. */
  readonly tap?: StatementTap;
}

/** The store, and what is known of what it holds. */
export class GrownStage implements CostStage {
  readonly store: SubjectStore;
  shape: CostShape;
  n = 0;
  readonly #options: GrownOptions;
  readonly #keys: { readonly micros: bigint; readonly id: string }[] = [];
  readonly #tokens = new Map<string, string | undefined>();
  readonly #beneath: { largestBatch: number; scannedInFull: number } = { largestBatch: 0, scannedInFull: 0 };
  #created = 0;

  constructor(options: GrownOptions) {
    this.#options = options;
    this.store = options.store;
    this.shape = options.shape;
    this.store.beneath?.intercept(this.#watch());
  }

  idAt(place: number): string {
    return `${mix(place, this.#options.seed).toString(16).padStart(8, '0')}-${place}`;
  }

  /** Creates tasks until so many stand; their times ascend where the clock can be set and the shape wants it. */
  async grow(to: number): Promise<void> {
    const { limit, shape } = this.#options;
    const ticks = shape === 'one time' ? undefined : this.store.setClock;
    let pending: Promise<void>[] = [];
    while (this.#created < to) {
      const place = this.#created++;
      if (place % 64 === 0) limit.check();
      const ticked = ticks?.call(this.store, EPOCH_MICROS + BigInt(place) * 1_000n);
      if (ticked !== undefined) await ticked;
      pending.push(this.#create(place));
      if (pending.length < AT_ONCE) continue;
      await limit.within('create', Promise.all(pending));
      pending = [];
    }
    await limit.within('create', Promise.all(pending));
    this.n = to;
    this.#tokens.clear();
  }

  /** Writes one task so many times over; gives how often it was done within its share of the time. */
  async update(times: number): Promise<number> {
    const { limit, subject } = this.#options;
    const { store } = this;
    const replace = (note: string): Promise<unknown> => {
      const task = costTask(this.idAt(2), 2, note);
      return store.replace === undefined ? store.create(task, CALL) : store.replace(task, {}, CALL);
    };
    const until = performance.now() + limit.left() * UPDATE_SHARE;
    for (let done = 0; done < times; done++) {
      if (done % 64 === 0) limit.check();
      if (performance.now() > until) return done;
      await needed(subject, 'a replace failed', limit.within('replace', replace(String(done))));
    }
    return times;
  }

  async cost(work: () => Promise<unknown>): Promise<Reading> {
    const { limit, tap } = this.#options;
    limit.check();
    // The dispatcher is made anew, so that the most it held at once is that of this operation.
    this.store.beneath?.setProjection('light');
    tap?.take();
    Object.assign(this.#beneath, { largestBatch: 0, scannedInFull: 0 });
    const before = this.store.counters?.() ?? {};
    await limit.within('an operation', work());
    const own = difference(before, this.store.counters?.() ?? {});
    const tapped = tap?.take();
    return {
      counters: {
        ...own,
        ...(this.store.beneath === undefined ? {} : this.#beneath),
        ...(tapped === undefined ? {} : { statements: tapped.statements }),
        ...(tapped === undefined || tapped.plans.length === 0 ? {} : planCounters(tapped.plans)),
      },
      plans: tapped?.plans ?? [],
    };
  }

  async tokenAt(setting: ListSetting): Promise<string | undefined> {
    if (setting.depth === 0) return '';
    if (this.#keys.length === this.#created) return this.#knownToken(setting.depth);
    const key = `${setting.depth} ${setting.filter}`;
    if (!this.#tokens.has(key)) await this.#walk(setting);
    return this.#tokens.get(key);
  }

  async #create(place: number): Promise<void> {
    const id = this.idAt(place);
    for (const share of accessShares)
      if (mix(place, 77) / 2 ** 32 >= share) await this.store.setAccess?.(callerOf(share), id, false);
    const created = this.store.create(costTask(id, place, ''), CALL);
    const reply = await needed(this.#options.subject, 'a create failed while the store was filled', created);
    const micros = reply?.lastUpdatedMicros;
    if (micros !== undefined && this.#options.subject.capabilities.tokens === 'v1') this.#keys.push({ micros, id });
  }

  /** A boundary need not stand any more (TOKEN-5): the keys at creation divide the list all the same. */
  #knownToken(depth: number): string {
    this.#keys.sort((a, b) => (a.micros === b.micros ? (a.id < b.id ? 1 : -1) : a.micros < b.micros ? 1 : -1));
    const { micros, id } = this.#keys[Math.floor(depth * this.n) - 1]!;
    return pageTokenV1.encode({ lastUpdatedMicros: micros, id });
  }

  /** Follows pages of 100 from the first on, and keeps every token that was asked for on the way. */
  async #walk(setting: ListSetting): Promise<void> {
    const { limit } = this.#options;
    const holds = setting.filter === 'context' ? this.n / 2 : setting.filter === 'status' ? this.n / 10 : this.n;
    const until = performance.now() + limit.left() * WALK_SHARE;
    const open = [0.5, 0.9];
    let token = '';
    for (let passed = 0; open.length > 0; passed += 100) {
      limit.check();
      while (open[0] !== undefined && passed >= open[0] * holds - 100)
        this.#tokens.set(`${open.shift()} ${setting.filter}`, token);
      if (performance.now() > until || (passed > 0 && token === '')) break;
      const page = await limit.within('list', this.store.list(requestOf({ ...setting, pageSize: 100 }, token), CALL));
      token = page.nextPageToken;
    }
    for (const depth of open) this.#tokens.set(`${depth} ${setting.filter}`, undefined);
  }

  /** Counts what a dispatcher asks of its store, at the place between them. */
  #watch(): Interceptor {
    return {
      list: async (request, next) => {
        const page = await next(request);
        const given = Array.isArray(page?.tasks) ? page.tasks.length : 0;
        this.#beneath.largestBatch = Math.max(this.#beneath.largestBatch, request.pageSize ?? 50, given);
        if (request.projection !== 'light') this.#beneath.scannedInFull += given;
        return page;
      },
      get: (_id, _projection, next) => next(),
      scope: (_caller, next) => next(),
      access: (_caller, _task, next) => next(),
    };
  }
}

/** The caller who may access this share of the tasks. */
export function callerOf(share: number): string {
  return `caller-${share}`;
}

/** Scatters places over 32 bits, so that ids arrive in no order and shares are even. */
function mix(place: number, seed: number): number {
  let mixed = Math.imul(place ^ Math.imul(seed, 0x9e3779b9), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
