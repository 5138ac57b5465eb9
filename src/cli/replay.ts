/** `pagecheck replay`: a saved counterexample, again, or as a test file. */
import { existsSync } from 'node:fs';
import { formatEntry } from '../history/notation.ts';
import { renderProgram } from '../report/program-text.ts';
import { loadSubject } from '../subject/load.ts';
import { replayProgram } from '../suite/replay.ts';
import { parseReplay, type Replay } from '../suite/replay-file.ts';
import { readArguments, readProfile, readText } from './arguments.ts';
import { readInput, writeOutput } from './files.ts';
import { UsageError } from './usage-error.ts';

const options = {
  subject: { type: 'string' },
  profile: { type: 'string' },
  postgres: { type: 'string' },
  'emit-test': { type: 'string' },
} as const;

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
  const replay = parseReplay(readInput(file), file);
  const name = readText(given, 'subject') ?? replay.subject;
  const target = readText(given, 'emit-test');
  if (target !== undefined) {
    writeOutput(target, renderTest(replay, name));
    process.stdout.write(`wrote ${target}\n`);
    return 0;
  }
  const postgres = readText(given, 'postgres');
  const subject = await loadSubject(name, postgres === undefined ? {} : { postgres });
  const profile = readProfile(given) ?? replay.profile;
  const { findings, history } = await replayProgram(subject, replay.program, { profile, rule: replay.rule });
  const out = (line: string) => process.stdout.write(`${line}\n`);
  out(`${replay.rule} on ${subject.name}, profile ${profile}`);
  for (const [position, line] of renderProgram(replay.program).entries()) out(`  ${position + 1}  ${line}`);
  out('');
  for (const entry of history.entries) out(`  ${formatEntry(entry)}`);
  out('');
  for (const finding of findings) out(`saw      ${finding.saw}\nallowed  ${finding.allowed}\n`);
  out(findings.length > 0 ? `${replay.rule} is violated again` : `${replay.rule} holds here`);
  out(findings.length > 0 ? '0 passed, 1 failed' : '1 passed, 0 failed');
  return findings.length > 0 ? 1 : 0;
}

/** A plain vitest file that holds the program and expects the rule to hold. */
function renderTest({ rule, program, profile }: Replay, subject: string): string {
  const isModule = existsSync(subject);
  const imports = isModule
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
