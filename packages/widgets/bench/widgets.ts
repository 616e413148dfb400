/** What the elements cost a page beside a bare Lit element, in one run in one Chromium: script time until ready. `pnpm bench widgets` */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium } from 'playwright';
import { rolldown } from 'rolldown';
import { CHROMIUM_ARGS, ensureChromium } from '../../../scripts/chromium.ts';

const ROUNDS = 9;

const BARE_LIT = `
  import { html, LitElement } from 'lit';
  customElements.define('lit-button', class extends LitElement {
    render() { return html\`<button part="button">Pay</button>\`; }
  });`;

const VIEW = {
  ...{ id: 'cs_bench', kind: 'payment', status: 'open', final: false, seq: 1, livemode: true, surcharge: false },
  ...{ amount: { value: 12_000, currency: 'EUR' }, hotelName: 'Hotel Aurora', reference: 'RES-1', description: null },
  ...{ receipt: null, error: null, expiresAt: '2099-01-01T00:00:00Z', nextPollMs: 1000 },
};

interface Candidate {
  name: string;
  tag: string;
  script: string;
}

const pay = readFileSync(fileURLToPath(new URL('../dist/cdn/widgets.js', import.meta.url)), 'utf8');
const candidates: readonly Candidate[] = [
  { name: '<pay-widget>, three elements', tag: 'pay-widget', script: pay },
  { name: 'bare Lit element', tag: 'lit-button', script: await bundle(BARE_LIT) },
];

const server = createServer((request, response) => {
  const candidate = candidates.find(({ tag }) => request.url === `/${tag}.js`);
  if (request.url === '/v1/checkout') response.setHeader('content-type', 'application/json').end(JSON.stringify(VIEW));
  else if (candidate) response.setHeader('content-type', 'text/javascript').end(candidate.script);
  else response.setHeader('content-type', 'text/html').end('<!doctype html><html lang="en"><body></body></html>');
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
// A server that listens on a port has an address with one.
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: [...CHROMIUM_ARGS],
});

try {
  const rows: Record<string, Record<string, string>> = {};
  const times = new Map<string, number[]>(candidates.map(({ tag }) => [tag, []]));
  // Turn by turn, so that a busy moment of the machine hits all of them alike. The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { tag } of candidates) {
      const time = await readyTime(tag);
      if (round > 0) times.get(tag)?.push(time);
    }
  }
  for (const { name, tag, script } of candidates) {
    const sorted = (times.get(tag) ?? []).sort((left, right) => left - right);
    rows[name] = {
      'file, gzip': `${(gzipSync(script, { level: 9 }).length / 1024).toFixed(1)} kB`,
      'script time to ready, median': `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(2)} ms`,
    };
  }
  console.table(rows);
} finally {
  await browser.close();
  server.close();
}

async function bundle(code: string): Promise<string> {
  const build = await rolldown({
    input: 'bench-entry',
    platform: 'browser',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'bench-entry' ? fileURLToPath(new URL('./bench-entry.js', import.meta.url)) : null),
        load: (id) => (id.endsWith('bench-entry.js') ? code : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output[0].code;
}

/** Time the main thread spends in script from loading the file until the element shows its button. */
async function readyTime(tag: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const before = await scriptSeconds(devtools);
  await page.evaluate(mountReady, { tag, origin });
  const seconds = (await scriptSeconds(devtools)) - before;
  await context.close();
  return seconds * 1000;
}

async function scriptSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
}

/** Runs in the page: loads the file, mounts the element, and waits for its button. */
async function mountReady({ tag, origin }: { tag: string; origin: string }): Promise<void> {
  const element = document.createElement(tag);
  element.setAttribute('endpoint', origin);
  element.setAttribute('client-secret', 'cs_bench_secret');
  document.body.append(element);
  await import(`${origin}/${tag}.js`);
  while (!element.shadowRoot?.querySelector('[part~=button]')) await new Promise(requestAnimationFrame);
}
