/** One violated rule: the picture of its counterexample beside the program and the explanation. */
import { ruleById } from '../../../spec/contract.ts';
import type { Certificate, Counterexample, RuleResult } from '../../suite/certificate.ts';
import { type Strictness, standingOf } from '../../suite/exit-status.ts';
import { renderInterleaving } from '../interleaving.ts';
import { renderProgram } from '../program-text.ts';
import { statusWord } from '../status-word.ts';
import { escapeHtml } from './escape.ts';
import { markWords, storyOf } from './timeline-story.ts';
import { renderTimeline } from './timeline-svg.ts';
import { violationAnchor } from './verdict.ts';

/** Renders a violation; one without a counterexample gives its reason. */
export function renderViolation(result: RuleResult, certificate: Certificate, strictness: Strictness): string {
  const rule = ruleById(result.rule);
  const id = violationAnchor(certificate, result.rule);
  const standing = standingOf(result, strictness);
  const { counterexample } = result;
  return `<article class="violation" id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><span class="badge ${standing}">${escapeHtml(statusWord(result, strictness))}</span> ${escapeHtml(result.rule)}: ${escapeHtml(rule?.title ?? 'not a rule of this version')}</h3>
<p class="soft">${escapeHtml(rule?.words ?? '')}</p>
${result.reason === undefined ? '' : `<p>${escapeHtml(result.reason)}</p>`}
${counterexample === undefined ? '' : renderCounterexample(counterexample, id)}
</article>`;
}

function renderCounterexample(counterexample: Counterexample, id: string): string {
  const { finding, program, steps, seed, run, replay, history, reproduction, trace } = counterexample;
  const schedule =
    program.schedule !== undefined ? 'under its schedule' : 'with an interleaving that the subject decides';
  const rate =
    reproduction === undefined ? '' : `<p>Shows in ${reproduction.shown} of ${reproduction.of} runs, ${schedule}.</p>`;
  const tampered = program.tamper === true ? '<p>The harness changes every object that it passed or got.</p>' : '';
  return `<p class="told bad"><strong>Seen:</strong> ${escapeHtml(finding.saw)}.</p>
<p class="told good"><strong>Allowed:</strong> ${escapeHtml(finding.allowed)}.</p>
<div class="beside">
<div>${pictureOf(counterexample, id)}</div>
<div>
<h4>The program, ${steps} ${steps === 1 ? 'step' : 'steps'}</h4>
<ol class="program mono">${renderProgram(program)
    .map((line) => `<li>${escapeHtml(line)}</li>`)
    .join('')}</ol>
${rate}${tampered}
<h4>Why this is a violation</h4>
<ul class="witness">
${[...finding.let.map((fact) => ['Let', fact] as const), ...finding.then.map((event) => ['Then', event] as const)]
  .map(([word, line]) => `<li><b>${word}</b><span class="mono">${escapeHtml(line)}</span></li>`)
  .join('\n')}
<li><b>However</b>${escapeHtml(finding.however)}</li>
</ul>
<h4>See it again</h4>
<p><code>${escapeHtml(replay)}</code></p>
${history === undefined ? '' : `<p>This very history, judged again: <code>${escapeHtml(history)}</code></p>`}
<p class="soft">Found with seed ${seed} in run ${run}.</p>
</div>
</div>
<details><summary>Everything that happened, ${trace.length} operations</summary>
<ul class="witness mono">${trace
    .slice(0, mostTraced)
    .map((line) => `<li>${escapeHtml(line)}</li>`)
    .join('')}</ul>
${trace.length > mostTraced ? `<p class="soft">The first ${mostTraced} of ${trace.length}; the JSON certificate has all.</p>` : ''}
</details>`;
}

const mostTraced = 200;

function pictureOf(counterexample: Counterexample, id: string): string {
  const story = storyOf(counterexample);
  if (story === undefined) return lanesOnly(counterexample);
  const marks = (counterexample.finding.marks ?? []).map((mark) => `${markWords(mark, story)} (#${mark.entry})`);
  const title = marks.length === 0 ? 'What happened, from top to bottom' : [...new Set(marks)].join('; ');
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>
<div class="scroll" role="region" tabindex="0" aria-label="Timeline of ${escapeHtml(counterexample.finding.rule)}">${renderTimeline(story, id, title)}</div>
<p class="soft">Time runs downward; a bar lasts from call to return. An arrow leads from a page to the page that starts after its boundary.</p></figure>`;
}

/** A certificate of an earlier version has no data for a picture; where clients overlapped it has a table. */
function lanesOnly({ lanes = [] }: Counterexample): string {
  if (lanes.length === 0) return '<p class="soft">This certificate was written without the data of a picture.</p>';
  const lines = renderInterleaving(lanes).map(escapeHtml);
  return `<div class="scroll" role="region" tabindex="0" aria-label="Operations"><pre>${lines.join('\n')}</pre></div>`;
}
