import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guest, type Json, retrieve, send, startSession } from '../test-support/client.ts';
import { stopClock } from '../test-support/clock.ts';
import { FakeUpstream } from '../test-support/fake-upstream.ts';
import { passSeconds, runSessionAlarm } from '../test-support/objects.ts';

let upstream: FakeUpstream;

beforeEach(() => {
  stopClock();
  upstream = new FakeUpstream().install();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a guest pays and the hotel reads a verified result', async () => {
  const session = await startSession();
  expect(session.viewUrl).toMatch(/^https:\/\/view\.test\/payment\?PD=/);
  upstream.pay(session.id);
  const back = await send(upstream.returnPath(session.id, 'success'));
  expect(back.status).toBe(303);
  expect(back.headers.get('location')).toBe(`https://aurora.test/booking/1234?step=3&checkout_session=${session.id}`);
  expect(await retrieve(session.id)).toMatchObject({
    status: 'succeeded',
    final: true,
    seq: 3,
    result: {
      total: { value: 12_000, currency: 'EUR' },
      base: { value: 12_000, currency: 'EUR' },
      surcharge: null,
      transactionId: 'TX-1',
      paymentObjectId: '4711',
      maskedCard: '424242......4242',
    },
    attempts: [{ status: 'succeeded', error: null }],
  });
  const view = await (await guest('/v1/checkout', session.clientSecret)).json<Json>();
  expect(view).toMatchObject({ status: 'succeeded', final: true, nextPollMs: null, hotelName: 'Hotel Aurora' });
});

test('the alarm finds the result with no page open', async () => {
  const session = await startSession();
  upstream.pay(session.id);
  passSeconds(30);
  await runSessionAlarm(session.id);
  expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded' });
});
