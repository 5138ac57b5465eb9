/** Which must-rules are the only killer of some mutant: those without which the zoo would have a survivor. */
import { rules } from '../../spec/contract.ts';
import type { Kill } from '../mutants/kill.ts';
import { neverAlone } from '../mutants/never-alone.ts';

/** A must-rule, and the mutants that it alone killed in a run. */
export interface LoneKiller {
  readonly rule: string;
  readonly mutants: readonly string[];
  /** Why there can be none; absent where nobody has said so. */
  readonly reason?: string;
}

/** The rules that a mutant breaks and that fired on it. */
export function killersOf({ fired, breaks }: Kill): readonly string[] {
  return fired.map(({ rule }) => rule).filter((rule) => breaks.includes(rule));
}

/** Gives the must-rules that some row breaks, in the contract's order; all of them where the whole zoo was tried. */
export function loneKillers(rows: readonly Kill[]): readonly LoneKiller[] {
  const alone = rows
    .map((row) => ({ id: row.id, killers: killersOf(row) }))
    .filter(({ killers }) => killers.length === 1);
  return rules
    .filter(({ id, level }) => level === 'M' && rows.some(({ breaks }) => breaks.includes(id)))
    .map(({ id }) => {
      const mutants = alone.filter(({ killers }) => killers[0] === id).map((row) => row.id);
      const reason = neverAlone[id];
      return { rule: id, mutants, ...(reason === undefined ? {} : { reason }) };
    });
}

/** Renders them as lines: how many, and which of the others have a reason. */
export function renderLoneKillers(rows: readonly Kill[]): readonly string[] {
  const all = loneKillers(rows);
  const without = all.filter(({ mutants }) => mutants.length === 0);
  const unexplained = without.filter(({ reason }) => reason === undefined).map(({ rule }) => rule);
  return [
    `must-rules that are the only killer of some mutant: ${all.length - without.length} of ${all.length}`,
    ...without.flatMap(({ rule, reason }) => (reason === undefined ? [] : [`${rule} never is: ${reason}`])),
    ...(unexplained.length === 0 ? [] : [`no mutant died by them alone: ${unexplained.join(' ')}`]),
  ];
}

/** Renders them as a Markdown table. */
export function loneKillerTable(rows: readonly Kill[]): string {
  const cells = loneKillers(rows).map(
    ({ rule, mutants, reason }) =>
      `| ${rule} | ${mutants.length > 0 ? mutants.join(' ') : `none: ${reason ?? 'no mutant of this run died by it alone'}`} |`,
  );
  return ['| must-rule | mutants that it alone killed |', '|---|---|', ...cells].join('\n');
}
