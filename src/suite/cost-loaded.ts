/** A store on a table that was loaded past it: the way to a million tasks in seconds. */

import { pageFault } from '../check/plans.ts';
import type { StatementPlan } from '../history/database.ts';
import type { Database, LargeStore } from '../subject/subject.ts';
import type { CostShape } from './cost-certificate.ts';
import type { Limit } from './cost-limit.ts';
import type { ListSetting } from './cost-settings.ts';
import { type CostStage, difference, planCounters, type Reading } from './cost-stage.ts';

/** The shapes in which a table can be loaded. */
export const loadedShapes: readonly Exclude<CostShape, 'interleaved'>[] = [
  'in order',
  'one time',
  'scattered',
  'one task updated',
];

/** The loaded store. */
export class LoadedStage implements CostStage {
  readonly n: number;
  shape: CostShape;
  readonly store: LargeStore['store'];
  readonly updates: number | undefined;
  readonly #large: LargeStore;
  readonly #limit: Limit;

  /** Loads it. */
  static async load(
    database: Database,
    shape: (typeof loadedShapes)[number],
    n: number,
    limit: Limit,
  ): Promise<LoadedStage> {
    return new LoadedStage(await database.load!(shape, n), shape, n, limit);
  }

  private constructor(large: LargeStore, shape: CostShape, n: number, limit: Limit) {
    this.#large = large;
    this.#limit = limit;
    this.store = large.store;
    this.updates = large.updates;
    this.shape = shape;
    this.n = n;
  }

  idAt(place: number): string {
    return this.#large.idAt(place);
  }

  async cost(work: () => Promise<unknown>): Promise<Reading> {
    this.#limit.check();
    await this.#large.takePlans();
    const before = this.#large.counters();
    await this.#limit.within('an operation', work());
    const counters = difference(before, this.#large.counters());
    const plans = await this.#large.takePlans();
    // Without plans nothing is known of what was read, which is not the same as nothing.
    return { counters: { ...counters, ...(plans.length === 0 ? {} : planCounters(plans)) }, plans };
  }

  async tokenAt({ depth, filter }: ListSetting): Promise<string> {
    const context = filter === 'context';
    const place = Math.floor(depth * (context ? this.n / 2 : this.n));
    return place === 0 ? '' : this.#large.tokenAt(place - 1, context);
  }

  /** COST-3 is about vacuumed tables: not about one that is being written to. */
  planFault({ depth, pageSize, filter, total }: ListSetting, plans: readonly StatementPlan[]): string | undefined {
    if (total || filter === 'status' || this.shape === 'interleaved' || plans.length === 0) return undefined;
    const page = { place: depth === 0 ? 0 : 1, plans };
    return pageFault({ tasks: this.n, pageSize, context: filter === 'context' }, page, this.#large.indexes);
  }

  close(): Promise<void> {
    return this.#large.close();
  }
}
