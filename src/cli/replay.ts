/** `pagecheck replay`: a saved counterexample, again, or as a test file. */
import { existsSync } from 'node:fs';
import type { Finding } from '../check/verdict.ts';
import { isHistoryText } from '../history/json-lines.ts';
import { formatEntry } from '../history/notation.ts';
import { isConcurrent } from '../history/program.ts';
import { renderLayers } from '../report/layers.ts';
import { renderProgram } from '../report/program-text.ts';
import { isAgentUrl, loadSubject } from '../subject/load.ts';
import { judgeHistoriesText } from '../suite/history-file.ts';
import { replayProgram } from '../suite/replay.ts';
import { parseReplay, type Replay } from '../suite/replay-file.ts';
import { type Given, readArguments, readProfile, readText } from './arguments.ts';
import { readInput, writeOutput } from './files.ts';
import { loadOptions, loadSettings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

const options = {
  subject: { type: 'string' },
  profile: { type: 'string' },
  ...loadOptions,
  'emit-test': { type: 'string' },
} as const;

/** How often a program whose clients run at once is run again. */
const timesAtOnce = 20;

/** Replays the file named in `args`; 1 where the violation shows again, 0 where it does not. */
export async function runReplay(args: readonly string[]): Promise<number> {
  const given = readArguments('replay', args, options);
  const [file, ...more] = given.words;
  if (file === undefined || more.length > 0)
    throw new UsageError({
      where: 'pagecheck replay',
      problem: 'takes one file',
      remedy: 'name the file that a failing run has written',
    });
  const text = readInput(file);
  if (isHistoryText(text)) return judgeAgain(text, file, given);
  const replay = parseReplay(text, file);
  const name = readText(given, 'subject') ?? replay.subject;
  const target = readText(given, 'emit-test');
  if (target !== undefined) {
    writeOutput(target, renderTest(replay, name));
    process.stdout.write(`wrote ${target}\n`);
    return 0;
  }
  const subject = await loadSubject(name, loadSettings(given));
  const profile = readProfile(given) ?? replay.profile;
  const { findings, history, shown, of, layers } = await replayProgram(subject, replay.program, {
    profile,
    rule: replay.rule,
    times: isConcurrent(replay.program) ? timesAtOnce : 1,
  });
  out(`${replay.rule} on ${subject.name}, profile ${profile}`);
  for (const [position, line] of renderProgram(replay.program).entries()) out(`  ${position + 1}  ${line}`);
  out('');
  for (const entry of history.entries) out(`  ${formatEntry(entry)}`);
  out('');
  for (const finding of findings) out(`saw      ${finding.saw}\nallowed  ${finding.allowed}\n`);
  if (layers !== undefined) out(`layer    ${renderLayers(layers)}\n`);
  if (replay.program.schedule !== undefined && !subject.openScheduled && !subject.openGated)
    out(`the schedule has no hold on ${subject.name}, which decides itself who goes on`);
  const rate = of === 1 ? '' : ` in ${shown} of ${of} runs`;
  out(
    findings.length > 0
      ? `${replay.rule} is violated again${rate}`
      : `${replay.rule} holds here${rate.replace(/in .* of/, 'in all')}`,
  );
  out(findings.length > 0 ? '0 passed, 1 failed' : '1 passed, 0 failed');
  return findings.length > 0 ? 1 : 0;
}

/** Judges saved histories without their store, by every rule that such a history can show broken. */
function judgeAgain(text: string, file: string, given: Given): number {
  for (const name of ['subject', 'emit-test', ...Object.keys(loadOptions)]) {
    if (given.values[name] !== undefined)
      throw new UsageError({
        where: `--${name}`,
        problem: 'means nothing for a history',
        remedy: 'a history is judged as it is; give --profile, or a replay',
      });
  }
  const rules = new Map<string, JudgedRule>();
  const subjects = new Set<string>();
  const profiles = new Set<string>();
  let histories = 0;
  let operations = 0;
  for (const { subject, profile, history, judged } of judgeHistoriesText(text, file, readProfile(given))) {
    histories++;
    operations += history.entries.length;
    subjects.add(subject);
    profiles.add(profile);
    for (const { rule, level, findings, undecided } of judged) {
      const known = rules.get(rule);
      const finding = known?.finding ?? findings[0];
      const why = known?.undecided ?? undecided;
      rules.set(rule, { level, ...(finding && { finding }), ...(why !== undefined && { undecided: why }) });
    }
  }
  const judged = [...rules];
  const violated = judged.filter(([, { finding }]) => finding !== undefined);
  const what = histories === 1 ? 'a history' : `${histories} histories`;
  const whose = [...subjects].join(', ');
  out(`${what} of ${whose}, ${operations} operations, profile ${[...profiles].join(', ')}, judged without the store`);
  for (const [rule, { level, finding }] of violated) {
    out(`\n${rule}${level === 'S' ? ' (should)' : ''}`);
    if (finding !== undefined) showFinding(finding);
  }
  for (const [rule, { undecided }] of judged) if (undecided !== undefined) out(`\n${rule} is undecided: ${undecided}`);
  const held = judged.filter(([, { finding, undecided }]) => finding === undefined && undecided === undefined);
  out(`\n${held.length} passed, ${violated.length} failed`);
  if (violated.some(([, { level }]) => level === 'M')) return 1;
  return judged.some(([, { undecided }]) => undecided !== undefined) ? 2 : 0;
}

/** What all histories of a file say of one rule. */
interface JudgedRule {
  readonly level: 'M' | 'S';
  /** The first. */
  readonly finding?: Finding;
  readonly undecided?: string;
}

function showFinding(finding: Finding): void {
  out(`saw      ${finding.saw}\nallowed  ${finding.allowed}`);
  for (const line of finding.let) out(`Let      ${line}`);
  for (const line of finding.then) out(`Then     ${line}`);
  out(`However  ${finding.however}`);
}

function out(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A plain vitest file that holds the program and expects the rule to hold. */
function renderTest({ rule, program, profile }: Replay, subject: string): string {
  const imports = isAgentUrl(subject)
    ? `import { connectUrlSubject, replayProgram } from 'pagecheck';\n\nconst subject = await connectUrlSubject(${JSON.stringify(subject)});`
    : existsSync(subject)
      ? `import { replayProgram } from 'pagecheck';\nimport subject from './${subject}';`
      : `import { createMemorySubject, replayProgram } from 'pagecheck';\n\nconst subject = createMemorySubject();`;
  return `import { expect, it } from 'vitest';
${imports}

const program = ${JSON.stringify(program, undefined, 2)} as const;

it('${rule} holds', async () => {
  const { findings } = await replayProgram(subject, program, { profile: '${profile}', rule: '${rule}' });
  expect(findings).toEqual([]);
});
`;
}
