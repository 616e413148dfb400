/** Takes a picture of every state in light, dark and right-to-left, narrow and wide: `node scripts/screenshots.ts [folder]` */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, ensureChromium } from '../../../scripts/chromium.ts';
import { serveComponentPage } from './component-page.ts';

const SHEETS = [
  { name: 'light', query: 'theme=light' },
  { name: 'dark', query: 'theme=dark' },
  { name: 'rtl', query: 'theme=light&locale=ar' },
  { name: 'rtl-dark', query: 'theme=dark&locale=he' },
  { name: 'narrow', query: 'theme=light&width=280px&locale=de' },
  { name: 'wide', query: 'theme=light&width=720px' },
] as const;

const folder = process.argv[2] ?? 'screenshots';
const page = await serveComponentPage(0);
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
try {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  for (const { name, query } of SHEETS) {
    await tab.goto(`${page.url}/?${query}`);
    await tab.locator('#unknown pay-widget[state=unknown]').waitFor();
    await tab.locator('#opening pay-widget[state=opening]').waitFor();
    mkdirSync(join(folder, name), { recursive: true });
    await tab.screenshot({ path: join(folder, `${name}.png`), fullPage: true, animations: 'disabled' });
    for (const figure of await tab.locator('#states figure').all()) {
      const state = await figure.getAttribute('id');
      await figure.screenshot({ path: join(folder, name, `${state}.png`), animations: 'disabled' });
    }
    console.log(`${name}: ${await tab.locator('#states figure').count()} pictures in ${join(folder, name)}`);
  }
} finally {
  await browser.close();
  page.close();
}
