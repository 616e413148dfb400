import { describe, expect, test, vi } from 'vitest';
import { NOW, OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { type Outcome, refuse } from '../problem.ts';
import { type SessionRecord, toTimestamp } from '../records/session-record.ts';
import type { SessionStorage } from '../storage/session-storage.ts';
import { PaymentLinks } from './payment-links.ts';

usePendingPage();
const FAILED: SessionRecord = { ...PENDING, state: 'failed' };
const NOT_OPEN = {
  ok: false,
  code: 'session_not_open',
  detail: 'This session can no longer be started',
  resource: 'cs_1',
};
const NO_SUCH_PAGE = { ok: false, code: 'not_found', detail: 'There is nothing at this address' };
const LINK = { hash: 'link', key: null };
const DONE: Outcome<unknown> = { ok: true, value: null };

/** The links of one session, and the other sessions, which agree to everything. */
function links(record: SessionRecord | undefined, work: (parts: ReturnType<typeof partsOf>) => Promise<void>) {
  return withSession(record, ({ store }) => work(partsOf(store)));
}

function partsOf(store: SessionStorage) {
  const create = vi.fn(async (): Promise<Outcome<unknown>> => DONE);
  const expire = vi.fn(async (): Promise<Outcome<unknown>> => DONE);
  const other = vi.fn(() => ({ create, expire }));
  return { store, create, expire, other, links: new PaymentLinks(store, other) };
}

describe('a link', () => {
  test.each([OPEN, PENDING])('leads to a session that is $state', async (record) => {
    await links(record, async ({ store, links }) => {
      const expiresAt = toTimestamp(record.expiresAt);
      expect(links.add(record, LINK)).toEqual({ ok: true, value: { expiresAt, isReplay: false } });
      expect(links.target('link')).toEqual({ ok: true, value: { current: 'cs_1' } });
      store.moveLink('link', 'cs_2');
      expect(links.target('link')).toEqual({ ok: true, value: { current: 'cs_2' } });
      expect(links.target('another')).toEqual(NO_SUCH_PAGE);
    });
  });

  test('is not made for a session that has ended', async () => {
    await links(FAILED, async ({ store, links }) => {
      expect(links.add(FAILED, LINK)).toEqual(NOT_OPEN);
      expect(store.hasLinks()).toBe(false);
    });
  });

  test('of no session leads nowhere', async () => {
    await links(undefined, async ({ links }) => {
      expect(links.target('link')).toEqual(NO_SUCH_PAGE);
    });
  });
});

test.each([
  ['nothing', false, undefined],
  ['one that failed', true, FAILED],
  ['one that was canceled', true, { ...FAILED, state: 'canceled' }],
  ['one that expired', true, { ...FAILED, state: 'expired' }],
  ['one that may still be paid', false, PENDING],
  ['one in doubt', false, { ...FAILED, state: 'unknown' }],
  ['one that is followed already', false, { ...FAILED, successor: 'cs_2' }],
  ['one whose links have just ended', false, { ...FAILED, expiresAt: NOW }],
] as const)('%s can be followed: %s', async (_, expected, record) => {
  await links(record, async ({ links }) => {
    expect(links.canBeFollowed()).toBe(expected);
  });
});

describe('the session that follows', () => {
  const value = (current: string) => ({ ok: true, value: { current } });

  test('asks for the same and ends when the links end', async () => {
    await links(FAILED, async ({ store, links, create, expire, other }) => {
      vi.setSystemTime(NOW + 60_000);
      expect(await links.succeed('cs_2')).toEqual(value('cs_2'));
      expect(other.mock.calls).toEqual([['cs_2']]);
      const { property, hotelName, acceptedBrands, livemode, kind, amount, surcharge, reference } = FAILED;
      const { description, returnUrl, metadata } = FAILED;
      const hotel = { property, hotelName, acceptedBrands, livemode };
      const same = { ...hotel, kind, amount, surcharge, reference, description, returnUrl };
      expect(create.mock.calls).toStrictEqual([
        [
          {
            id: 'cs_2',
            ...same,
            metadata,
            previous: 'cs_1',
            earlierTries: [FAILED.startedAt],
            createdAt: NOW + 60_000,
            expiresAt: FAILED.expiresAt,
          },
          'cs_2',
        ],
      ]);
      expect(expire).not.toHaveBeenCalled();
      expect(store.load()).toEqual({ ...FAILED, successor: 'cs_2' });
      expect(await links.succeed('cs_3')).toEqual(value('cs_2'));
      expect(create).toHaveBeenCalledTimes(1);
    });
  });

  test.each([
    ['of nothing', undefined, NO_SUCH_PAGE],
    ['of one that may still be paid is that one', PENDING, value('cs_1')],
    ['of one in doubt is that one', { ...FAILED, state: 'unknown' }, value('cs_1')],
    ['is refused once the links have ended', { ...FAILED, expiresAt: NOW }, NOT_OPEN],
  ] as const)('%s', async (_, record, answer) => {
    await links(record, async ({ store, links, other }) => {
      expect(await links.succeed('cs_2')).toEqual(answer);
      expect(other).not.toHaveBeenCalled();
      expect(store.load()).toEqual(record);
    });
  });

  const MINUTE = 60_000;
  test.each([
    ['the tenth try within an hour', [59, 40, 30, 20, 10, 9, 8, 7], undefined],
    ['the eleventh', [59, 40, 30, 20, 10, 9, 8, 7, 6], 60],
    ['the eleventh, once the first is an hour ago', [60, 40, 30, 20, 10, 9, 8, 7, 6], undefined],
  ] as const)('is limited: %s', async (_, minutesAgo, retryAfterSeconds) => {
    const earlierTries = minutesAgo.map((minutes) => NOW - minutes * MINUTE);
    const record: SessionRecord = { ...FAILED, startedAt: NOW - 5 * MINUTE, earlierTries };
    await links(record, async ({ store, links, create }) => {
      const answer = await links.succeed('cs_2');
      if (retryAfterSeconds === undefined) return expect(answer).toEqual(value('cs_2'));
      expect(answer).toMatchObject({ ok: false, code: 'rate_limited', retryAfterSeconds });
      expect(create).not.toHaveBeenCalled();
      expect(store.load()).toEqual(record);
    });
  });

  test('is not known when it could not be made', async () => {
    await links(FAILED, async ({ store, links, create }) => {
      const refusal = refuse('idempotency_mismatch', { detail: 'Another one' });
      create.mockResolvedValue(refusal);
      expect(await links.succeed('cs_2')).toEqual(refusal);
      expect(store.load()).toEqual(FAILED);
    });
  });

  test.each<[string, Partial<SessionRecord>]>([
    ['was paid', { state: 'succeeded', seq: 3 }],
    ['lost its links', { expiresAt: NOW }],
  ])('ends at once when the one before %s meanwhile', async (_, change) => {
    await links(FAILED, async ({ store, links, create, expire, other }) => {
      create.mockImplementation(async () => {
        store.save(FAILED.seq, { ...FAILED, ...change });
        return DONE;
      });
      expect(await links.succeed('cs_2')).toEqual(NOT_OPEN);
      expect(other.mock.calls).toEqual([['cs_2']]);
      expect(expire.mock.calls).toEqual([['aurora']]);
      expect(store.load()).toEqual({ ...FAILED, ...change });
    });
  });

  test('is noted on the newest version of the one before', async () => {
    await links(FAILED, async ({ store, links, create }) => {
      const newest = { ...FAILED, seq: FAILED.seq + 1, since: NOW + 1 };
      create.mockImplementation(async () => {
        store.save(FAILED.seq, newest);
        return DONE;
      });
      expect(await links.succeed('cs_2')).toEqual(value('cs_2'));
      expect(store.load()).toEqual({ ...newest, successor: 'cs_2' });
    });
  });
});

describe('closing the links', () => {
  test.each<[string, SessionRecord, boolean]>([
    ['of one that expired', { ...FAILED, state: 'expired' }, false],
    ['of one that follows another', { ...FAILED, previous: 'cs_0' }, false],
    ['of one that has a link', FAILED, true],
  ])('%s ends them now', async (_, record, hasLink) => {
    await links(record, async ({ store, links, other }) => {
      if (hasLink) store.addLink('link', record.id);
      expect(links.close(record)).toBeUndefined();
      expect(store.load()).toEqual({ ...record, expiresAt: NOW });
      expect(other).not.toHaveBeenCalled();
    });
  });

  test.each<[string, SessionRecord, boolean]>([
    ['of one that has none', FAILED, false],
    ['that have ended', { ...FAILED, expiresAt: NOW }, true],
    ['of one that succeeded', { ...FAILED, state: 'succeeded' }, true],
  ])('%s is refused', async (_, record, hasLink) => {
    await links(record, async ({ store, links }) => {
      if (hasLink) store.addLink('link', record.id);
      expect(links.close(record)).toEqual(NOT_OPEN);
      expect(store.load()).toEqual(record);
    });
  });
});
