/** `pagecheck mutants`: every faulty store of the catalogue, each of which a run must catch. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { loadMutants } from '../mutants/index.ts';
import { defaultKillBudget, type Kill, type KillBudget } from '../mutants/kill.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { renderHtmlKillMatrix } from '../report/html/kill-matrix.ts';
import {
  formatKillMatrix,
  isSound,
  type KillMatrix,
  killSummary,
  parseKillMatrix,
  renderKillMarkdown,
  renderKillTable,
} from '../report/kill-matrix.ts';
import { version } from '../version.ts';
import { type Given, readArguments, readDuration, readNumber, readShard, readText } from './arguments.ts';
import { writeOutput } from './files.ts';
import { tryAll } from './mutant-pool.ts';
import { nearMatches } from './near.ts';
import { UsageError } from './usage-error.ts';

const options = {
  seed: { type: 'string' },
  runs: { type: 'string' },
  'time-budget': { type: 'string' },
  shard: { type: 'string' },
  jobs: { type: 'string' },
  resume: { type: 'boolean' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  html: { type: 'string' },
} as const;

const defaultJson = 'reports/kill-matrix.json';
const defaultMarkdown = 'reports/kill-matrix.md';

/**
 * Tries the mutants named in `args`, all where none is. The matrix is written after every row, beside the rows of mutants
 * that this run does not try, so that `--resume` goes on where an interrupted run stopped. Gives 0 where each is killed by a rule that it breaks and by no other, or is
 * equivalent; else 1.
 */
export async function runMutants(args: readonly string[], signal: AbortSignal): Promise<number> {
  const given = readArguments('mutants', args, options);
  const budget = budgetOf(given);
  const jobs = readNumber(given, 'jobs', 1, 64) ?? availableParallelism();
  const json = readText(given, 'json') ?? defaultJson;
  const shard = readShard(given) ?? { index: 0, of: 1 };
  const all = await loadMutants();
  const chosen = chooseMutants(all, given.words).filter((_, at) => at % shard.of === shard.index);

  const earlier = earlierRows(json, all, budget);
  const rows = new Map<string, Kill>();
  const others = earlier.filter((row) => !chosen.some(({ id }) => id === row.id));
  const matrix = (ids: readonly Mutant[] = chosen): KillMatrix => ({
    format: 'pagecheck-kill-matrix',
    version: 1,
    pagecheck: version,
    seed: budget.seed,
    runs: budget.runs,
    rows: ids.flatMap(({ id }) => rows.get(id) ?? others.find((row) => row.id === id) ?? []),
  });
  if (given.values.resume === true)
    for (const row of earlier) if (chosen.some(({ id }) => id === row.id)) rows.set(row.id, row);
  const left = chosen.filter(({ id }) => !rows.has(id));
  if (left.length < chosen.length) process.stderr.write(`${chosen.length - left.length} rows are there already\n`);
  await tryAll(left, {
    budget,
    jobs,
    signal,
    onKill: (row) => {
      rows.set(row.id, row);
      writeOutput(json, formatKillMatrix(matrix(all)));
      showProgress(row, rows.size, chosen.length);
    },
  });

  writeOutput(readText(given, 'markdown') ?? defaultMarkdown, renderKillMarkdown(matrix(all)));
  const html = readText(given, 'html');
  if (html !== undefined) writeOutput(html, renderHtmlKillMatrix(matrix(all)));
  const sound = matrix().rows.filter(isSound).length;
  const lines = [
    renderKillTable(matrix().rows),
    ...killSummary(matrix().rows),
    '',
    `${sound} passed, ${rows.size - sound} failed, ${chosen.length - rows.size} skipped`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return sound === chosen.length ? 0 : 1;
}

function budgetOf(given: Given): KillBudget {
  return {
    ...defaultKillBudget,
    seed: readNumber(given, 'seed', 0, 2 ** 31 - 1) ?? defaultKillBudget.seed,
    runs: readNumber(given, 'runs', 1, 10_000_000) ?? defaultKillBudget.runs,
    timeBudgetMs: readDuration(given, 'time-budget') ?? defaultKillBudget.timeBudgetMs,
  };
}

/** The mutants under these ids, prefixes of ids such as `TOK`, and areas such as `token`; all where there are none. */
function chooseMutants(mutants: readonly Mutant[], words: readonly string[]): readonly Mutant[] {
  if (words.length === 0) return mutants;
  const suits = ({ id, area }: Mutant, word: string): boolean =>
    id === word.toUpperCase() || id === word || id.startsWith(`${word.toUpperCase()}-`) || area === word;
  for (const word of words) {
    if (mutants.some((mutant) => suits(mutant, word))) continue;
    const near = nearMatches(word, [...new Set(mutants.flatMap(({ id, area }) => [id, area]))]);
    throw new UsageError({
      where: `pagecheck mutants ${word}`,
      problem: 'is no mutant and no area',
      remedy: near.length > 0 ? `perhaps ${near.join(', ')}` : 'run `pagecheck mutants` without words for all of them',
    });
  }
  return mutants.filter((mutant) => words.some((word) => suits(mutant, word)));
}

/** Rows of an earlier run that are worth keeping: of this version, seed and budget, about the same fault. */
function earlierRows(path: string, mutants: readonly Mutant[], { seed, runs }: KillBudget): readonly Kill[] {
  const earlier = parseKillMatrix(readIfThere(path) ?? '');
  if (earlier?.pagecheck !== version || earlier.seed !== seed || earlier.runs !== runs) return [];
  return earlier.rows.filter((row) =>
    mutants.some(({ id, breaks }) => id === row.id && breaks.join() === row.breaks.join()),
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function showProgress({ id, outcome, kill, stray }: Kill, done: number, of: number): void {
  const by = kill === undefined ? '' : ` by ${kill.rule} after ${kill.ms.toFixed(0)} ms`;
  const also = stray.length === 0 ? '' : `; stray: ${stray.join(' ')}`;
  process.stderr.write(`${String(done).padStart(String(of).length)}/${of} ${id} ${outcome}${by}${also}\n`);
}
