/** Measures one subject in the way that it allows: loaded tables, grown stores, or a clock. */
import { SubjectFault } from '../run/subject-fault.ts';
import type { DatabaseTap } from '../subject/postgres-tap.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';
import type { CostShape } from './cost-certificate.ts';
import { areIndependent, timePages } from './cost-clock.ts';
import { GrownStage } from './cost-grown.ts';
import { type Limit, needed, OutOfTime } from './cost-limit.ts';
import { LoadedStage, loadedShapes } from './cost-loaded.ts';
import { Measuring } from './cost-measure.ts';
import { listSettings } from './cost-settings.ts';
import { CALL, type CostStage, costTask } from './cost-stage.ts';
import type { Measured } from './cost-verdicts.ts';
import { sayNumber } from './growth.ts';

/** A prepared statement may get another plan from its sixth execution on. */
const DATABASE_REPEATS = 7;

/** What a run is to do; see `CostOptions`. */
export interface CostRunOptions {
  readonly sizes: readonly number[];
  readonly seed: number;
  readonly updates: number;
  readonly tap?: DatabaseTap;
  readonly onProgress?: (what: string) => void;
  readonly signal?: AbortSignal;
}

/** One subject's run: what was measured, how far it came, and what the reader should know. */
export class CostRun {
  complete = true;
  readonly notes: string[] = [];
  readonly #subject: Subject;
  readonly #options: CostRunOptions;
  readonly #limit: Limit;
  #measuring: Measuring;
  #timed: Measured['timings'];
  #now = 'nothing';

  constructor(subject: Subject, options: CostRunOptions, limit: Limit) {
    this.#subject = subject;
    this.#options = options;
    this.#limit = limit;
    this.#measuring = new Measuring(1, options.seed);
  }

  measured(): Measured {
    return {
      measurements: this.#measuring.measurements,
      ...(this.#timed === undefined ? {} : { timings: this.#timed }),
    };
  }

  /** Measures in the way that the subject allows. */
  async measure(): Promise<void> {
    try {
      const store = await this.#limit.open(this.#subject);
      const { database } = store;
      const counted = store.counters !== undefined || this.#options.tap?.used === true;
      if (database?.load !== undefined) {
        await this.#loaded(database);
        await store.close?.();
      } else if (counted) await this.#grown(store);
      else {
        await store.close?.();
        await this.#timedPages();
      }
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.complete = false;
      const why = this.#options.signal?.aborted === true ? 'interrupted' : 'the time limit ended it';
      this.notes.push(`Partial: ${why} at ${this.#now}; what comes after that was not measured.`);
    } finally {
      this.notes.push(...this.#measuring.notes);
    }
  }

  async #loaded(database: NonNullable<SubjectStore['database']>): Promise<void> {
    this.#measuring = new Measuring(DATABASE_REPEATS, this.#options.seed);
    for (const n of this.#options.sizes) {
      for (const shape of loadedShapes) {
        this.#tell(n, shape, 'loading');
        this.#limit.check();
        const stage = await this.#load(database, shape, n);
        if (stage === undefined) continue;
        try {
          if (stage.updates !== undefined) this.#noteUpdates(n, stage.updates);
          await this.#measure(stage, { callers: false });
        } finally {
          await stage.close();
        }
      }
    }
  }

  /** A table that the database refuses, or takes longer over than a statement may, is one that nothing is known of. */
  async #load(
    database: NonNullable<SubjectStore['database']>,
    shape: (typeof loadedShapes)[number],
    n: number,
  ): Promise<LoadedStage | undefined> {
    try {
      return await LoadedStage.load(database, shape, n, this.#limit);
    } catch (error) {
      if (error instanceof SubjectFault || error instanceof OutOfTime) throw error;
      this.complete = false;
      const message = error instanceof Error ? error.message : String(error);
      this.notes.push(`Partial: no table of ${sayNumber(n)} tasks, ${shape}, could be loaded: ${message}`);
      return undefined;
    }
  }

  /** One store goes through all shapes but that of ties, which needs a store and a clock of its own. */
  async #grown(first: SubjectStore): Promise<void> {
    const { capabilities } = this.#subject;
    const { sizes, seed, tap } = this.#options;
    if (tap?.used === true) this.#measuring = new Measuring(DATABASE_REPEATS, seed);
    const shapes: CostShape[] = capabilities.clock && capabilities.ties ? ['in order', 'one time'] : ['in order'];
    if (shapes.length === 1) this.notes.push('One tie group of everything was not measured: the clock can not be set.');
    for (const shape of shapes) {
      const store = shape === 'in order' ? first : await this.#limit.open(this.#subject);
      const listened = tap?.used === true ? { tap } : {};
      const stage = new GrownStage({ subject: this.#subject, store, shape, seed, limit: this.#limit, ...listened });
      try {
        for (const n of sizes) {
          this.#tell(n, shape, 'filling');
          stage.shape = shape;
          await stage.grow(n);
          await tap?.settle();
          await this.#measure(stage, { callers: capabilities.callers });
          if (shape !== 'in order') continue;
          this.#tell(n, 'one task updated', 'updating');
          this.#noteUpdates(n, await stage.update(this.#options.updates));
          stage.shape = 'one task updated';
          await this.#measure(stage, { callers: false });
        }
      } finally {
        await store.close?.();
      }
    }
  }

  async #measure(stage: CostStage & { shape: CostShape }, { callers }: { readonly callers: boolean }): Promise<void> {
    const { transports = [] } = this.#subject.capabilities;
    for (const setting of listSettings(stage.shape, { callers })) {
      this.#tell(stage.n, stage.shape, 'pages');
      await this.#measuring.list(stage, setting);
    }
    if (stage.shape === 'in order') await this.#measuring.bytes(stage, transports);
    this.#tell(stage.n, stage.shape, 'writes');
    await this.#measuring.writes(stage);
    if (stage.shape !== 'in order') return;
    stage.shape = 'interleaved';
    this.#tell(stage.n, stage.shape, 'pages between writes');
    await this.#measuring.interleaved(stage);
  }

  /** All sizes stand at once, so that they can be timed in turns. */
  async #timedPages(): Promise<void> {
    const subject = this.#subject;
    const { sizes, seed } = this.#options;
    const create = (store: SubjectStore) => store.create(costTask('alone', 0, ''), CALL);
    const independent = await needed(subject, 'a first store failed', areIndependent(subject, this.#limit, create));
    const timed = independent ? sizes : sizes.slice(-1);
    this.notes.push('Measured by a clock: the subject has no counters, and opens no database that can be listened to.');
    if (!independent) this.notes.push('Only the depth was timed: its stores are not independent of each other.');
    const stages: GrownStage[] = [];
    try {
      for (const n of timed) {
        this.#tell(n, 'in order', 'filling');
        const store = await this.#limit.open(this.#subject);
        const stage = new GrownStage({ subject, store, shape: 'in order', seed, limit: this.#limit });
        stages.push(stage);
        await stage.grow(n);
      }
      this.#tell(timed.at(-1) ?? 0, 'in order', 'timing');
      this.#timed = await needed(subject, 'a list failed while it was timed', timePages(stages, this.#limit));
    } finally {
      for (const { store } of stages) await store.close?.();
    }
  }

  #tell(n: number, shape: CostShape, what: string): void {
    this.#now = `${sayNumber(n)} tasks, ${shape}: ${what}`;
    this.#options.onProgress?.(`${this.#subject.name}: ${this.#now}`);
  }

  #noteUpdates(n: number, done: number): void {
    const { updates } = this.#options;
    if (done >= updates) return;
    this.notes.push(
      `At n = ${sayNumber(n)} the one task was updated ${sayNumber(done)} times instead of ${sayNumber(updates)}.`,
    );
  }
}
