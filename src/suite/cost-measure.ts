/** Does what a setting says on a store and keeps what it cost. */
import type { StatementPlan } from '../history/database.ts';
import { messageOf } from '../run/content.ts';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import type { Counters } from '../subject/subject.ts';
import type { CostSetting } from './cost-certificate.ts';
import { callerOf } from './cost-grown.ts';
import { OutOfTime } from './cost-limit.ts';
import { interleavedPage, type ListSetting, saySetting } from './cost-settings.ts';
import { CALL, type CostStage, costTask, HALF_CONTEXT, type Reading, requestOf } from './cost-stage.ts';

/** What one setting cost at one number of tasks. */
export interface Measurement {
  readonly setting: CostSetting;
  readonly n: number;
  readonly counters: Counters;
  /** Of the last repetition. */
  readonly plans: readonly StatementPlan[];
  /** Pages whose plans were judged, and what was wrong with the first that was not right. */
  readonly planned: number;
  readonly planFault?: string;
  /** A total came although none was asked for. */
  readonly countsAlways?: boolean;
}

/** Writes whose mean is taken: enough for a node of 64 to split now and then. */
const WRITES = 64;
/** Pages between writes. */
const TURNS = 16;

/** Measures with one stage after the other. */
export class Measuring {
  readonly measurements: Measurement[] = [];
  /** What could not be measured, in sentences. */
  readonly notes: Set<string> = new Set();
  readonly #repeats: number;
  readonly #random: (bound: number) => number;
  #fresh = 0;

  /** A list is asked `repeats` times, and the dearest answer counts: a prepared statement has another plan from its sixth execution on. */
  constructor(repeats: number, seed: number) {
    this.#repeats = repeats;
    this.#random = seededNumbers(seed);
  }

  /** Measures a page. */
  async list(stage: CostStage, setting: ListSetting): Promise<void> {
    const token = await this.#attempt(setting, () => stage.tokenAt(setting));
    if (token === 'failed') return;
    if (token === undefined) {
      this.notes.add(`No page at ${setting.depth * 100} % of ${stage.n} tasks was reached by walking there in time.`);
      return;
    }
    const call = setting.access === undefined ? CALL : { ...CALL, caller: callerOf(setting.access) };
    let countsAlways = false;
    const readings: Reading[] = [];
    for (let repeat = 0; repeat < this.#repeats; repeat++) {
      const reading = await this.#try(stage, setting, async () => {
        const page = await stage.store.list(requestOf(setting, token), call);
        countsAlways ||= !setting.total && page.totalSize !== undefined;
      });
      if (reading === undefined) return;
      readings.push(reading);
    }
    this.#keep(stage, setting, readings, Math.max, countsAlways);
  }

  /** Measures writes of tasks anywhere in the list, and of new ones. */
  async writes(stage: CostStage): Promise<void> {
    const { replace, append } = stage.store;
    const { store, shape, n } = stage;
    const anywhere = (): number => (shape === 'one task updated' ? 2 : this.#random(n));
    if (replace !== undefined)
      await this.#write(stage, { operation: 'replace', shape }, () => {
        const place = anywhere();
        return replace.call(store, costTask(stage.idAt(place), place, 'again'), {}, CALL);
      });
    if (append !== undefined && shape === 'in order')
      await this.#write(stage, { operation: 'append', shape }, () => {
        const message = messageOf(`m${this.#fresh++}`, { id: stage.idAt(anywhere()), context: HALF_CONTEXT });
        return append.call(store, message.taskId, message, CALL);
      });
    await this.#write(stage, { operation: 'create', shape }, () =>
      store.create(costTask(`new-${n}-${this.#fresh++}`, 1, ''), CALL),
    );
  }

  /** Measures pages between writes: what a write puts off, the next page pays. */
  async interleaved(stage: CostStage): Promise<void> {
    const { replace } = stage.store;
    if (replace === undefined) return;
    const page = interleavedPage();
    const pages: Reading[] = [];
    const writes: Reading[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const place = this.#random(stage.n);
      const write = await this.#try(stage, { operation: 'replace', shape: 'interleaved' }, () =>
        replace.call(stage.store, costTask(stage.idAt(place), place, `turn ${turn}`), {}, CALL),
      );
      const read = await this.#try(stage, page, () => stage.store.list(requestOf(page, ''), CALL));
      if (write === undefined || read === undefined) return;
      writes.push(write);
      pages.push(read);
    }
    this.#keep(stage, page, pages, Math.max);
    this.#keep(stage, { operation: 'replace', shape: 'interleaved' }, writes, mean);
  }

  /** Measures how many bytes a page takes on each transport: those of its JSON text, decoded where the wire is binary. */
  async bytes(stage: CostStage, transports: readonly string[]): Promise<void> {
    const { raw } = stage.store;
    if (raw === undefined) return;
    for (const transport of transports) {
      const setting: ListSetting = {
        operation: 'list',
        shape: stage.shape,
        depth: 0,
        pageSize: 50,
        total: true,
        transport,
      };
      let bytes = 0;
      const reading = await this.#try(stage, setting, async () => {
        const reply = await raw.call(stage.store, { transport, method: 'ListTasks', fields: { pageSize: 50 } }, CALL);
        bytes = Buffer.byteLength(reply.body);
      });
      if (reading !== undefined) this.#keep(stage, setting, [{ counters: { bytes }, plans: [] }], Math.max);
    }
  }

  async #write(stage: CostStage, setting: CostSetting, work: () => Promise<unknown>): Promise<void> {
    const readings: Reading[] = [];
    for (let done = 0; done < WRITES; done++) {
      const reading = await this.#try(stage, setting, work);
      if (reading === undefined) return;
      readings.push(reading);
    }
    this.#keep(stage, setting, readings, mean);
  }

  async #try(stage: CostStage, setting: CostSetting, work: () => Promise<unknown>): Promise<Reading | undefined> {
    const reading = await this.#attempt(setting, () => stage.cost(work));
    return reading === 'failed' ? undefined : reading;
  }

  /** What fails is not measured; whether it may fail is for `certify`. */
  async #attempt<T>(setting: CostSetting, work: () => Promise<T>): Promise<T | 'failed'> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OutOfTime || error instanceof SubjectFault) throw error;
      const message = error instanceof Error ? error.message : String(error);
      this.notes.add(`Not measured, since it failed: ${saySetting(setting)} (${setting.shape}): ${message}`);
      return 'failed';
    }
  }

  #keep(
    stage: CostStage,
    setting: CostSetting,
    readings: readonly Reading[],
    together: (...values: number[]) => number,
    countsAlways = false,
  ): void {
    const names = new Set(readings.flatMap(({ counters }) => Object.keys(counters)));
    const counters = Object.fromEntries(
      [...names].map((name) => [name, together(...readings.map((reading) => reading.counters[name] ?? 0))]),
    );
    const faults =
      isList(setting) && stage.planFault !== undefined
        ? readings.map(({ plans }) => ({ judged: plans.length > 0, fault: stage.planFault!(setting, plans) }))
        : [];
    const planFault = faults.find(({ fault }) => fault !== undefined)?.fault;
    this.measurements.push({
      setting,
      n: stage.n,
      counters,
      plans: readings.at(-1)?.plans ?? [],
      planned: faults.filter(({ judged }) => judged).length,
      ...(planFault === undefined ? {} : { planFault }),
      ...(countsAlways ? { countsAlways } : {}),
    });
  }
}

function isList(setting: CostSetting): setting is ListSetting {
  return setting.operation === 'list';
}

function mean(...values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
