import { MAX_ATTEMPTS } from '@innkeep/core/contract';
import { describe, expect, test, vi } from 'vitest';
import { passSeconds } from '../../test-support/objects.ts';
import { takePermits } from '../../test-support/permits.ts';
import { ACTOR, PAYMENT_RESULT, PENDING_ATTEMPT } from '../../test-support/records.ts';
import { afterAttempts, NOW, OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { sha256Hex } from '../http/hash.ts';
import { countCall } from '../upstream/call-budget.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { NEW_WATCH } from './attempt-watch.ts';
import { withAttempt } from './session-transition.ts';

const fakes = usePendingPage();
const HOUR = 3_600_000;
const ASKED = { presentation: 'tab', terms: 1, publicUrl: 'https://proxy.test' } as const;
const NO_SUCH_PAGE = { ok: false, code: 'not_found', detail: 'There is nothing at this address' };
const NOT_CERTAIN = { ok: false, code: 'upstream_unavailable', resource: 'cs_1', retryAfterSeconds: 5 };
const TERMS_CHANGED = { ok: false, code: 'terms_changed', param: 'terms', resource: 'cs_1' };
const TOO_MANY = { ok: false, code: 'too_many_attempts', resource: 'cs_1' };
const notOpen = (state: string) => ({
  ok: false,
  code: 'session_not_open',
  detail: `This session is ${state}: that cannot be done now`,
  resource: 'cs_1',
});
const CHEAPER = { ...OPEN.terms, version: 2, amount: { value: 9_000, currency: 'EUR' } };
const CHANGE = { action: 'checkout_session.changed', actor: ACTOR } as const;
const OFFER = { ...OPEN, terms: CHEAPER };
const CLOSED = { at: NOW, by: 'deadline', isSettled: true } as const;
const declined: Partial<AttemptRecord> = { status: 'declined', endedAt: NOW };
const abandoned: Partial<AttemptRecord> = { status: 'abandoned', endedAt: NOW };
const RESOLUTION = { status: 'failed', evidence: 'Portal', transactionId: null, by: ACTOR.by, at: NOW } as const;
const paid: Partial<AttemptRecord> = { status: 'succeeded', endedAt: NOW, result: PAYMENT_RESULT };

describe('a start', () => {
  test('opens one page for all who ask, and keeps the object alive for it', () =>
    withSession(OPEN, async ({ store, start, waitUntil, areUnpaid, attempt }) => {
      const starts = [start.start(ASKED), start.start({ ...ASKED, presentation: 'redirect' })];
      const underWay = start.underWay;
      expect(waitUntil.mock.calls).toEqual([[underWay]]);
      expect(await start.start({ ...ASKED, terms: 2 })).toMatchObject(TERMS_CHANGED);
      const [one, other] = await Promise.all(starts);
      expect(other).toEqual(one);
      expect(start.underWay).toBeUndefined();
      expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
      expect(areUnpaid).not.toHaveBeenCalled();
      const attempts = [{ presentation: 'tab', terms: OPEN.terms }];
      expect(store.load()).toMatchObject({ state: 'pending', seq: 2, attempts });
      const value = { viewUrl: attempt()?.hosted.viewUrl, view: { status: 'pending' } };
      expect(one).toMatchObject({ ok: true, value });
    }));

  test('is of the mode that its hotel has by then', () =>
    withSession({ ...OPEN, livemode: true }, async ({ store, start }) => {
      expect(await start.start(ASKED)).toMatchObject({ ok: true, value: { view: { livemode: false } } });
      expect(store.load()).toMatchObject({ livemode: false, attempts: [{ status: 'pending' }] });
    }));

  test('opens no page of another mode than that of an earlier attempt: its money is not of this one', async () => {
    const record = { ...afterAttempts([{ ...declined, livemode: true }]), livemode: true };
    await withSession(record, async ({ store, start }) => {
      fakes.upstream.hosted.clear();
      const detail = 'The property had another livemode when this was made: create a new session';
      expect(await start.start(ASKED)).toMatchObject({ ok: false, code: 'session_not_open', detail });
      expect(fakes.upstream.count('initpayNoIframe')).toBe(0);
      expect(store.load()).toMatchObject({ livemode: true, attempts: [{ status: 'declined' }] });
    });
  });

  test('gives the page return addresses whose nonce only it knows', () =>
    withSession(OPEN, async ({ attempt, start }) => {
      fakes.upstream.hosted.clear();
      await start.start(ASKED);
      const { init } = fakes.upstream.of('cs_1-1');
      const [address = '', nonce = ''] =
        /^https:\/\/proxy\.test\/return\/cs_1\/([\w-]{43})\/success$/.exec(init.callbackSuccessUrl ?? '') ?? [];
      expect(init.callbackAbortUrl).toBe(address.replace(/success$/, 'abort'));
      expect(attempt()?.hosted.nonceHash).toBe(await sha256Hex(nonce));
    }));

  test.each([
    ['nothing', undefined, NO_SUCH_PAGE],
    ['one that was paid, also while an attempt is under way', afterAttempts([paid, {}]), notOpen('succeeded')],
    ['one in doubt', afterAttempts([{ status: 'unknown' }]), notOpen('unknown')],
    ['one that expired', { ...OPEN, state: 'expired', closed: CLOSED }, notOpen('expired')],
    ['one that asks for something else by now', { ...OPEN, terms: CHEAPER }, TERMS_CHANGED],
    ['one whose page asks for something else', afterAttempts([{ terms: CHEAPER }]), TERMS_CHANGED],
    ['one that has had all its attempts', afterAttempts(Array(MAX_ATTEMPTS).fill(declined)), TOO_MANY],
  ] as const)('of %s is refused', async (_, record, refusal) => {
    await withSession(record, async ({ store, start, areUnpaid }) => {
      expect(await start.start(ASKED)).toMatchObject(refusal);
      expect(store.load()).toEqual(record);
      expect(fakes.upstream.requests).toEqual([]);
      expect(areUnpaid).not.toHaveBeenCalled();
    });
  });

  test('at the deadline ends the session, and a moment before opens the page', async () => {
    await withSession(OPEN, async ({ store, start }) => {
      vi.setSystemTime(OPEN.expiresAt);
      expect(await start.start(ASKED)).toEqual(notOpen('expired'));
      expect(store.load()).toMatchObject({ state: 'expired', closed: { by: 'deadline' } });
      expect(fakes.upstream.requests).toEqual([]);
    });
    await withSession(OPEN, async ({ start }) => {
      vi.setSystemTime(OPEN.expiresAt - 1);
      expect(await start.start(ASKED)).toMatchObject({ ok: true });
    });
  });

  test('of a property that cannot be used asks nobody', () =>
    withSession({ ...OPEN, property: 'broken' }, async ({ start }) => {
      expect(await start.start(ASKED)).toMatchObject({ ok: false, code: 'property_unavailable', param: 'timeZone' });
      expect(fakes.upstream.requests).toEqual([]);
    }));

  test('again shows the same page, and moves the time to be called gone with the guest', async () => {
    const record = { ...PENDING, terms: CHEAPER };
    await withSession(record, async ({ store, start, due, alarmIn }) => {
      store.due.set('abandon', NOW + 1);
      passSeconds(20 * 60);
      expect(await start.start({ ...ASKED, presentation: 'redirect' })).toMatchObject({
        ok: true,
        value: { viewUrl: 'https://view.test/payment?PD=1', view: { status: 'pending', seq: 2, terms: 1 } },
      });
      const again = { ...record.attempts[0], presentation: 'redirect', askedAgainAt: Date.now() };
      expect(store.load()).toEqual({ ...record, attempts: [again] });
      expect([due(), await alarmIn()]).toEqual([{ abandon: HOUR }, HOUR]);
      expect(fakes.upstream.requests).toEqual([]);
    });
  });
});

describe('a further attempt', () => {
  test('begins under a number of its own once the newest and all that were abandoned are unpaid', async () => {
    const record = afterAttempts([abandoned, declined, abandoned, declined, { ...declined, status: 'canceled' }]);
    await withSession(record, async ({ store, start, areUnpaid }) => {
      const traceparent = 'trace';
      const value = { view: { status: 'pending' } };
      expect(await start.start({ ...ASKED, traceparent })).toMatchObject({ ok: true, value });
      const [[asked, trace] = [[], '']] = areUnpaid.mock.calls;
      expect([asked.map(({ number }) => number), trace]).toEqual([[1, 3, 5], traceparent]);
      expect(store.load()?.attempts.slice(0, 5)).toEqual(record.attempts);
      expect(store.load()?.attempts[5]).toMatchObject({ number: 6, status: 'pending' });
      expect(fakes.upstream.of('cs_1-6').init.amount).toBe('12000');
    });
  });

  test('asks about an older one, too, that is done or was contradicted, until a person has decided', async () => {
    const done = { ...declined, watch: { ...NEW_WATCH, doneSeenAt: NOW } };
    const contradicted = { ...declined, watch: { ...NEW_WATCH, contradictionAt: NOW } };
    const decided = { ...done, resolution: RESOLUTION };
    const record = afterAttempts([done, declined, contradicted, decided, declined]);
    await withSession(record, async ({ start, areUnpaid }) => {
      areUnpaid.mockResolvedValue(false);
      expect(await start.start(ASKED)).toMatchObject(NOT_CERTAIN);
      const [[asked] = [[]]] = areUnpaid.mock.calls;
      expect(asked.map(({ number }) => number)).toEqual([1, 3, 5]);
    });
  });

  test.each(['the others are asked about', 'its page is opened'])(
    'does not begin when an older one turns out to be done while %s',
    async (when) => {
      const record = afterAttempts([declined, declined]);
      await withSession(record, async ({ store, start, areUnpaid }) => {
        const [older = PENDING_ATTEMPT] = record.attempts;
        const isDone = async (): Promise<undefined> => {
          store.save(record.seq, withAttempt(record, { ...older, watch: { ...NEW_WATCH, doneSeenAt: NOW } }));
        };
        if (when.startsWith('the others')) areUnpaid.mockImplementation(async () => (await isDone()) === undefined);
        else fakes.upstream.overrides.initpayNoIframe = isDone;
        expect(await start.start(ASKED)).toMatchObject(NOT_CERTAIN);
        expect(store.load()).toMatchObject({ state: 'open', attempts: { length: 2 } });
        expect(fakes.upstream.count('initpayNoIframe')).toBe(when.startsWith('the others') ? 0 : 1);
      });
    },
  );

  test.each(['the earlier ones are asked about', 'its page is opened'])(
    'does not begin when the guest comes back as one who has paid while %s',
    async (when) => {
      const record = afterAttempts([abandoned]);
      await withSession(record, async ({ store, start, areUnpaid, watcher }) => {
        const comeBack = async (): Promise<undefined> => watcher.returned('success') as undefined;
        if (when.startsWith('its page')) fakes.upstream.overrides.initpayNoIframe = comeBack;
        else areUnpaid.mockImplementation(async () => (await comeBack()) === undefined);
        expect(await start.start(ASKED)).toEqual({
          ...notOpen('open'),
          detail: 'The guest may have paid: wait until the payment service says so, or resolve the attempt as failed',
        });
        expect(store.load()).toMatchObject({ state: 'open', attempts: [{ watch: { successReturnAt: NOW } }] });
        expect(fakes.upstream.count('initpayNoIframe')).toBe(when.startsWith('its page') ? 1 : 0);
      });
    },
  );

  test('does not begin while that is not certain, and no failure is counted', async () => {
    const record = afterAttempts([declined]);
    await withSession(record, async ({ store, start, areUnpaid }) => {
      areUnpaid.mockResolvedValue(false);
      for (let nth = 0; nth < 11; nth++) {
        expect(await start.start(ASKED)).toMatchObject(NOT_CERTAIN);
      }
      expect(store.load()).toEqual(record);
      expect(fakes.upstream.requests).toEqual([]);
    });
  });

  test.each(['the poll finds money', 'the session is paid while the page is opened'])(
    'comes to nothing when %s',
    async (when) => {
      await withSession(afterAttempts([abandoned]), async ({ store, start, areUnpaid, apply, transitions }) => {
        const pay = () =>
          transitions.apply({ is: 'attempt', number: 1, event: 'record_consistent', result: PAYMENT_RESULT });
        if (when.startsWith('the poll')) areUnpaid.mockImplementation(async () => pay() === undefined);
        else apply.mockImplementationOnce((event) => pay() && transitions.apply(event));
        expect(await start.start(ASKED)).toEqual(notOpen('succeeded'));
        expect(store.load()?.attempts).toHaveLength(1);
        expect(fakes.upstream.count('initpayNoIframe')).toBe(when.startsWith('the poll') ? 0 : 1);
      });
    },
  );
});

describe('what is wanted during a start', () => {
  const waits = { state: 'pending', terms: OPEN.terms, nextOffer: { terms: CHEAPER } };
  test.each<[string, boolean, object]>([
    ['that comes to nothing holds at once', false, { state: 'open', terms: CHEAPER, nextOffer: null }],
    ['that succeeds waits for the next attempt', true, waits],
  ])('%s', async (_, isAccepted, expected) => {
    await withSession(OPEN, async ({ store, start, transitions }) => {
      fakes.upstream.overrides.initpayNoIframe = () => {
        transitions.keepOffer(store.load() ?? OPEN, OFFER, CHANGE);
        return isAccepted ? undefined : new Response(null, { status: 500 });
      };
      expect(await start.start(ASKED)).toMatchObject({ ok: isAccepted });
      expect(store.load()).toMatchObject(expected);
    });
  });

  test.each<[string, boolean]>([
    ['when it is not certain that earlier attempts are unpaid', false],
    ['when the poll has moved one of them', true],
  ])('before its page is opened holds at once %s', async (_, isUnpaid) => {
    await withSession(afterAttempts([abandoned]), async ({ store, start, areUnpaid, transitions }) => {
      areUnpaid.mockImplementation(async () => {
        transitions.keepOffer(store.load() ?? OPEN, OFFER, CHANGE);
        if (isUnpaid) transitions.apply({ is: 'attempt', number: 1, event: 'card_refused', error: 'declined' });
        return isUnpaid;
      });
      expect(await start.start(ASKED)).toMatchObject(isUnpaid ? TERMS_CHANGED : { code: 'upstream_unavailable' });
      expect(store.load()).toMatchObject({ state: 'open', terms: CHEAPER, nextOffer: null });
      expect(fakes.upstream.requests).toEqual([]);
    });
  });

  test('and replaces what its page asks keeps it from counting as an attempt', () =>
    withSession(OPEN, async ({ store, start, transitions }) => {
      fakes.upstream.overrides.initpayNoIframe = async () => {
        transitions.apply({ is: 'offered', offer: OFFER });
        return undefined;
      };
      expect(await start.start(ASKED)).toMatchObject(TERMS_CHANGED);
      expect(store.load()).toMatchObject({ state: 'open', terms: CHEAPER, attempts: [] });
    }));
});

test('failed starts leave the session open, and are limited to ten a minute', () =>
  withSession(OPEN, async ({ store, start }) => {
    const failed = { ok: false, code: 'upstream_error' };
    fakes.upstream.overrides.initpayNoIframe = () => new Response(null, { status: 500 });
    expect(await start.start(ASKED)).toMatchObject(failed);
    vi.setSystemTime(NOW + 20_500);
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      expect(await start.start(ASKED)).toMatchObject(failed);
    }
    const detail = 'Too many failed starts of this session; wait a moment';
    const limited = { ok: false, code: 'rate_limited', detail };
    expect(await start.start(ASKED)).toEqual({ ...limited, retryAfterSeconds: 40 });
    vi.setSystemTime(NOW + 59_999);
    expect(await start.start(ASKED)).toEqual({ ...limited, retryAfterSeconds: 1 });
    expect(fakes.upstream.count('initpayNoIframe')).toBe(10);
    vi.setSystemTime(NOW + 60_000);
    expect(await start.start(ASKED)).toMatchObject(failed);
    expect(await start.start(ASKED)).toMatchObject({ ...limited, retryAfterSeconds: 21 });
    vi.setSystemTime(NOW - 60_000);
    expect(await start.start(ASKED)).toMatchObject(failed);
    expect(store.load()).toEqual(OPEN);
  }));

test.each([
  ['the hotel’s own calls', ['aurora'], 'rate_limited'],
  ['the calls of other hotels', Array.from({ length: 2_048 }, (_, nth) => `other-${nth}`), 'upstream_unavailable'],
] as const)(
  'a start without a permit is refused at once because of %s; nothing is sent, stored or counted',
  async (_why, hotels, code) => {
    const permits = Array.from({ length: 2_048 / hotels.length }, () =>
      hotels.map((property) => countCall({ receiver: 'https://pay.test', property, source: 'cs_2' })),
    ).flat();
    await withSession(OPEN, async ({ store, start }) => {
      for (let attempt = 1; attempt <= 20; attempt += 1) {
        const refusal = { ok: false, code, detail: expect.stringContaining('nothing was sent'), retryAfterSeconds: 1 };
        expect(await start.start(ASKED)).toEqual(refusal);
      }
      expect(fakes.upstream.requests).toEqual([]);
      expect(store.load()).toEqual(OPEN);
      for (const permit of permits) permit.end();
      expect(await start.start(ASKED)).toMatchObject({ ok: true });
    });
  },
);

test.each([
  ['does not answer', () => Promise.reject(new TypeError('Network connection lost.')), 8],
  ['fails', () => new Response(null, { status: 503 }), 8],
  ['refuses', () => Response.json({ returnCode: '5' }), 256],
  ['answers', (): undefined => undefined, 256],
] as const)('starts at a payment service that %s say so to those that come after', async (_what, answer, room) => {
  passSeconds(600);
  fakes.upstream.overrides.initpayNoIframe = answer;
  for (const id of ['cs_1', 'cs_2', 'cs_3']) {
    await withSession({ ...OPEN, id }, ({ start }) => start.start(ASKED));
  }
  const call = { receiver: 'https://pay.test', property: 'aurora', source: 'cs_4' };
  const permits = takePermits('start', call);
  expect(permits.length).toBe(room);
  for (const permit of permits) permit.end(true);
});
