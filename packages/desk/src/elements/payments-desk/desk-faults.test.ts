import { expect, vi } from 'vitest';
import { json, problem, SECRET, text } from '../../../test-support/fake-desk.ts';
import {
  all,
  click,
  enter,
  fake,
  mount,
  one,
  prepareRefund,
  requestPayment,
  settle,
  test,
  textOf,
} from '../../../test-support/fixture.ts';
import type { PaymentsDesk } from './payments-desk.ts';

const LINE = '.lines:not(.urgent *) .line';
test.each([
  ['429', () => problem(429, 'rate_limited', { retryAfter: 2 })],
  ['503', () => problem(503, 'property_unavailable')],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['half an answer', () => text('{"data":[{"id":"cs_')],
])('reads the list again after %s although an open payment was read meanwhile', async (_, answer) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T10:00:00Z') });
  location.hash = '#payment=cs_01J00000000000000000000001';
  let release = (): void => {};
  const later = new Promise<void>((resolve) => {
    release = resolve;
  });
  fake.intercept = (call) => {
    if (call.path === 'payments') return answer();
    if (!call.path.startsWith('payments/')) return undefined;
    fake.intercept = undefined;
    return later.then(() => fake.answer(call));
  };
  const desk = await mount('payments-desk');
  const listFault = all(desk, '[role=alert]').length;
  fake.intercept = undefined;
  release();
  await settle();
  expect([listFault, all(desk, '[role=alert]').length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(15_000);
  await settle();
  expect(all(desk, LINE)).toHaveLength(4);
  expect(all(desk, '[role=alert]')).toEqual([]);
});

test.each(['desk', 'events'])('goes on by itself after half an answer of %s', async (path) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T10:00:00Z') });
  fake.intercept = (call) => (call.path === path ? json({}) : undefined);
  const desk = await mount('payments-desk');
  await vi.advanceTimersByTimeAsync(5_000);
  await settle();
  expect(all(desk, '[role=alert]')).toHaveLength(1);
  fake.intercept = undefined;
  await vi.advanceTimersByTimeAsync(20_000);
  await settle();
  expect([all(desk, LINE).length, all(desk, '[role=alert]')]).toEqual([4, []]);
});

test('forgets the fault of a payment that is closed', async () => {
  location.hash = '#payment=cs_01J00000000000000000000001';
  fake.intercept = ({ path }) => (path.startsWith('payments/') ? problem(503, 'property_unavailable') : undefined);
  const desk = await mount('payments-desk');
  expect(all(desk, '[role=alert]')).toHaveLength(1);
  await click(desk, 'Back to list');
  expect(all(desk, '[role=alert]')).toEqual([]);
});

test('asks the page for a secret again by itself, but slowly, when it had none to give', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T10:00:00Z') });
  const getClientSecret = vi.fn(async (): Promise<string> => Promise.reject(new Error('no server')));
  const desk = await mount('payments-desk', { getClientSecret });
  expect(one(desk, '[role=alert]').textContent).toContain('Your session has ended.');
  const asked = getClientSecret.mock.calls.length;
  await vi.advanceTimersByTimeAsync(59_000);
  expect(getClientSecret).toHaveBeenCalledTimes(asked);
  getClientSecret.mockResolvedValue(SECRET);
  await vi.advanceTimersByTimeAsync(1_000);
  await settle();
  expect(all(desk, LINE)).toHaveLength(4);
  expect(all(desk, '[role=alert]')).toEqual([]);
});

test('says no more in a form that the session has ended once it goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T10:00:00Z') });
  const desk = await mount('payments-desk');
  fake.secrets.clear();
  await requestPayment(desk);
  expect(one(desk, '.action').textContent).toContain('Your session has ended.');
  await vi.advanceTimersByTimeAsync(2_000);
  await settle();
  fake.secrets.add(SECRET);
  await click(desk, 'Sign in again');
  expect(one(desk, '.action').textContent).not.toContain('Your session has ended.');
  expect(one<HTMLInputElement>(desk, '[name=amount]').value).toBe('50');
});

test.each([
  ['a refusal', () => problem(403, 'forbidden'), 'You don’t have permission to do this.'],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'It may have gone through.'],
])('keeps an open form, and says %s, although its feature was withdrawn', async (_, answer, sentence) => {
  const desk = await mount('payments-desk');
  fake.intercept = ({ method }) => {
    if (method !== 'POST') return undefined;
    fake.allow('read');
    return answer();
  };
  const asked = fake.at('desk').length;
  await requestPayment(desk);
  // Whoever is refused may do something else by now.
  expect(fake.at('desk').length - asked).toBe(sentence.startsWith('You') ? 1 : 0);
  desk.reload();
  await settle();
  expect(one(desk, '.action [role=alert]').textContent).toContain(sentence);
  expect(all(desk, '[data-home].primary')).toEqual([]);

  fake.allow('read', 'reverse');
  desk.reload();
  await click(desk, '9:02 AM');
  await prepareRefund(desk, { reason: 'mistake' });
  await click(desk, 'Refund €330.00');
  desk.reload();
  await settle();
  expect(one(desk, '.action [role=alert]').textContent).toContain(sentence);
  await click(desk, sentence.startsWith('You') ? 'Cancel' : 'Close');
  expect(all(one(desk, 'payment-details'), 'button')).toEqual([]);
});

const UNSENT = 'New session. Nothing was sent.';
const alerts = (desk: Parameters<typeof all>[0]): (string | null)[] =>
  all(desk, '[role=alert]').map(({ textContent }) => textContent);

/** From now on the page gives the secret of this person at this hotel. */
function passTo(desk: PaymentsDesk, next: typeof fake.desk): void {
  fake.desk = next;
  fake.secrets = new Set([`ds_${next.person.id}_${next.property.id}_${next.property.livemode}`]);
  desk.getClientSecret = async () => [...fake.secrets].join();
}

test.each([
  ['somebody else', 'ben', 'aurora', false],
  ['another hotel', 'anna', 'bellevue', false],
  ['its hotel with real money', 'anna', 'aurora', true],
] as const)(
  'sends nothing that was begun before %s goes on with the desk, says so, and keeps nothing of it',
  async (_, person, hotel, livemode) => {
    const desk = await mount('payments-desk');
    const { desk: before } = fake;
    await click(desk, 'Request payment');
    await enter(desk, 'description', 'Two nights');
    const property = { ...before.property, id: hotel, name: hotel, livemode };
    passTo(desk, { ...before, person: { id: person }, property });
    await requestPayment(desk);
    expect([fake.writes, all(desk, '.action'), alerts(desk)]).toEqual([[], [], [UNSENT]]);
    expect(textOf(desk)).toContain(`${hotel} ${livemode ? '' : 'Test '}${person}`);
    await click(desk, 'Request payment');
    expect(all<HTMLInputElement>(desk, '.action input').map(({ value }) => value)).toEqual(['', '', '']);
    await click(desk, 'Cancel');
    expect(alerts(desk)).toEqual([]);

    await click(desk, '9:02 AM');
    await prepareRefund(desk, { reason: 'mistake' });
    passTo(desk, before);
    await click(desk, 'Refund €330.00');
    expect(fake.writes.map(({ secret }) => secret)).toEqual([`ds_${person}_${hotel}_${livemode}`]);
    expect([textOf(desk).includes('Hotel Aurora Test anna'), all(desk, '.action'), alerts(desk)]).toEqual([
      true,
      [],
      [UNSENT],
    ]);
  },
);

test.each([
  ['nothing was begun', false],
  ['a request was sent and has no answer', true],
])('does not say to the next person that nothing was sent when %s', async (_, isLost) => {
  const desk = await mount('payments-desk');
  fake.intercept = ({ method }) => (method === 'POST' ? Promise.reject(new TypeError('Failed to fetch')) : undefined);
  if (isLost) await requestPayment(desk);
  expect(textOf(desk)).toContain('Test anna Request payment');
  passTo(desk, { ...fake.desk, person: { id: 'ben' }, features: ['read'] });
  await click(desk, 'Previous day');
  expect([all(desk, '.action'), alerts(desk)]).toEqual([[], []]);
  // With what the next person may do.
  expect(textOf(desk)).toContain('Test ben Search');
});
