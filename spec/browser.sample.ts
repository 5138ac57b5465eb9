/** A real browser for the tests of what people look at. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * What is used of playwright-core. Its own types stand on those of a browser, which this program is not compiled with.
 * `evaluate` runs the text in the page.
 */
export interface Page {
  evaluate(script: string): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  close(): Promise<void>;
  setDefaultTimeout(ms: number): void;
  on(event: 'console', listen: (message: { text(): string }) => void): void;
  on(event: 'pageerror', listen: (error: Error) => void): void;
  on(event: 'request', listen: (request: { url(): string }) => void): void;
  locator(selector: string): Locator;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  screenshot(options: {
    path: string;
    fullPage: boolean;
    clip: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
  }): Promise<unknown>;
  title(): Promise<string>;
}

export interface Locator {
  click(): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  uncheck(): Promise<void>;
  allTextContents(): Promise<string[]>;
  textContent(): Promise<string | null>;
  getAttribute(name: string): Promise<string | null>;
  count(): Promise<number>;
  first(): Locator;
  locator(selector: string): Locator;
}

export interface Browser {
  newPage(options: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' }): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: { launch(options: { executablePath: string; args: readonly string[] }): Promise<Browser> };
}

const require = createRequire(import.meta.url);
const { chromium } = require('playwright-core') as Playwright;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium: `PAGECHECK_CHROMIUM`, else the first on the PATH; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env.PAGECHECK_CHROMIUM;
  if (given !== undefined && given !== '') return given;
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What a test without a browser says. */
export const noBrowser =
  'no Chromium was found: apt-get install chromium, or set PAGECHECK_CHROMIUM to the path of a Chromium';

/** Starts a browser; root may not use Chromium's own sandbox. */
export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** How a page is looked at. */
export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

export const looks: readonly Look[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
];

/** A page that was opened, and all that it complained of or asked the network for. */
export interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

/** Opens a file as a user does, by its address. */
export async function openReport(browser: Browser, path: string, { width, colorScheme }: Look): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${path}`);
  return { page, complaints, requests };
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page: the rule, the element that breaks it, and how. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // By evaluation, not as a script element: the page's own policy allows no script but its own.
  await page.evaluate(`${axe};undefined`);
  const found = await page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))`);
  return found as readonly string[];
}
