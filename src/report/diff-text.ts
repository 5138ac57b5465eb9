/** A comparison of two certificates, for reading. */
import { ruleById } from '../../spec/contract.ts';
import type { CertificateDiff, Change, DiffSide, RuleChange } from '../suite/diff.ts';
import { renderProgram } from './program-text.ts';
import { visible } from './quote.ts';

const sections: readonly (readonly [Change, string])[] = [
  ['broken', 'broken: held before, violated now'],
  ['still-failing', 'still failing'],
  ['mended', 'mended: violated before, holds now'],
  ['newly-judged', 'newly judged'],
  ['no-longer-judged', 'no longer judged'],
];

/**
 * Renders a comparison: what is broken with its new counterexamples, then what still fails, is mended, newly judged and
 * no longer judged. The last line counts, exactly `N broken, N mended, N still failing, N left, N newly judged, N no
 * longer judged`. The text ends with a newline.
 */
export function renderDiff(diff: CertificateDiff): string {
  const lines = [`${side(diff.before)} -> ${side(diff.after)}, profile ${diff.profile}`, ''];
  for (const [change, heading] of sections) {
    const changes = diff.changes.filter((each) => each.change === change);
    if (changes.length > 0) lines.push(heading, ...changes.flatMap(changeLines), '');
  }
  lines.push(diff.regression ? 'this is a regression' : 'no regression', countLine(diff));
  return `${lines.join('\n')}\n`;
}

function side({ subject, pagecheck, seed }: DiffSide): string {
  return `${visible(subject)} (seed ${seed}, pagecheck ${visible(pagecheck)})`;
}

function changeLines(change: RuleChange): readonly string[] {
  const should = change.level === 'S' ? ' (should)' : '';
  const head = `  ${change.rule.padEnd(9)} ${change.before} -> ${change.after}${should}  ${ruleById(change.rule)?.title ?? ''}`;
  const { counterexample } = change;
  if (counterexample === undefined) return [head.trimEnd()];
  return [
    head.trimEnd(),
    ...renderProgram(counterexample.program).map((line, at) => `      ${at + 1}  ${line}`),
    `      saw ${visible(counterexample.finding.saw)}; allowed: ${visible(counterexample.finding.allowed)}`,
    `      replay: ${visible(counterexample.replay)}`,
  ];
}

function countLine(diff: CertificateDiff): string {
  const count = (change: Change): number => diff.changes.filter((each) => each.change === change).length;
  return [
    `${count('broken')} broken`,
    `${count('mended')} mended`,
    `${count('still-failing')} still failing`,
    `${count('left')} left`,
    `${count('newly-judged')} newly judged`,
    `${count('no-longer-judged')} no longer judged`,
  ].join(', ');
}
