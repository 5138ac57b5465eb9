/** Input coverage: the adversaries that a run met, counted. */
import { isAwkward } from '../check/acknowledged.ts';
import { boundaryChange, boundaryId, keyOf } from '../check/position.ts';
import type { ListMoment, World } from '../check/world.ts';
import { idClasses } from '../generate/ids.ts';
import type { Capabilities } from '../subject/subject.ts';
import { type AdversaryName, coverageOf, idAdversary } from './adversaries.ts';
import type { Methods } from './applicable.ts';
import type { Coverage } from './certificate.ts';

/** More tasks than a dispatcher may hold of its scan (AUTH-6). */
const batch = 100;

/** Counts adversaries over many worlds. */
export class CoverageCount {
  readonly #capabilities: Capabilities;
  readonly #counts = new Map<string, number>();
  /** The adversaries that an id counts for. */
  readonly #classes = new Map<string, string[]>();

  constructor(capabilities: Capabilities) {
    this.#capabilities = capabilities;
    for (const { name, ids } of idClasses(capabilities.ids))
      for (const id of ids) this.#classes.set(id, [...(this.#classes.get(id) ?? []), idAdversary(name)]);
  }

  add(world: World): void {
    this.#clock(world);
    this.#pages(world);
    for (const { operation, expectation, entry } of world.mutations) {
      if (expectation.kind === 'nothing') this.#met('deduplicated append');
      if (expectation.kind === 'refuse' && entry.result.kind === 'error') this.#met('rejected write');
      if (expectation.kind === 'refuse' && expectation.code === 'internal') this.#met('task at the end of time');
      if (operation.op === 'create')
        for (const name of this.#classes.get(operation.contents.id) ?? []) this.#count(name);
    }
  }

  /** The counts, with floors where the subject makes them possible. */
  coverage(methods: Methods): Coverage[] {
    return coverageOf(this.#counts, this.#capabilities, methods);
  }

  #met(name: AdversaryName): void {
    this.#count(name);
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #clock(world: World): void {
    let now: bigint | undefined;
    let writes = 0;
    for (const { operation } of world.entries) {
      if (operation.op === 'clock') {
        if (now !== undefined && operation.micros < now) this.#met('backwards clock');
        now = operation.micros;
        writes = 0;
      } else if (operation.op === 'create' || operation.op === 'replace' || operation.op === 'append') {
        if (now !== undefined && ++writes === 2) this.#met('frozen clock');
      }
    }
  }

  #pages(world: World): void {
    const open = new Set<string>();
    for (const list of world.lists) {
      const { page, operation } = list;
      if (operation.means?.kind === 'number') this.#met('numeric token');
      else if (operation.means !== undefined && operation.means.kind !== 'v1') this.#met('malformed token');
      if (page === undefined) continue;
      if (operation.walk !== undefined) {
        if (open.size > 1) this.#met('two walks at once');
        if (page.nextToken === '') open.delete(operation.walk);
        else open.add(operation.walk);
      }
      if (operation.filter !== undefined) this.#met('filtered page');
      if (page.nextToken === '' && page.items.length > 0 && page.items.length === operation.pageSize)
        this.#met('page exactly full and last');
      this.#size(list);
      this.#hidden(world, list);
      if (list.source !== undefined) this.#boundary(world, list, list.source);
    }
  }

  #size({ operation: { pageSize, filter, caller }, standing }: ListMoment): void {
    if (pageSize === undefined) this.#met('page of no size given');
    if (pageSize === 1) this.#met('page of one');
    if (pageSize === 100) this.#met('page of a hundred');
    if (filter !== undefined || caller !== undefined || standing.length < 2) return;
    if (pageSize === standing.length - 1) this.#met('page one shorter than the list');
    if (pageSize === standing.length) this.#met('page as long as the list');
    if (pageSize === standing.length + 1) this.#met('page one longer than the list');
  }

  #hidden(world: World, { operation: { caller }, standing, entry }: ListMoment): void {
    if (caller === undefined || standing.length <= batch) return;
    let hidden = 0;
    for (const version of standing) if (!world.visibleAt(caller, version, entry.index)) hidden++;
    if (hidden > batch) this.#met('more hidden tasks than a batch');
  }

  #boundary(world: World, list: ListMoment, source: ListMoment): void {
    const change = boundaryChange(world, list);
    if (change !== undefined) this.#met(`boundary ${change}`);
    if (source.operation.caller !== list.operation.caller) this.#met("another caller's token");
    if (JSON.stringify(source.operation.filter) !== JSON.stringify(list.operation.filter))
      this.#met('token under another filter');
    const id = boundaryId(source);
    if (id !== undefined && isAwkward(id)) this.#met('awkward id at a boundary');
    const boundary = keyOf(source.shown.at(-1));
    const next = keyOf(list.shown[0]);
    if (boundary !== undefined && next !== undefined && boundary.micros === next.micros)
      this.#met('tie across a boundary');
  }
}
