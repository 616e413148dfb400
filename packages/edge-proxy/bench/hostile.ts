/**
 * `pnpm bench hostile`: whether one hotel's hostile payment service or gateway keeps another hotel waiting. Two hotels in one
 * `workerd serve`: one reads a status over and over, the other makes calls, eight at once, whose answers are the worst we know.
 * Shown are the longest waits of the quiet hotel, and the work of the process in one of them, which is the wait on a machine that does
 * nothing else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { benchProperty, startProxyRuntime } from './product.ts';
import { startUpstream } from './upstream.ts';

const LIMIT_MS = 100;
const AT_ONCE = 8;
const ROUND_MS = 4_000;
const KEYS = { quiet: `sk_test_${'quiet'.repeat(8)}`, hostile: `sk_test_${'hostile'.repeat(6)}` };

const repeated = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
const json = (text: string): string => JSON.stringify({ returnCode: '5', returnText: text });
const KIB = 1_024;
/** Answers to calls of the payment service: as much as is read of one, and more than that. */
const ANSWERS: Readonly<Record<string, string>> = {
  'card numbers': json(repeated('4242 4242 4242 4242 ', 60 * KIB)),
  'lone digits': json(repeated('4 ', 60 * KIB)),
  zeros: json(repeated('0-', 60 * KIB)),
  'bearer tokens': json(repeated('Bearer ', 60 * KIB)),
  controls: json(repeated('\u001b[31m\u202e', 8 * KIB)),
  'many members': JSON.stringify(Object.fromEntries(Array.from({ length: 3_000 }, (_, nth) => [`a${nth}`, '4 4 4']))),
  'many levels': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'many lists': `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  'no JSON': repeated('{"', 60 * KIB),
  'one megabyte': json(repeated('4 ', 1_024 * KIB)),
};
/** Answers of the gateway: as much as is passed on. */
const BODIES: Readonly<Record<string, string>> = {
  'card numbers': repeated('4242 4242 4242 4242 ', 4_096 * KIB),
  'lone digits': repeated('4 ', 4_096 * KIB),
  zeros: repeated('0-', 4_096 * KIB),
  letters: repeated('<a>', 4_096 * KIB),
  'no UTF-8': repeated('4\u00e4 ', 4_096 * KIB),
};

let answer = '';
const hostile = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const isLogin = request.url?.endsWith('/login') === true;
    const body = isLogin ? JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 4_800 }) : answer;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body, 'latin1');
  });
});
await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
const quiet = await startUpstream();
const root = mkdtempSync(join(tmpdir(), 'innkeep-bench-'));
const property = (key: string, baseUrl: string): object =>
  benchProperty(baseUrl, {
    key,
    scopes: ['checkout', 'gateway'],
    gateway: { apiKey: 'g'.repeat(40), allow: ['RMS/roomreq'] },
  });
const env = {
  PROPERTY_QUIET: JSON.stringify(property(KEYS.quiet, quiet.url)),
  PROPERTY_HOSTILE: JSON.stringify(
    property(KEYS.hostile, `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`),
  ),
};
const runtime = await startProxyRuntime(join(root, 'product'), env);

const post = (path: string, secret: string, body: string): Promise<Response> =>
  fetch(`${runtime.url}/v1/${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  });
const session = (key: string): Promise<{ clientSecret: string }> =>
  post(
    'checkout-sessions',
    key,
    JSON.stringify({ kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-1' }),
  ).then((response) => response.json() as Promise<{ clientSecret: string }>);

try {
  const { clientSecret } = await session(KEYS.quiet);
  /** Reads the quiet hotel's session, ten times a second or so, and answers with the longest waits. */
  async function waits(until: Promise<unknown>): Promise<{ waitedMs: number; workMs: number }[]> {
    let isOver = false;
    until.finally(() => {
      isOver = true;
    });
    const all: { waitedMs: number; workMs: number }[] = [];
    while (!isOver) {
      const startedAt = performance.now();
      const cpuBefore = runtime.cpuMs();
      const response = await fetch(`${runtime.url}/v1/checkout`, {
        headers: { authorization: `Bearer ${clientSecret}` },
      });
      await response.arrayBuffer();
      all.push({ waitedMs: performance.now() - startedAt, workMs: runtime.cpuMs() - cpuBefore });
      await delay(20);
    }
    return all.sort((a, b) => b.waitedMs - a.waitedMs);
  }
  /** Makes calls, eight at once, for some seconds. */
  async function attack(call: () => Promise<unknown>): Promise<void> {
    const endAt = performance.now() + ROUND_MS;
    const one = async (): Promise<void> => {
      while (performance.now() < endAt) await call();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }
  const rows: Record<string, Record<string, number>> = {};
  let isTooLong = false;
  async function measure(name: string, call: () => Promise<unknown>): Promise<void> {
    let calls = 0;
    const cpuBefore = runtime.cpuMs();
    const all = await waits(
      attack(async () => {
        await call();
        calls += 1;
      }),
    );
    const waitedMs = (nth: number): number => Math.round(all[Math.floor(nth)]?.waitedMs ?? 0);
    isTooLong ||= waitedMs(0) > LIMIT_MS;
    rows[name] = {
      calls,
      'CPU per call, ms': Math.round((runtime.cpuMs() - cpuBefore) / Math.max(1, calls)),
      'longest wait, ms': waitedMs(0),
      'most work in a wait, ms': Math.max(...all.map(({ workMs }) => workMs)),
      'p99, ms': waitedMs(all.length / 100),
      'median, ms': waitedMs(all.length / 2),
    };
  }

  await measure('nobody else', () => delay(100));
  for (const [name, text] of Object.entries(ANSWERS)) {
    answer = text;
    await measure(`start: ${name}`, async () => {
      const { clientSecret: secret } = await session(KEYS.hostile);
      await (await post('checkout/start', secret, '{"presentation":"tab","terms":1}')).arrayBuffer();
    });
  }
  for (const [name, text] of Object.entries(BODIES)) {
    answer = text;
    await measure(`gateway: ${name}`, async () => {
      await (await post('gateway/RMS/roomreq', KEYS.hostile, '<a/>')).arrayBuffer();
    });
  }
  console.table(rows);
  if (isTooLong) console.log(`The quiet hotel waited longer than ${LIMIT_MS} ms.`);
} finally {
  await runtime.stop();
  quiet.close();
  hostile.closeAllConnections();
  hostile.close();
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);
