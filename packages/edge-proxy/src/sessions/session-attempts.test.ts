/** When an attempt is given up, when a session ends, and what nobody may cut short. */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { passSeconds } from '../../test-support/objects.ts';
import { HOSTED, PAYMENT_RESULT } from '../../test-support/records.ts';
import {
  afterAttempts,
  NOW,
  OPEN,
  PENDING,
  type SessionParts,
  usePendingPage,
  withSession,
} from '../../test-support/session-parts.ts';
import { countCall } from '../upstream/call-budget.ts';
import { NEW_WATCH } from './attempt-watch.ts';
import { SessionAttempts } from './session-attempts.ts';
import type { SessionRecord } from './session-record.ts';
import { endsAt } from './session-transitions.ts';

const fakes = usePendingPage();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Its guest was last seen an hour ago. */
const SILENT = afterAttempts([{ startedAt: NOW - HOUR, since: NOW - HOUR }], { expiresAt: NOW });

beforeEach(() => {
  vi.stubGlobal('scheduler', { wait: async () => undefined });
});

function withAttempts(
  record: SessionRecord | undefined,
  act: (attempts: SessionAttempts, parts: SessionParts) => Promise<void>,
): Promise<void> {
  return withSession(record, async (parts) => {
    const { store, apply, waitUntil } = parts;
    return act(new SessionAttempts({ bindings: env, store, apply, waitUntil }), parts);
  });
}

describe('giving up', () => {
  test.each<[string, SessionRecord | undefined]>([
    ['nothing', undefined],
    ['a session that nobody started', OPEN],
    ['an attempt that has ended', afterAttempts([{ status: 'failed' }])],
  ])('%s plans nothing, and asks nobody', async (_, record) => {
    await withAttempts(record, async (attempts, { store, apply, due }) => {
      store.due.set('abandon', NOW);
      await attempts.abandon();
      expect([due(), apply.mock.calls, fakes.upstream.requests]).toEqual([{}, [], []]);
    });
  });

  test('comes an hour after the last sign of the guest, and after a last poll', () =>
    withAttempts(SILENT, async (attempts, { store, attempt, due }) => {
      vi.setSystemTime(NOW - 1);
      await attempts.abandon();
      expect([attempt()?.status, due().abandon, fakes.upstream.requests]).toEqual(['pending', 1, []]);
      vi.setSystemTime(NOW);
      await attempts.abandon();
      expect([attempt()?.status, store.load()?.seq]).toEqual(['abandoned', SILENT.seq + 1]);
      expect(fakes.upstream.count('paystatus')).toBe(1);
    }));

  test('waits ten seconds when others have to go first', async () => {
    const busy = Array.from({ length: 256 }, (_, nth) =>
      countCall({ receiver: 'https://pay.test', property: 'aurora', source: `cs_${nth}` }),
    );
    await withAttempts(SILENT, async (attempts, { attempt, due }) => {
      await attempts.abandon();
      expect([attempt()?.status, due().abandon]).toEqual(['pending', 10 * SECOND]);
      expect(fakes.upstream.count('paystatus')).toBe(0);
      for (const permit of busy) permit.end();
      passSeconds(10);
      await attempts.abandon();
      expect(attempt()?.status).toBe('abandoned');
    });
  });

  const PAID = { is: 'attempt', number: 1, event: 'record_consistent', result: PAYMENT_RESULT } as const;
  const watch = { ...NEW_WATCH, returnedAt: NOW };
  const SEEN = { ...SILENT, attempts: SILENT.attempts.map((each) => ({ ...each, watch })) };
  /** What happens while the last poll is under way. */
  type Meanwhile = (parts: SessionParts) => unknown;
  test.each<[string, Meanwhile, string | undefined]>([
    ['was erased', ({ store }) => store.erase(), undefined],
    ['was paid', ({ transitions }) => transitions.apply(PAID), 'succeeded'],
    ['is not left alone any more', ({ store }) => store.save(SILENT.seq, SEEN), 'pending'],
  ])('leaves a session as it is that %s during the last poll', async (_, happens, status) => {
    await withAttempts(SILENT, async (attempts, parts) => {
      fakes.upstream.overrides.paystatus = async () => {
        await happens(parts);
        return undefined;
      };
      await attempts.abandon();
      expect(parts.attempt()?.status).toBe(status);
      expect(parts.apply.mock.calls.filter(([event]) => event.is === 'attempt')).toEqual([]);
    });
  });
});

describe('the end of a session', () => {
  test.each<[string, SessionRecord | undefined, Record<string, number>, string | undefined]>([
    ['of nothing', undefined, {}, undefined],
    ['whose guest may be paying', PENDING, {}, 'pending'],
    ['that has time left', { ...OPEN, expiresAt: NOW + 1 }, { deadline: endsAt(OPEN) - OPEN.expiresAt + 1 }, 'open'],
    ['whose time has passed', { ...OPEN, expiresAt: NOW }, expect.not.objectContaining({ deadline: 0 }), 'expired'],
  ])('%s', async (_, record, planned, state) => {
    await withAttempts(record, async (attempts, { store, due }) => {
      store.due.set('deadline', NOW);
      await attempts.passDeadline();
      expect([due(), store.load()?.state]).toEqual([planned, state]);
    });
  });

  test.each<[string, SessionRecord, string, string | undefined]>([
    ['has time left', { ...OPEN, expiresAt: NOW + 1 }, 'open', undefined],
    ['has no time left', { ...OPEN, expiresAt: NOW }, 'expired', undefined],
    ['has no time left, and a guest who may be paying', { ...PENDING, expiresAt: NOW }, 'pending', 'pending'],
    ['has time left, and its guest is gone', { ...SILENT, expiresAt: NOW + 1 }, 'open', 'abandoned'],
    ['has no time left, and its guest is gone', SILENT, 'expired', 'abandoned'],
  ])('whose alarm is late, when it %s', async (_, record, state, status) => {
    await withAttempts(record, async (attempts, { store, attempt, waitUntil }) => {
      await attempts.passOverdue();
      expect([store.load()?.state, attempt()?.status]).toEqual([state, status]);
      expect(waitUntil).toHaveBeenCalledTimes(Number(state !== record.state || status === 'abandoned'));
    });
  });
});

describe('whether attempts are unpaid', () => {
  test.each<[string, number, boolean]>([
    ['when none is', 0, true],
    ['when one may be', 1, false],
  ])('%s', async (_, paid, expected) => {
    const record = afterAttempts([{ status: 'failed' }, { status: 'failed' }]);
    await withAttempts(record, async (attempts) => {
      if (paid > 0) fakes.upstream.payRequest('R-1');
      expect(await attempts.areUnpaid(record.attempts)).toBe(expected);
    });
  });

  test('once a poll under way of another one has been concluded', async () => {
    const record = afterAttempts([{ status: 'failed' }, { status: 'failed', hosted: { ...HOSTED, requestID: 'R-2' } }]);
    await withAttempts(record, async (attempts, { attempt }) => {
      fakes.upstream.payRequest('R-1', { status: '_open' });
      fakes.upstream.overrides.transaction = async ({ url }) => {
        if (url.searchParams.get('requestid') === 'R-1') await new Promise((resolve) => setTimeout(resolve, 100));
        return undefined;
      };
      void attempts.watcher(1).poll();
      await attempts.areUnpaid(record.attempts.slice(1));
      expect(attempt()?.watch.doneSeenAt).toBe(NOW);
    });
  });
});

test('its page ends with what was given out before somebody ended the session, unless it was paid', async () => {
  const record = afterAttempts([{}, { status: 'succeeded' }, {}]);
  await withAttempts(record, async (attempts, { store }) => {
    store.renew(2);
    expect(record.attempts.map((attempt) => attempts.hasEndedPage(attempt))).toEqual([true, false, false]);
  });
});

test('an attempt is found by the nonce of its return addresses alone', async () => {
  const record = afterAttempts([{}, {}]);
  await withAttempts(record, async (attempts) => {
    const [first] = record.attempts;
    expect(attempts.ofNonce(first?.hosted.nonceHash ?? '')?.number).toBe(1);
    expect(attempts.ofNonce('another')).toBeUndefined();
  });
  await withAttempts(undefined, async (attempts) => expect(attempts.ofNonce('another')).toBeUndefined());
});
