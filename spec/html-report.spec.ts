/** The HTML report, looked at in a real browser. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { Kill } from '../src/mutants/kill.ts';
import { renderHtmlCertificates } from '../src/report/html/certificate.ts';
import { renderHtmlCosts } from '../src/report/html/cost.ts';
import { renderHtmlKillMatrix } from '../src/report/html/kill-matrix.ts';
import { createMemorySubject } from '../src/subject/memory.ts';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../src/suite/certificate.sample.ts';
import { measureCost } from '../src/suite/cost.ts';
import {
  axeViolations,
  type Browser,
  findChromium,
  type Look,
  looks,
  noBrowser,
  openReport,
  type Page,
  startBrowser,
} from './browser.sample.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pagecheck-html-'));
const chromium = findChromium();
let browser: Browser | undefined;

/** The report of the released SDK's store, as the command line writes it. */
const failing = join(folder, 'failing.html');
const passing = join(folder, 'passing.html');
const hostile = join(folder, 'hostile.html');
const costs = join(folder, 'costs.html');
const kills = join(folder, 'kills.html');

const nasty = '<script>document.title="taken"</script>"\u0000\ud800\u202e<img src=x onerror=alert(1)>';

beforeAll(async () => {
  if (chromium === undefined) {
    process.stderr.write(`skipped: ${noBrowser}\n`);
    return;
  }
  const args = ['certify', 'examples/a2a-js-memory.ts', '--profile', 'a2a-1.0', '--runs', '2000', '--html', failing];
  expect(await pagecheck(args)).toBe(1);
  writeFileSync(
    passing,
    renderHtmlCertificates([
      sampleCertificate([
        sampleResult('WALK-3', 'pass', { witnesses: 62_186 }),
        sampleResult('ORDER-1', 'pass', { witnesses: 900 }),
        sampleResult('SNAP-1', 'not-run', { witnesses: 0, reason: 'needs several clients at once' }),
      ]),
    ]),
  );
  writeFileSync(hostile, renderHtmlCertificates([hostileCertificate()]));
  const cost = await measureCost(createMemorySubject(), { sizes: [1_000, 10_000], seed: 1, timeBudgetMs: 60_000 });
  writeFileSync(costs, await renderHtmlCosts([cost]));
  const kill: Kill = {
    id: 'TOK-01',
    area: 'token',
    fault: `cuts the id at ${nasty}`,
    breaks: ['TOKEN-2'],
    fired: [{ rule: 'TOKEN-2', run: 3, ms: 12 }],
    outcome: 'killed',
    stray: [],
    programs: 600,
    triedMs: 100,
    kill: { rule: 'TOKEN-2', run: 3, ms: 12 },
    steps: 4,
  };
  const rows: readonly Kill[] = [kill, { ...kill, id: 'TOK-02', outcome: 'survived', fired: [] }];
  writeFileSync(
    kills,
    renderHtmlKillMatrix({ format: 'pagecheck-kill-matrix', version: 1, pagecheck: '0.1.0', seed: 1, runs: 600, rows }),
  );
  browser = await startBrowser(chromium);
}, 300_000);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The exit status of the real command line. */
function pagecheck(args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'src/cli/main.ts'), ...args], {
      cwd: root,
      stdio: 'ignore',
      timeout: 100_000,
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

function hostileCertificate() {
  const { finding } = sampleCounterexample;
  const counterexample = {
    ...sampleCounterexample,
    program: { ...sampleCounterexample.program, tasks: { A: nasty, B: `${nasty}2` } },
    finding: { ...finding, saw: nasty, marks: [{ id: nasty, how: 'lost' as const, entry: 1 }] },
    timeline: [
      { entry: 0, client: 0, call: 0, return: 1, op: 'create', task: nasty, detail: nasty },
      { entry: 1, client: 0, call: 2, return: 3, op: 'list', page: { items: [`${nasty}2`], ends: true, where: nasty } },
    ],
  };
  return sampleCertificate([sampleResult('TOKEN-5', 'fail', { counterexample, reason: nasty })], {
    subject: nasty,
    notes: [nasty],
  });
}

const wide = looks[0]!;

/** The browser, or the reason why a test can't run, said loudly. */
function browserOr(skip: TestContext['skip']): Browser {
  if (browser === undefined) skip(noBrowser);
  return browser as Browser;
}

/** The names of the rows that a table shows, in order. */
const rowNames = (page: Page): Promise<string[]> => page.locator('#rules tbody tr:not([hidden]) th').allTextContents();

describe.each([
  ['a failing run', failing],
  ['a passing run', passing],
  ['a store whose ids are markup', hostile],
  ['costs', costs],
  ['the kill matrix', kills],
])('the report of %s', (_, path) => {
  it.for(looks)(
    'at $width px, $colorScheme, opens from a file without complaint or request, has nothing to scroll sideways and nothing for axe to find',
    async (look: Look, { skip }: TestContext) => {
      const { page, complaints, requests } = await openReport(browserOr(skip), path, look);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([`file://${path}`]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
      expect(await axeViolations(page)).toEqual([]);
      await page.close();
    },
  );
});

describe('what a report says first', () => {
  it('is the subject, the profile and the verdict in words, with what is wrong', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), failing, wide);
    const head = (await page.locator('header').first().textContent()) ?? '';
    expect(head).toContain('@a2a-js/sdk 1.3.0 InMemoryTaskStore');
    expect(head).toContain('a2a-1.0');
    expect(head).toMatch(/Does not conform: \d rules are violated/);
    expect(head).toMatch(/WALK-3: a stable task appears exactly once\. Seen: task "\w+" never appears in walk/);
    await page.close();
  });

  it('is that a store conforms, and by how many chances to fail', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), passing, wide);
    const head = (await page.locator('header').first().textContent()) ?? '';
    expect(head).toContain('Conforms: all 2 rules that were judged hold.');
    expect(head).toContain('at least 900 times');
    await page.close();
  });
});

describe('the picture of WALK-3', () => {
  it('shows the lost task where it belongs, the boundary, and the write that came between', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), failing, wide);
    const article = page.locator('article[id$=walk-3]');
    const picture = article.locator('svg.timeline');
    const lost = await picture.locator('text.bad').allTextContents();
    const [, id] = /task "(\w+)" never appears/.exec((await article.textContent()) ?? '') ?? [];
    expect(lost).toEqual([`✕ ${id}`, `${id} is LOST: it belongs here`]);
    expect(await picture.locator('.chip.lost').count()).toBe(1);
    expect(await picture.locator('.page.fault').count()).toBe(1);
    expect(await picture.locator('text.boundary').count()).toBeGreaterThan(0);
    expect(await picture.locator('text.touched').allTextContents()).toEqual(['↑ writes the boundary task']);
    expect(await picture.locator('path.link').count()).toBe(1);
    expect(await picture.locator('desc').textContent()).toContain(`${id} is LOST`);
    await page.close();
  });

  it('stands beside its program and its explanation', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), failing, wide);
    const article = page.locator('article[id$=walk-3]');
    expect((await article.locator('ol.program li').allTextContents()).join('\n')).toMatch(
      /create A .*first w page size 1/s,
    );
    expect(await article.locator('.witness b').allTextContents()).toEqual(
      expect.arrayContaining(['Let', 'Then', 'However']),
    );
    await page.close();
  });
});

describe('the table of rules', () => {
  it('sorts by mouse and by keyboard, and back to its own order', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), failing, wide);
    const own = await rowNames(page);
    const head = page.locator('th[scope=col]:has-text("witnesses")').first();
    await head.locator('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    const most = await rowNames(page);
    expect([...most].sort()).toEqual([...own].sort());
    const figures = (await page.locator('#rules tbody tr td:nth-child(4)').allTextContents()).map((text) =>
      Number(text.replaceAll(',', '')),
    );
    expect(figures).toEqual([...figures].sort((a, b) => b - a));

    await head.locator('button').focus();
    await page.keyboard.press('Enter');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Space');
    expect(await head.getAttribute('aria-sort')).toBe('none');
    expect(await rowNames(page)).toEqual(own);
    await page.close();
  });

  it('filters by text and by verdict, and tells how many rows are left', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), failing, wide);
    const form = page.locator('#rules form');
    await form.locator('input[type=search]').focus();
    await page.keyboard.type('walk-');
    expect(await rowNames(page)).toEqual(['WALK-1', 'WALK-2', 'WALK-3', 'WALK-4', 'WALK-5', 'WALK-6', 'WALK-7']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const left = await rowNames(page);
    expect(left).not.toContain('WALK-3');
    expect(await form.locator('[aria-live]').textContent()).toBe(`showing ${left.length} of 54`);
    await page.close();
  });

  it('is reached past the head by the first link of the page', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), failing, wide);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.close();
  });
});

describe('the page of costs', () => {
  it('draws counters against the number of tasks and the depth, with classes and bounds', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), costs, wide);
    expect((await page.locator('.verdict').first().textContent()) ?? '').toContain('memory keeps its bounds');
    const charts = await page.locator('figure.plot figcaption').allTextContents();
    expect(charts).toEqual(
      expect.arrayContaining([
        'visits a page, against the number of tasks',
        'visits a page, against the depth at 10,000 tasks',
      ]),
    );
    const words = (await page.locator('figure.plot svg text').allTextContents()).join(' | ');
    expect(words).toContain('memory, first page (constant)');
    expect(words).toContain('allowed: 51');
    await page.close();
  });
});

describe('the page of mutants', () => {
  it('says first that one survived, and names it', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), kills, wide);
    expect(await page.locator('.verdict').first().textContent()).toContain('1 of 2 faulty stores are not caught');
    await page.locator('form input[value=killed]').first().uncheck();
    expect(await page.locator('#mutant-table tbody tr:not([hidden]) th').allTextContents()).toEqual(['TOK-02']);
    await page.close();
  });
});

describe('text that comes from a store', () => {
  it('acts on nothing and shows what it is', async ({ skip }) => {
    const { page } = await openReport(browserOr(skip), hostile, wide);
    expect(await page.title()).toContain('<script>');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    const said = (await page.locator('main').textContent()) ?? '';
    expect(said).toContain('\\u{0}\\u{d800}\\u{202e}<img src=x');
    await page.close();
  });
});
