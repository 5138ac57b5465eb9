/** The text of one violated rule, in the order in which a reader verifies it. */
import { ruleById } from '../../spec/contract.ts';
import type { Certificate, Counterexample, RuleResult } from '../suite/certificate.ts';
import { fillLines } from './fill.ts';
import { renderInterleaving } from './interleaving.ts';
import { renderLayers } from './layers.ts';
import { renderProgram } from './program-text.ts';
import { visible } from './quote.ts';

const WIDTH = 100;
const LABEL = 10;

/** `verbose` adds what every operation of the shrunk program did. */
export interface FailureOptions {
  readonly verbose?: boolean;
}

/**
 * Renders a violation: rule id and words; subject; the shrunk program, one step a line; what was seen against what is
 * allowed; Let / Then / However; the command that replays it. A result without a counterexample gives its reason.
 * Lines are joined by `\n`, without one at the end. Text that came from the subject can't act on a terminal.
 */
export function renderFailure(result: RuleResult, certificate: Certificate, options: FailureOptions = {}): string {
  const rule = ruleById(result.rule);
  const title = rule === undefined ? '(not a rule of this version)' : rule.title;
  const should = result.level === 'S' ? ' (should)' : '';
  const lines = [
    `${result.rule}${should}: ${title}`,
    ...fillLines(rule?.words ?? '', WIDTH - 2).map((line) => `  ${line}`),
    ...labelled('subject', `${certificate.subject}, profile ${certificate.profile}`),
  ];
  const { counterexample } = result;
  if (counterexample === undefined) lines.push(...labelled('reason', result.reason ?? 'no counterexample was kept'));
  else lines.push(...counterexampleLines(counterexample, options));
  return lines.join('\n');
}

function counterexampleLines(counterexample: Counterexample, options: FailureOptions): readonly string[] {
  const {
    finding,
    program,
    steps,
    seed,
    run,
    trace,
    replay,
    reproduction,
    lanes = [],
    layers,
    history,
  } = counterexample;
  const width = String(steps).length;
  const numbered = renderProgram(program).map((line, at) => `    ${String(at + 1).padStart(width)}  ${line}`);
  return [
    ...labelled('program', `${steps} ${steps === 1 ? 'step' : 'steps'}, found with seed ${seed} in run ${run}`),
    ...numbered,
    ...(reproduction === undefined ? [] : labelled('shows', rateText(reproduction, program.schedule !== undefined))),
    ...(lanes.length === 0 ? [] : ['  events', ...renderInterleaving(lanes).map((line) => `    ${line}`)]),
    ...(program.tamper === true ? labelled('harness', 'changes every object that it passed or got') : []),
    ...(options.verbose === true ? ['  trace', ...trace.map((line) => `    ${visible(line)}`)] : []),
    ...labelled('saw', finding.saw),
    ...labelled('allowed', finding.allowed),
    ...finding.let.flatMap((fact, at) => labelled(at === 0 ? 'Let' : '', fact)),
    ...finding.then.flatMap((event, at) => labelled(at === 0 ? 'Then' : '', event)),
    ...labelled('However', finding.however),
    ...(layers === undefined ? [] : labelled('layer', renderLayers(layers))),
    `  replay: ${visible(replay)}`,
    ...(history === undefined ? [] : [`  this very history, judged again: ${visible(history)}`]),
  ];
}

function rateText({ shown, of }: NonNullable<Counterexample['reproduction']>, isScheduled: boolean): string {
  return `in ${shown} of ${of} runs, ${isScheduled ? 'under its schedule' : 'with an interleaving that the subject decides'}`;
}

function labelled(label: string, text: string): readonly string[] {
  const lines = fillLines(visible(text), WIDTH - LABEL - 2);
  return lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(LABEL)}${line}`);
}
