import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memoryMutants } from '../src/mutants/memory.ts';
import { tokenMutants } from '../src/mutants/token.ts';
import { loadSubject } from '../src/subject/load.ts';
import { createMemorySubject } from '../src/subject/memory.ts';
import { replayProgram } from '../src/suite/replay.ts';
import { parseReplay } from '../src/suite/replay-file.ts';

const folder = fileURLToPath(new URL('regressions/', import.meta.url));
const root = fileURLToPath(new URL('../', import.meta.url));
const readme = readFileSync(`${folder}README.md`, 'utf8');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const replays = files.map((file) => ({ file, ...parseReplay(readFileSync(`${folder}${file}`, 'utf8'), file) }));
const mutants = new Map([...tokenMutants, ...memoryMutants].map((mutant) => [mutant.id, mutant]));

describe('a saved counterexample', () => {
  test.each(replays)('$file holds on the right store, for every rule', async ({ program, profile }) => {
    for (const judged of new Set([profile, '0.6'] as const)) {
      const { findings } = await replayProgram(createMemorySubject(), program, { profile: judged });
      expect(findings).toEqual([]);
    }
  });

  test.each(replays)('$file still breaks $rule on $subject', async ({ subject, program, profile, rule }) => {
    const mutant = mutants.get(subject);
    const faulty =
      mutant?.subject() ?? (await loadSubject(subject.startsWith('examples/') ? `${root}${subject}` : subject));
    const { findings } = await replayProgram(faulty, program, { profile, rule });
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
  });

  test('has a row in the README that says what it was found on', () => {
    const rows = [
      ...readme.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| ([A-Z0-9-]+) \| `?([^ `]+)`? \| .* \| (\d+) \|$/gm),
    ];
    expect(
      rows.map(([, name, target, rule, subject, steps]) => [name, target, rule, subject, Number(steps)]).sort(),
    ).toEqual(
      replays
        .map(({ file, rule, subject, program }) => [file, file, rule, subject, program.clients.flat().length])
        .sort(),
    );
  });
});
