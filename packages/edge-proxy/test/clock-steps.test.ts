/** A clock that is set back or forward under a payment: NTP after boot, a virtual machine that was restored. */
import { expect, test } from 'vitest';
import { type Created, guest, paymentLink, retrieve, send, startSession } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, poll, runSessionAlarm } from '../test-support/objects.ts';

const fakes = useFakes();
const HOUR = 3_600;

const polls = (): number => fakes.upstream.count('paystatus');

test.each<[string, (session: Created) => Promise<unknown>]>([
  ['its alarm', ({ id }) => runSessionAlarm(id)],
  ['its guest’s page', ({ clientSecret }) => guest('/v1/checkout', clientSecret)],
  ['the hotel’s server', ({ id }) => retrieve(id)],
])('set back by an hour, a pending session is asked as soon as ever, once it is touched by %s', async (_, touch) => {
  const session = await startSession({ expiresInSeconds: 7 * 24 * HOUR });
  await poll(session.id, 20);
  passSeconds(-HOUR);
  await touch(session);
  const before = polls();
  fakes.upstream.pay(session.id);
  expect(await poll(session.id, 15)).toMatchObject({ status: 'succeeded' });
  expect(polls()).toBe(before + 1);
});

test('set back while an error is held for an abort, it is held once more and no longer', async () => {
  const { id } = await startSession();
  fakes.upstream.fail(id);
  await poll(id, 1);
  passSeconds(-HOUR);
  await poll(id, 1);
  await poll(id, 5);
  expect(await poll(id, 5)).toMatchObject({ attempts: [{ status: 'failed' }] });
});

test('set back by an hour, a session whose guest has gone is not asked every second', async () => {
  const { id } = await startSession();
  await poll(id, 20 * 60);
  passSeconds(-HOUR);
  const before = polls();
  for (let i = 0; i < 60; i++) {
    passSeconds(1);
    await runSessionAlarm(id);
  }
  expect(polls() - before).toBeLessThanOrEqual(3);
});

test.each([
  ['its alarm', ({ id }: { id: string }) => runSessionAlarm(id)],
  // Which looks at nothing but what is overdue.
  ['the page of its link', ({ page }: { page: string }) => send(page)],
])(
  'set forward, an attempt that was asked about before is asked about again before it is abandoned, by %s',
  async (_, touch) => {
    const { id } = await startSession();
    const page = await paymentLink(id);
    await poll(id, 20);
    fakes.upstream.pay(id);
    passSeconds(HOUR + 60);
    await touch({ id, page });
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', late: false });
  },
);
