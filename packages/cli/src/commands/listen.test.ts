import { expect, it, vi } from 'vitest';
import { fakeIo } from '../../test-support/fake-io.ts';
import type { Io } from '../process/io.ts';
import { run } from '../program/run.ts';

const ENV = {
  INNKEEP_ENDPOINT: 'https://pay.hotel.example',
  INNKEEP_SECRET_KEY: 'sk_test_1',
  INNKEEP_WEBHOOK_SECRET: `whsec_${'A'.repeat(43)}=`,
};
const FORWARD = ['--forward-to', 'http://127.0.0.1:3000/hooks'];
const events = [1, 2].map((seq) => ({
  property: 'aurora',
  id: `ev_${seq}`,
  type: 'checkout.succeeded',
  timestamp: '2026-06-01T12:00:00Z',
  seq,
  data: { object: { object: 'checkout_session', id: 'cs_1', status: 'succeeded', reference: 'RES-1' } },
}));

/** Listens while the site answers so to each event; a text: why it cannot be reached. */
async function listen(answers: readonly (number | string)[], words: readonly string[], overrides?: Partial<Io>) {
  const listening = new AbortController();
  let forwarded = 0;
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { method, url } = new Request(input, init);
    if (method === 'GET') {
      const data = url.includes('after=0') ? events : [];
      if (data.length === 0) listening.abort();
      return Response.json({ object: 'list', data, nextAfter: 2 });
    }
    const status = answers[forwarded++];
    if (typeof status === 'string') throw new TypeError('fetch failed', { cause: { code: status } });
    return new Response(null, { status: status ?? 599 });
  };
  const io = fakeIo({ env: ENV, fetch, signal: listening.signal, ...overrides });
  await run(['listen', '--after', '0', ...words], io);
  return { lines: io.stdout().trim().split('\n'), warnings: io.stderr().match(/.*warning.*/gi) ?? [] };
}

it('as JSON warns of each event that the site did not take', async () => {
  const { lines, warnings } = await listen([500, 'ECONNREFUSED'], [...FORWARD, '--json']);
  expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2]);
  expect(warnings).toEqual([
    expect.stringMatching(/ev_1 → 500 in \d+ ms: it is not sent again/),
    expect.stringMatching(/ev_2 → nobody listens there yet; it is not sent again/),
  ]);
  expect((await listen([204, 200], [...FORWARD, '--json'])).warnings).toEqual([]);
});

it('in lines says it in the line of the event', async () => {
  const { lines, warnings } = await listen([500, 204], FORWARD);
  expect(lines).toEqual([
    expect.stringMatching(/→ 500 in \d+ ms: it is not sent again$/),
    expect.stringMatching(/→ 204 in \d+ ms$/),
  ]);
  expect(warnings).toEqual([]);
  expect((await listen(['DEPTH_ZERO_SELF_SIGNED_CERT', 204], FORWARD)).lines[0]).toMatch(
    /→ no answer \(DEPTH_ZERO_SELF_SIGNED_CERT\); it is not sent again$/,
  );
});

it.each([
  ['', 'Set INNKEEP_WEBHOOK_SECRET'],
  ['whsec_c2hvcnQ=', 'INNKEEP_WEBHOOK_SECRET is no webhook secret'],
  ['hunter-two', 'INNKEEP_WEBHOOK_SECRET is no webhook secret'],
])('reads no event that it could not sign, with the secret “%s”', async (secret, message) => {
  const fetch = vi.fn();
  const io = fakeIo({ env: { ...ENV, INNKEEP_WEBHOOK_SECRET: secret }, fetch });
  expect([await run(['listen', ...FORWARD], io), io.stderr()]).toEqual([2, expect.stringContaining(message)]);
  expect(io.stderr()).not.toMatch(/Listening|c2hvcnQ|hunter/);
  expect(fetch).not.toHaveBeenCalled();
});

it('ends when nobody reads its lines any more, unless it forwards', async () => {
  const writeOut = vi.fn(async () => false);
  await listen([], [], { writeOut });
  expect(writeOut).toHaveBeenCalledTimes(1);
  await listen([204, 204], FORWARD, { writeOut });
  expect(writeOut).toHaveBeenCalledTimes(3);
});

it('ends with what to do when the feed was set back', async () => {
  const fetch = async (): Promise<Response> => Response.json({ object: 'list', data: [], nextAfter: 3 });
  const io = fakeIo({ env: ENV, fetch });
  expect(await run(['listen', '--after', '9'], io)).toBe(1);
  expect(io.stderr()).toMatch(/The feed ends at 3, before 9: it was set back[\s\S]*innkeep listen --after/);
});
