/** `npm run bench`: runs the parts of the benchmark, prints their tables and writes all of it as JSON. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readEnvironment } from './environment.ts';
import { type BenchReport, renderHtmlBench } from './html-report.ts';
import { parts } from './parts.ts';
import { type BenchTable, renderTable } from './table.ts';

const USAGE = `usage: npm run bench -- [--quick] [--json FILE] [--html FILE] [PART ...]\nparts: ${parts.map(({ name }) => name).join(' ')}\n`;

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  const chosen = positionals.length === 0 ? parts : parts.filter(({ name }) => positionals.includes(name));
  const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
  if (values.help || unknown.length > 0) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    return values.help ? 0 : 3;
  }

  const environment = readEnvironment();
  const startedAt = new Date().toISOString();
  const { node, cpu, cores, memoryGiB } = environment;
  process.stdout.write(
    `Node.js ${node}, ${cpu}, ${cores} cores, ${memoryGiB} GiB${values.quick ? ', quick run' : ''}\n\n`,
  );
  const tables: BenchTable[] = [];
  for (const { name } of chosen) {
    const table = await runApart(name, values.quick);
    if (table === undefined) return 4;
    tables.push(table);
    process.stdout.write(`${renderTable(table)}\n`);
  }

  const targets = tables.flatMap(({ rows }) => rows).flatMap(({ target }) => target ?? []);
  const met = targets.filter((target) => target.met).length;
  mkdirSync('reports', { recursive: true });
  const file = values.json ?? `reports/bench${values.quick ? '-quick' : ''}.json`;
  const report: BenchReport = {
    format: 'pagecheck-bench',
    version: 1,
    startedAt,
    quick: values.quick,
    environment,
    tables,
  };
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  if (values.html !== undefined) writeFileSync(values.html, await renderHtmlBench(report));
  process.stdout.write(`${met} of ${targets.length} targets met; written to ${file}\n`);
  return 0;
}

/**
 * Runs a part in a process of its own, so that neither the heap nor the compiled code of another weighs on it. Undefined
 * where that process failed; it has said why.
 */
async function runApart(name: string, quick: boolean): Promise<BenchTable | undefined> {
  const child = fork(fileURLToPath(new URL('part-process.ts', import.meta.url)), [name, quick ? 'quick' : '']);
  let table: BenchTable | undefined;
  child.on('message', (message) => {
    table = message as BenchTable;
  });
  await once(child, 'exit');
  return table;
}

function readArguments(): {
  values: { quick: boolean; json?: string; html?: string; help: boolean };
  positionals: string[];
} {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        html: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`);
    process.exit(3);
  }
}

process.exitCode = await main();
