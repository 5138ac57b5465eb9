/** SNAP-2 under faults: what was acknowledged is there at the end, and every failure says what it means. */
import type { Contents, Entry } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import { Tally } from './tally.ts';
import type { RuleReport } from './verdict.ts';
import { finding } from './witness.ts';

/** The codes that a right call may fail with; the rest blame the caller, or say nothing. */
const clean: ReadonlySet<string> = new Set([
  'not-found',
  'already-exists',
  'revision-conflict',
  'not-cancelable',
  'internal',
]);

/** What the end of a history shows. */
export interface Durability {
  readonly report: RuleReport;
  readonly acknowledged: number;
  readonly unknown: number;
  /** Acknowledged writes that the end does not have. */
  readonly lost: number;
}

interface Write {
  readonly entry: Entry;
  readonly micros: bigint;
}

/**
 * Judges a history whose last entries read every task after all faults. A later time or the text of a message proves
 * what is missing: a lost write that a later one replaced is not seen here. Linear in the entries, but for each
 * task's replaces times appends.
 */
export function judgeDurability(entries: readonly Entry[]): Durability {
  const tally = new Tally();
  let lost = 0;
  for (const [id, own] of byTask(entries)) {
    const end = own.findLast(({ operation, result }) => operation.op === 'get' && result.kind === 'read');
    if (end === undefined || end.result.kind !== 'read') continue;
    const { writes, isOpen } = lastLife(own);
    tally.witness('SNAP-2', writes.length);
    if (isOpen) continue;
    const missing = missingFrom(end.result.contents, end.result.micros, writes, own);
    lost += missing.length;
    for (const { entry } of missing) {
      tally.fail(
        finding(
          { entries },
          {
            rule: 'SNAP-2',
            let: [entry.index],
            then: [end.index],
            saw: `${entry.operation.op} of ${formatId(id)} was acknowledged, and nothing of it is there after the faults`,
            allowed: 'no acknowledged write is lost',
          },
        ),
      );
    }
  }
  for (const { index, operation, result } of entries) {
    if (result.kind !== 'error' || clean.has(result.code)) continue;
    tally.fail(
      finding(
        { entries },
        {
          rule: 'SNAP-2',
          let: [],
          then: [index],
          saw: `${operation.op} fails with ${result.code}: ${result.message}`,
          allowed:
            'a right call that fails says that it had no effect, by a code of the contract, or that its outcome is unknown',
        },
      ),
    );
  }
  const outcomes = entries.filter(isMutation);
  return {
    report: tally.reports()[0] ?? { rule: 'SNAP-2', witnesses: 0, findings: [] },
    acknowledged: outcomes.filter(({ result }) => result.kind === 'written' || result.kind === 'done').length,
    unknown: outcomes.filter(({ result }) => result.kind === 'unknown').length,
    lost,
  };
}

function isMutation({ operation }: Entry): boolean {
  return ['create', 'replace', 'append', 'cancel', 'delete'].includes(operation.op);
}

function byTask(entries: readonly Entry[]): Map<string, Entry[]> {
  const tasks = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (!isMutation(entry) && entry.operation.op !== 'get') continue;
    const { operation } = entry;
    const id = 'contents' in operation ? operation.contents.id : (operation as { readonly id: string }).id;
    const own = tasks.get(id);
    if (own === undefined) tasks.set(id, [entry]);
    else own.push(entry);
  }
  return tasks;
}

/** The acknowledged writes since the last delete; open where a delete may still happen, or overlaps them. */
function lastLife(own: readonly Entry[]): { writes: Write[]; isOpen: boolean } {
  const deletes = own.filter(({ operation, result }) => operation.op === 'delete' && result.kind !== 'error');
  const since = Math.max(-1, ...deletes.map((entry) => entry.return));
  const writes = own.flatMap((entry): Write[] => {
    const { result } = entry;
    if (result.kind !== 'written' || result.deduplicated === true || result.micros === undefined) return [];
    return entry.return > since ? [{ entry, micros: result.micros }] : [];
  });
  const isOpen =
    deletes.some(({ result }) => result.kind === 'unknown') || writes.some(({ entry }) => entry.call < since);
  return { writes, isOpen };
}

function missingFrom(
  contents: Contents | undefined,
  micros: bigint | undefined,
  writes: readonly Write[],
  own: readonly Entry[],
): Write[] {
  if (contents === undefined) return [...writes];
  const late = writes.filter((write) => micros !== undefined && write.micros > micros);
  if (late.length > 0) return late;
  const replaces = (entry: Entry): boolean => entry.operation.op === 'replace' || entry.operation.op === 'create';
  if (own.some((entry) => entry.result.kind === 'unknown' && replaces(entry))) return [];
  return writes.filter(({ entry, micros: time }) => {
    if (entry.operation.op !== 'append' || contents.history.includes(entry.operation.message)) return false;
    return !writes.some((other) => replaces(other.entry) && other.micros > time);
  });
}
