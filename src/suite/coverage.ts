/** Input coverage: the adversaries that a run met, counted, each with a floor. */
import { isAwkward } from '../check/acknowledged.ts';
import { boundaryChange, boundaryId, keyOf } from '../check/position.ts';
import type { World } from '../check/world.ts';
import type { Capabilities } from '../subject/subject.ts';
import type { Coverage } from './certificate.ts';

/** How often each adversary has to be met, where the subject can be brought into it at all. */
const floor = 5;

type Name =
  | 'tie across a boundary'
  | 'boundary updated'
  | 'boundary deleted'
  | 'frozen clock'
  | 'backwards clock'
  | 'awkward id at a boundary'
  | 'page size one'
  | 'page exactly full and last'
  | 'deduplicated append'
  | 'rejected write'
  | 'two walks at once'
  | 'bad token'
  | 'filtered page'
  | 'task at the end of time'
  | 'boundary revoked'
  | "another caller's token";

/** Counts adversaries over many worlds. */
export class CoverageCount {
  readonly #counts = new Map<Name, number>();

  add(world: World): void {
    this.#clock(world);
    this.#pages(world);
    for (const { expectation, entry } of world.mutations) {
      if (expectation.kind === 'nothing') this.#met('deduplicated append');
      if (expectation.kind === 'refuse' && entry.result.kind === 'error') this.#met('rejected write');
      if (expectation.kind === 'refuse' && expectation.code === 'internal') this.#met('task at the end of time');
    }
  }

  /** The counts, with floors where the subject makes them possible. */
  coverage({ clock, ties, deduplicates, agent, callers, scope }: Capabilities, canDelete: boolean): Coverage[] {
    const isStore = scope.some((letter) => letter !== 'D' && letter !== 'W');
    const needed: readonly (readonly [Name, boolean])[] = [
      ['tie across a boundary', clock && ties],
      ['boundary updated', true],
      ['boundary deleted', canDelete],
      ['frozen clock', clock],
      ['backwards clock', clock],
      ['awkward id at a boundary', agent !== true],
      ['page size one', true],
      ['page exactly full and last', true],
      ['deduplicated append', deduplicates],
      ['rejected write', true],
      ['two walks at once', true],
      ['bad token', true],
      ['filtered page', true],
      ['task at the end of time', clock && ties && isStore],
      ['boundary revoked', callers],
      ["another caller's token", callers],
    ];
    return needed.map(([name, possible]) => ({
      name,
      count: this.#counts.get(name) ?? 0,
      floor: possible ? floor : 0,
    }));
  }

  #met(name: Name): void {
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
      const { page, operation, source } = list;
      if (operation.means !== undefined && operation.means.kind !== 'v1') this.#met('bad token');
      if (page === undefined) continue;
      if (operation.filter !== undefined) this.#met('filtered page');
      if (operation.pageSize === 1) this.#met('page size one');
      if (operation.walk !== undefined) {
        if (open.size > 1) this.#met('two walks at once');
        if (page.nextToken === '') open.delete(operation.walk);
        else open.add(operation.walk);
      }
      if (page.nextToken === '' && page.items.length > 0 && page.items.length === operation.pageSize)
        this.#met('page exactly full and last');
      if (source === undefined) continue;
      const change = boundaryChange(world, list);
      if (change === 'updated') this.#met('boundary updated');
      if (change === 'deleted') this.#met('boundary deleted');
      if (change === 'revoked') this.#met('boundary revoked');
      if (source.operation.caller !== operation.caller) this.#met("another caller's token");
      const id = boundaryId(source);
      if (id !== undefined && isAwkward(id)) this.#met('awkward id at a boundary');
      const boundary = keyOf(source.shown.at(-1));
      const next = keyOf(list.shown[0]);
      if (boundary !== undefined && next !== undefined && boundary.micros === next.micros)
        this.#met('tie across a boundary');
    }
  }
}
