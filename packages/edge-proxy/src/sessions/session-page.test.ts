import { MAX_ATTEMPTS } from '@innkeep/core/contract';
import { expect, test } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { CREATED_AT, PENDING_ATTEMPT, PENDING_SESSION, sessionWith } from '../../test-support/records.ts';
import { toSessionPage, toStartedSession } from './session-page.ts';
import { toCheckoutView } from './session-record.ts';

useClock(CREATED_AT + 20_000);

const view = toCheckoutView(PENDING_SESSION);

test('a start leads to the hosted page', () => {
  const viewUrl = 'https://view.test/payment?PD=1';
  expect(toStartedSession(PENDING_SESSION, PENDING_ATTEMPT)).toStrictEqual({ view, viewUrl });
});

test('the page of a link, or after the hosted one, knows the way on', () => {
  const { viewUrl } = PENDING_ATTEMPT.hosted;
  const page = { view, property: 'aurora', returnUrl: 'https://aurora.test/booking', mayStart: true, viewUrl };
  expect(toSessionPage(PENDING_SESSION)).toStrictEqual({ ...page, presentation: null });
  expect(toSessionPage(PENDING_SESSION, PENDING_ATTEMPT)).toStrictEqual({ ...page, presentation: 'tab' });
});

test('only a link and the newest attempt lead to the next one, while one can begin', () => {
  const declined = sessionWith([{ status: 'declined' }, { status: 'declined' }]);
  const mayStart = (record = declined) =>
    [undefined, ...record.attempts].map((attempt) => toSessionPage(record, attempt).mayStart);
  expect(mayStart()).toEqual([true, false, true]);
  const closed = { at: CREATED_AT, by: 'deadline', isSettled: true } as const;
  for (const ended of [sessionWith([{ status: 'succeeded' }]), sessionWith([{ status: 'abandoned' }], { closed })]) {
    expect(mayStart(ended)).toEqual([false, false]);
  }
  const declinedBefore = Array.from({ length: MAX_ATTEMPTS - 1 }, () => ({ status: 'declined' as const }));
  expect(mayStart(sessionWith([...declinedBefore, { status: 'declined' }]))).not.toContain(true);
  // Whoever has left the page of an attempt that is under way can go back to it.
  expect(mayStart(sessionWith([...declinedBefore, {}]))).not.toContain(false);
});
