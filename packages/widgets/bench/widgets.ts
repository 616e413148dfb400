/** What the elements cost a page beside a bare Lit element, in one run in one Chromium: script time until ready. `pnpm bench widgets` */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium, type Route } from 'playwright';
import { build } from 'rolldown';
import { CHROMIUM_ARGS, ensureChromium } from '../../../scripts/chromium.ts';
import { answer } from '../component-page/sessions.ts';

const ROUNDS = 9;
const ORIGIN = 'https://bench.invalid';

const session = await answer('', { headers: { authorization: 'Bearer cs_idle_secret' } });
const view = { ...(await session.json()), expiresAt: '2099-01-01T00:00:00Z' };
const bareLit = await build({
  input: fileURLToPath(new URL('lit-button.ts', import.meta.url)),
  platform: 'browser',
  write: false,
  output: { minify: true },
});
const candidates = [
  { name: '<pay-widget>, three elements', tag: 'pay-widget', script: read('../dist/cdn/widgets.js') },
  { name: 'bare Lit element', tag: 'lit-button', script: bareLit.output[0].code },
].map((candidate) => ({ ...candidate, times: [] as number[] }));

const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
// Turn by turn, so that a busy moment of the machine hits all of them alike. The first round warms up.
for (let round = 0; round <= ROUNDS; round++) {
  for (const { tag, times } of candidates) {
    const time = await readyTime(tag);
    if (round > 0) times.push(time);
  }
}
await browser.close();

console.table(
  candidates.map(({ name, script, times }) => ({
    element: name,
    'file, gzip': `${(gzipSync(script, { level: 9 }).length / 1024).toFixed(1)} kB`,
    'script time to ready, median': `${times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]?.toFixed(2)} ms`,
  })),
);

/** Milliseconds that the main thread spends in script from loading the file until the element shows its button. */
async function readyTime(tag: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route('**', serve);
  await page.goto(ORIGIN);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const before = await scriptSeconds(devtools);
  await page.evaluate(mountReady, { tag, origin: ORIGIN });
  const seconds = (await scriptSeconds(devtools)) - before;
  await context.close();
  return seconds * 1000;
}

async function serve(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const script = candidates.find(({ tag }) => pathname === `/${tag}.js`)?.script;
  if (pathname === '/v1/checkout') await route.fulfill({ json: view });
  else if (script) await route.fulfill({ contentType: 'text/javascript', body: script });
  else await route.fulfill({ contentType: 'text/html', body: '<!doctype html><html lang="en"><body></body></html>' });
}

async function scriptSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
}

/** Runs in the page: loads the file, mounts the element, and waits for its button. */
async function mountReady({ tag, origin }: { tag: string; origin: string }): Promise<void> {
  const element = document.createElement(tag);
  element.setAttribute('endpoint', origin);
  element.setAttribute('client-secret', 'cs_idle_secret');
  document.body.append(element);
  await import(`${origin}/${tag}.js`);
  while (!element.shadowRoot?.querySelector('[part~=button]')) await new Promise(requestAnimationFrame);
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
