/**
 * Keeps the house rules that a reader can't be asked to check: who may import whom, who touches the outside, names, and
 * sizes. Each rule says why it exists; a rule that gets in the way is changed here, in the open.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  /** What it imports: paths from the root for relative imports, else names of packages. */
  readonly imports: readonly string[];
}

/**
 * Layers from the bottom up: a file imports from its own layer or from one below, so that every part can be read,
 * tested and trusted without what stands on it. `src/subject/subject.ts` and `usage-error.ts` are the interface of subjects,
 * below the engine that drives them; their adapters stand above it. The kill matrix drives the suite; the mutants do not.
 */
const layers: readonly (readonly string[])[] = [
  ['spec', 'src/task', 'src/version.ts'],
  ['models', 'src/history', 'src/token'],
  ['src/store', 'src/subject/subject.ts', 'src/subject/usage-error.ts'],
  ['src/dispatcher'],
  ['src/wire'],
  ['src/generate', 'src/run', 'src/check'],
  ['src/subject', 'src/mutants'],
  ['src/suite', 'src/mutants/kill.ts'],
  ['src/report'],
  ['src/plugin', 'src/cli', 'src/vitest.ts', 'src/index.ts'],
];

interface Separation {
  readonly parts: readonly string[];
  readonly never: readonly string[];
  readonly why: string;
}

/** What a part may not import although it stands above it. */
const separations: readonly Separation[] = [
  {
    parts: ['src/token', 'src/store', 'src/dispatcher', 'src/wire'],
    never: ['models', 'src/history', 'src/check', 'src/suite', 'src/subject', 'fast-check'],
    why: 'an implementation that knows the model is compared with itself',
  },
  {
    parts: ['models', 'src/history'],
    never: ['src/token', 'src/store', 'src/dispatcher', 'src/wire', 'src/subject', 'fast-check', 'node:'],
    why: 'the oracle shares nothing with what it judges but task types',
  },
  {
    parts: ['src/check'],
    never: ['src/token', 'src/store', 'src/dispatcher', 'src/wire', 'src/run', 'src/generate', 'fast-check', 'node:'],
    why: 'a check is a pure function from history to verdict',
  },
  {
    parts: [
      'spec',
      'models',
      'src/task',
      'src/history',
      'src/check',
      'src/generate',
      'src/suite',
      'src/report',
      'src/plugin',
    ],
    never: ['vitest'],
    why: 'test runners are passed in, so that users keep their own',
  },
  {
    parts: [
      'spec',
      'models',
      'src/task',
      'src/token',
      'src/dispatcher',
      'src/generate',
      'src/suite',
      'src/report',
      'src/plugin',
    ],
    never: ['node:fs', 'node:net', 'node:http', 'node:child_process', 'node:worker_threads', 'node:dns', 'node:os'],
    why: 'only cli, bench, run, the PostgreSQL store, wire and the subjects on them touch files, network and processes',
  },
];

/** Lines a file may have. Soft: a file that needs more is named in `longer` with the reason. */
const LINE_LIMIT = 500;
const TEST_LINE_LIMIT = 600;
const longer: Readonly<Record<string, string>> = {};

const files = ['src', 'models', 'spec', 'bench', 'examples'].flatMap(sourcesIn);
const shipped = files.filter((file) => !file.isTest && /^(src|models|spec)\//.test(file.path));

function sourcesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.split(sep).join('/')}`)
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {
        path,
        text,
        isTest: /\.(test|spec|sample)\.ts$|^spec\/bad-subjects\//.test(path),
        imports: importsOf(path, text),
      };
    });
}

function importsOf(path: string, text: string): readonly string[] {
  const specifiers = text.matchAll(/(?:^(?:import|export)\b[^'"`;]*?|\bimport\()\s*'([^']+)'/gm);
  return Array.from(specifiers, ([, name]) =>
    name!.startsWith('.')
      ? normalize(join(dirname(path), name!))
          .split(sep)
          .join('/')
      : name!,
  );
}

const isIn = (path: string, part: string): boolean =>
  path === part || path.startsWith(part.endsWith(':') ? part : `${part}/`);

/** The layer of a file: that of the longest part which holds it. */
function layerOf(path: string): number {
  let best = { length: -1, layer: -1 };
  for (const [layer, parts] of layers.entries()) {
    for (const part of parts) if (isIn(path, part) && part.length > best.length) best = { length: part.length, layer };
  }
  return best.layer;
}

/** `path:line` of every line that matches, outside this file, which has to spell what it forbids. */
function linesWith(pattern: RegExp, among: readonly SourceFile[]): readonly string[] {
  return among
    .filter((file) => file.path !== 'spec/tidy.test.ts')
    .flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file.path}:${at + 1}: ${line.trim()}`] : [])),
    );
}

function upwardImports(among: readonly SourceFile[]): readonly string[] {
  return among.flatMap((file) =>
    file.imports.filter((name) => layerOf(name) > layerOf(file.path)).map((name) => `${file.path} imports ${name}`),
  );
}

function crossingImports(among: readonly SourceFile[], { parts, never }: Separation): readonly string[] {
  return among
    .filter((file) => parts.some((part) => isIn(file.path, part)))
    .flatMap((file) =>
      file.imports
        .filter((name) => never.some((part) => isIn(name, part)))
        .map((name) => `${file.path} imports ${name}`),
    );
}

describe('imports', () => {
  it('are found, so that the rules below judge something', () => {
    expect(shipped.length).toBeGreaterThan(20);
    expect(shipped.find((file) => file.path === 'spec/contract.ts')?.imports).toContain('spec/rules/access.ts');
    expect(
      importsOf(
        'src/a/b.ts',
        "import {\n  x,\n} from '../c/d.ts';\nexport * from './e.ts';\nimport 'pg';\nawait import('./f.ts');",
      ),
    ).toEqual(['src/c/d.ts', 'src/a/e.ts', 'pg', 'src/a/f.ts']);
  });

  it('know the layer of every file', () => {
    expect(shipped.filter((file) => layerOf(file.path) < 0).map((file) => file.path)).toEqual([]);
  });

  it('point downward only', () => {
    expect(upwardImports(shipped)).toEqual([]);
  });

  it.each(separations)('keep $parts apart from $never: $why', (separation) => {
    expect(crossingImports(shipped, separation)).toEqual([]);
  });

  it('would be told', () => {
    const file = (path: string, ...imports: string[]): SourceFile => ({ path, text: '', isTest: false, imports });
    expect(
      upwardImports([file('src/check/a.ts', 'src/suite/b.ts'), file('src/run/a.ts', 'src/subject/subject.ts')]),
    ).toEqual(['src/check/a.ts imports src/suite/b.ts']);
    const told = separations.map(({ parts, never, why }) =>
      crossingImports([file(`${parts[0]}/a.ts`, never[0]!.includes('/') ? `${never[0]}/b.ts` : never[0]!)], {
        parts,
        never,
        why,
      }),
    );
    expect(told.map((lines) => lines.length)).toEqual(separations.map(() => 1));
  });

  it('name files with their extension', () => {
    const bare = files.flatMap((file) =>
      file.imports.filter((name) => /^(src|models|spec|bench|examples)\//.test(name) && !/\.(ts|json)$/.test(name)),
    );
    expect(bare).toEqual([]);
  });
});

describe('the outside', () => {
  it('is left only by the command line: nothing else ends the process or sets its status', () => {
    const enders = linesWith(/\bprocess\.(exit\b|exitCode\s*=[^=]|abort\b)/, shipped);
    expect(enders.filter((line) => !line.startsWith('src/cli/'))).toEqual([]);
  });

  it('gives the time in few places only, so that everything else runs the same twice', () => {
    // The suite measures what checks cost and keeps a budget; neither decides a verdict.
    const clocks = linesWith(/\b(Date\.now|performance\.now|process\.hrtime)\b|\bnew Date\(\)/, shipped);
    const allowed =
      /^src\/(cli|run|suite|wire|subject|mutants\/(kill|wrong-stores)\.ts|task\/clock\.ts|store\/postgres)/;
    expect(clocks.filter((line) => !allowed.test(line))).toEqual([]);
  });

  it('gives chance only to who chooses a seed, so that a run is decided by it', () => {
    const allowed = /^src\/(cli|plugin|run|wire|subject|store\/postgres)/;
    const chances = linesWith(/\b(Math\.random|randomUUID|randomBytes)\b/, shipped);
    expect(chances.filter((line) => !allowed.test(line))).toEqual([]);
  });
});

describe('names', () => {
  it('say what a file is for: no utils, helpers, common, manager, impl', () => {
    const vague = /(^|[-./])(utils?|helpers?|common|misc|managers?|impl)([-./]|$)/i;
    expect(files.filter((file) => vague.test(file.path)).map((file) => file.path)).toEqual([]);
  });

  it('say what a declaration is for', () => {
    const vague = /\b(class|interface|type|function|const|let)\s+\w*(Utils?|Helpers?|Common|Manager|Impl)\b/;
    expect(linesWith(vague, files)).toEqual([]);
  });

  it('are kebab-case in file names', () => {
    const odd = files.filter((file) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(file.path.split('/').at(-1)!));
    expect(odd.map((file) => file.path)).toEqual([]);
  });
});

describe('files', () => {
  it('leave nothing for later', () => {
    expect(linesWith(/\b(TODO|FIXME|XXX|HACK)\b/, files)).toEqual([]);
  });

  it('name no mutant where programs are made, run and judged: a check knows rules only', () => {
    const judging = /^(src\/(check|generate|run|history|suite)|models)\//;
    const mutant = /\b(TOK|MEM|PG|AUTH|WIRE|MIG|COST|RACE|OLD)-\d\d|\bWRONG-[a-z]/;
    const allowed = /^src\/suite\/(prove|with-proof)\.ts$/;
    const shippedThere = shipped.filter(({ path }) => judging.test(path) && !allowed.test(path));
    expect(linesWith(mutant, shippedThere)).toEqual([]);
    expect(shippedThere.filter(({ imports }) => imports.some((one) => one.startsWith('src/mutants/')))).toEqual([]);
  });

  it(`have at most ${LINE_LIMIT} lines, tests ${TEST_LINE_LIMIT}, or a reason`, () => {
    const long = files
      .map((file) => ({ ...file, lines: file.text.split('\n').length - 1 }))
      .filter((file) => file.lines > (file.isTest ? TEST_LINE_LIMIT : LINE_LIMIT) && longer[file.path] === undefined)
      .map((file) => `${file.path} has ${file.lines} lines`);
    expect(long).toEqual([]);
  });

  it('give a reason only where one is needed', () => {
    const known = new Set(files.map((file) => file.path));
    expect(Object.keys(longer).filter((path) => !known.has(path))).toEqual([]);
  });

  it('say at their head what they are', () => {
    const bare = shipped.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text));
    expect(bare.map((file) => file.path)).toEqual([]);
  });
});

describe('tests', () => {
  it('all run: none is singled out or left out, and one that skips itself says why', () => {
    expect(linesWith(/\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo|fails)\b/, files)).toEqual([]);
    expect(linesWith(/\b(context|ctx|task)\.skip\(\s*\)/, files)).toEqual([]);
  });

  it('do not sleep for a fixed time', () => {
    const tests = files.filter((file) => file.isTest);
    expect(linesWith(/setTimeout\(\s*\w+\s*,\s*\d{3,}\s*\)/, tests)).toEqual([]);
  });
});
