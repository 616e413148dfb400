/** A page with the desk, and answers for it, without a proxy: for tests of the elements alone. */
import type { Browser } from 'playwright';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self' https://pay.example",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  // Vue has one of its own.
  'trusted-types lit-html vue',
  'img-src data:',
].join('; ');

/** A day without a single payment left to see, and large totals: what takes the most room. */
const ANSWERS: Readonly<Record<string, object>> = {
  desk: {
    property: { name: 'Hotel Aurora', livemode: false, timeZone: 'Europe/Vienna', maxAmount: null },
    person: { id: 'anna' },
    features: ['read', 'link'],
  },
  payments: {
    data: [],
    nextCursor: null,
    totals: [
      { currency: 'EUR', payments: 412, taken: 123_456_700, reversals: 38, reversed: 1_234_500, net: 122_222_200 },
    ],
    position: 0,
    days: { today: '2026-11-26' },
  },
  events: { data: [], nextAfter: 0 },
};

/** Opens it: scripts by their path, of which `/page.js` is the page's, unless it has HTML of its own. */
export async function openDeskPage(
  browser: Browser,
  {
    scripts,
    html = '<!doctype html><html lang="de"><title>Office</title><body><script type="module" src="/page.js"></script>',
    width = 1280,
  }: { scripts: Readonly<Record<string, string>>; html?: string; width?: number },
) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  /** Uncaught exceptions, and what the page's policy has blocked. */
  const errors: string[] = [];
  /** What the desk was asked with. */
  const secrets = new Set<string>();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.route('**/*', (route) => {
    const path = new URL(route.request().url()).pathname;
    const script = scripts[path];
    if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: script });
    const answer = ANSWERS[path.replace(/^(\/innkeep)?\/v1\//, '')];
    if (answer !== undefined) {
      secrets.add(route.request().headers().authorization ?? '');
      return route.fulfill({ json: answer, headers: { 'access-control-allow-origin': '*' } });
    }
    return route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': POLICY }, body: html });
  });
  await page.goto('https://office.example/');
  return { page, errors, secrets };
}
