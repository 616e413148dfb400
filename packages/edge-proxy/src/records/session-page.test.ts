import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CREATED_AT, PENDING_SESSION } from '../../test-support/records.ts';
import { toSessionPage, toStartedSession } from './session-page.ts';
import { toCheckoutView } from './session-record.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: CREATED_AT + 20_000 }));
afterEach(() => vi.useRealTimers());

const view = toCheckoutView(PENDING_SESSION, CREATED_AT + 20_000);

test('a start leads to the hosted page', () => {
  expect(toStartedSession(PENDING_SESSION)).toStrictEqual({ view, viewUrl: 'https://view.test/payment?PD=1' });
});

test.each([
  [{}, { successor: null, previous: null }],
  [
    { successor: 'cs_2', previous: 'cs_0' },
    { successor: 'cs_2', previous: 'cs_0' },
  ],
])('pages know the way on and back: %o', (change, ways) => {
  expect(toSessionPage({ ...PENDING_SESSION, ...change })).toStrictEqual({
    view,
    property: 'aurora',
    presentation: 'tab',
    returnUrl: 'https://aurora.test/booking',
    ...ways,
  });
});
