/** Looks at the sample reports and keeps what it sees: `node --import tsx spec/screenshots.ts`. */
import { fileURLToPath } from 'node:url';
import { findChromium, looks, noBrowser, openReport, startBrowser } from './browser.sample.ts';

const reports = fileURLToPath(new URL('../reports/', import.meta.url));

const chromium = findChromium();
if (chromium === undefined) throw new Error(noBrowser);
const browser = await startBrowser(chromium);
for (const name of ['certificate-failing', 'certificate-passing', 'cost']) {
  for (const look of looks) {
    const { page } = await openReport(browser, `${reports}sample-${name}.html`, look);
    const height = look.width === 360 ? 2_400 : 1_400;
    const clip = { x: 0, y: 0, width: look.width, height };
    await page.screenshot({
      path: `${reports}sample-${name}-${look.width}-${look.colorScheme}.png`,
      fullPage: true,
      clip,
    });
    await page.close();
  }
}
await browser.close();
