import { describe, expect, test, vi } from 'vitest';
import { passSeconds } from '../../test-support/objects.ts';
import { NOW, OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { sha256Hex } from '../crypto/hash.ts';
import type { SessionRecord } from '../records/session-record.ts';
import { countCall, isRefused, takeTurn } from '../upstream/call-budget.ts';

const fakes = usePendingPage();
const PUBLIC_URL = 'https://proxy.test';
const NOT_OPEN = {
  ok: false,
  code: 'session_not_open',
  detail: 'This session can no longer be started',
  resource: 'cs_1',
};
const NO_SUCH_PAGE = { ok: false, code: 'not_found', detail: 'There is nothing at this address' };

describe('a start', () => {
  test('opens one page for all who ask, and keeps the object alive for it', async () => {
    await withSession(OPEN, async ({ store, start, waitUntil }) => {
      const starts = [start.start('tab', PUBLIC_URL), start.start('redirect', PUBLIC_URL)];
      const underWay = start.underWay;
      expect(waitUntil.mock.calls).toEqual([[underWay]]);
      const [one, other] = await Promise.all(starts);
      expect(other).toEqual(one);
      expect(start.underWay).toBeUndefined();
      expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
      const record = store.load();
      expect(record).toMatchObject({ state: 'pending', presentation: 'tab', seq: 2 });
      expect(one).toMatchObject({ ok: true, value: { viewUrl: record?.hosted?.viewUrl, view: { status: 'pending' } } });
    });
  });

  test('gives the page return addresses whose nonce only it knows', async () => {
    await withSession(OPEN, async ({ store, start }) => {
      fakes.upstream.hosted.clear();
      await start.start('tab', PUBLIC_URL);
      const { init } = fakes.upstream.of('cs_1');
      const [address = '', nonce = ''] =
        /^https:\/\/proxy\.test\/return\/cs_1\/([\w-]{43})\/success$/.exec(init.callbackSuccessUrl ?? '') ?? [];
      expect(init.callbackAbortUrl).toBe(address.replace(/success$/, 'abort'));
      expect(store.load()?.hosted?.nonceHash).toBe(await sha256Hex(nonce));
    });
  });

  test.each([
    ['nothing', undefined, NO_SUCH_PAGE],
    ['a page that nobody knows', { ...PENDING, hosted: null }, NO_SUCH_PAGE],
    ['one that has failed', { ...PENDING, state: 'failed' }, NOT_OPEN],
    ['one that has succeeded', { ...PENDING, state: 'succeeded' }, NOT_OPEN],
    ['one that expired unstarted', { ...OPEN, state: 'lapsed' }, NOT_OPEN],
  ] as const)('of %s is refused', async (_, record, refusal) => {
    await withSession(record, async ({ store, start }) => {
      expect(await start.start('tab', PUBLIC_URL)).toEqual(refusal);
      expect(store.load()).toEqual(record);
      expect(fakes.upstream.requests).toEqual([]);
    });
  });

  test('at the deadline ends the session', async () => {
    await withSession(OPEN, async ({ store, start }) => {
      vi.setSystemTime(OPEN.expiresAt);
      expect(await start.start('tab', PUBLIC_URL)).toEqual(NOT_OPEN);
      expect(store.load()).toMatchObject({ state: 'lapsed' });
      expect(fakes.upstream.requests).toEqual([]);
    });
  });

  test('a moment before the deadline opens the page', async () => {
    await withSession(OPEN, async ({ start }) => {
      vi.setSystemTime(OPEN.expiresAt - 1);
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject({ ok: true });
    });
  });

  test('of a property that cannot be used asks nobody', async () => {
    await withSession({ ...OPEN, property: 'broken' }, async ({ start }) => {
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject({
        ok: false,
        code: 'property_unavailable',
        param: 'timeZone',
      });
      expect(fakes.upstream.requests).toEqual([]);
    });
  });

  test('whose session ends meanwhile leads nowhere', async () => {
    await withSession(OPEN, async ({ store, transitions, start, apply }) => {
      apply.mockImplementationOnce(async (event, change) => {
        await transitions.apply('expired_by_merchant');
        return transitions.apply(event, change);
      });
      expect(await start.start('tab', PUBLIC_URL)).toEqual(NOT_OPEN);
      expect(store.load()).toMatchObject({ state: 'lapsed', hosted: null });
    });
  });
});

test('a start again shows the same page, and moves the deadline with the guest', async () => {
  const record: SessionRecord = { ...PENDING, expiresAt: NOW + 30 * 86_400_000 };
  await withSession(record, async ({ store, start, due, alarmIn }) => {
    store.due.set('deadline', NOW + 1);
    passSeconds(20 * 60);
    expect(await start.start('redirect', PUBLIC_URL)).toMatchObject({
      ok: true,
      value: { viewUrl: record.hosted?.viewUrl, view: { status: 'pending', seq: 2 } },
    });
    expect(store.load()).toEqual({ ...record, presentation: 'redirect', askedAgainAt: Date.now() });
    expect(due()).toEqual({ deadline: 60 * 60_000 });
    expect(await alarmIn()).toBe(60 * 60_000);
    expect(fakes.upstream.requests).toEqual([]);
  });
});

describe('failed starts', () => {
  test('leave the session open, and are limited to ten a minute', async () => {
    await withSession(OPEN, async ({ store, start }) => {
      const failed = { ok: false, code: 'upstream_error' };
      fakes.upstream.overrides.initpayNoIframe = () => new Response(null, { status: 500 });
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject(failed);
      vi.setSystemTime(NOW + 20_500);
      for (let attempt = 2; attempt <= 10; attempt += 1) {
        expect(await start.start('tab', PUBLIC_URL)).toMatchObject(failed);
      }
      const limited = {
        ok: false,
        code: 'rate_limited',
        detail: 'Too many failed starts of this session; wait a moment',
      };
      expect(await start.start('tab', PUBLIC_URL)).toEqual({ ...limited, retryAfterSeconds: 40 });
      vi.setSystemTime(NOW + 59_999);
      expect(await start.start('tab', PUBLIC_URL)).toEqual({ ...limited, retryAfterSeconds: 1 });
      expect(fakes.upstream.count('initpayNoIframe')).toBe(10);
      vi.setSystemTime(NOW + 60_000);
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject(failed);
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject({ ...limited, retryAfterSeconds: 21 });
      expect(store.load()).toEqual(OPEN);
    });
  });
});

describe('a start that has no turn', () => {
  test.each([
    ['the hotel’s own calls', ['aurora'], 'rate_limited'],
    ['the calls of other hotels', Array.from({ length: 2_048 }, (_, nth) => `other-${nth}`), 'upstream_unavailable'],
  ] as const)('is refused at once because of %s; nothing is sent, stored or counted', async (_why, hotels, code) => {
    const turns = Array.from({ length: 2_048 / hotels.length }, () =>
      hotels.map((property) => countCall({ receiver: 'https://pay.test', property, source: 'cs_2' })),
    ).flat();
    await withSession(OPEN, async ({ store, start }) => {
      for (let attempt = 1; attempt <= 20; attempt += 1) {
        const refusal = { ok: false, code, detail: expect.stringContaining('nothing was sent'), retryAfterSeconds: 1 };
        expect(await start.start('tab', PUBLIC_URL)).toEqual(refusal);
      }
      expect(fakes.upstream.requests).toEqual([]);
      expect(store.load()).toEqual(OPEN);
      for (const turn of turns) turn.end();
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject({ ok: true });
    });
  });

  test('is the ninth at a payment service that does not answer', async () => {
    passSeconds(120);
    const call = { receiver: 'https://pay.test', property: 'aurora' };
    for (const source of ['cs_2', 'cs_3', 'cs_4']) countCall({ ...call, source }).end(false);
    const turns = Array.from({ length: 8 }, () => takeTurn('start', { ...call, source: 'cs_2' }));
    await withSession(OPEN, async ({ start }) => {
      passSeconds(12);
      const refusal = { ok: false, code: 'upstream_unavailable', retryAfterSeconds: 12 };
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject(refusal);
      for (const turn of turns) if (!isRefused(turn)) turn.end();
      expect(await start.start('tab', PUBLIC_URL)).toMatchObject({ ok: true });
    });
  });
});

test.each([
  ['does not answer', () => Promise.reject(new TypeError('Network connection lost.')), 8],
  ['fails', () => new Response(null, { status: 503 }), 8],
  ['refuses', () => Response.json({ returnCode: '5' }), 256],
] as const)('starts at a payment service that %s say so to those that come after', async (_what, answer, room) => {
  passSeconds(600);
  fakes.upstream.overrides.initpayNoIframe = answer;
  for (const id of ['cs_1', 'cs_2', 'cs_3']) {
    await withSession({ ...OPEN, id }, ({ start }) => start.start('tab', PUBLIC_URL));
  }
  const call = { receiver: 'https://pay.test', property: 'aurora', source: 'cs_4' };
  const turns = Array.from({ length: 300 }, () => takeTurn('start', call)).filter((turn) => !isRefused(turn));
  expect(turns.length).toBe(room);
  for (const turn of turns) if (!isRefused(turn)) turn.end(true);
});
