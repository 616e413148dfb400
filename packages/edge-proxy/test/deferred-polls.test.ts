/** Polls that are deferred, because others come first or because nobody waits: each is made in the end, and at once when somebody does wait. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearDemand, pacePolling } from '../src/sessions/poll-demand.ts';
import { countCall, type Permit } from '../src/upstream/call-budget.ts';
import { createSession, guest, merchant, paymentLink, retrieve, send, startSession } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, runSessionAlarm } from '../test-support/objects.ts';

const fakes = useFakes();

/** After how many seconds the session's object is woken; null when it never is. */
function wakesIn(id: string): Promise<number | null> {
  return runInDurableObject(env.CHECKOUT_SESSIONS.getByName(id), async (_session, { storage }) => {
    const at = await storage.getAlarm();
    return at === null ? null : (at - Date.now()) / 1_000;
  });
}

/** Waits for the alarm that is set, and runs it. */
async function untilWoken(id: string): Promise<void> {
  const seconds = await wakesIn(id);
  if (seconds === null) throw new Error(`${id} is never woken`);
  passSeconds(Math.max(0, seconds));
  await runSessionAlarm(id);
}

describe('while the payment service has as many calls as it may have', () => {
  let permits: Permit[] = [];
  const hang = (): void => {
    const call = { receiver: 'https://pay.test', property: 'everybody', source: 'cs_hanging' };
    permits = Array.from({ length: 2_048 }, () => countCall(call));
  };
  const makeRoom = (): void => {
    for (const permit of permits.splice(0)) permit.end();
  };
  afterEach(makeRoom);

  test.each([
    ['the alarm', (id: string) => untilWoken(id)],
    ['the hotel', (id: string) => merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' })],
    ['a guest who comes back', (id: string) => send(fakes.upstream.returnPath(id, 'success'))],
  ])('a poll that %s asks for is made later, without anybody asking again', async (_who, ask) => {
    const { id } = await startSession({ reference: 'DEFERRED' });
    await runSessionAlarm(id);
    fakes.upstream.requests.length = 0;
    hang();
    fakes.upstream.pay(id);
    passSeconds(5);
    await ask(id);
    expect(fakes.upstream.count('paystatus')).toBe(0);
    makeRoom();
    // What wakes it in any case is that it is abandoned, in an hour.
    expect(await wakesIn(id)).toBeLessThan(60);
    await untilWoken(id);
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded' });
  });

  test('an attempt is not abandoned before its last poll, which others keep from being made', async () => {
    const { id } = await startSession({ reference: 'LAST' });
    await runSessionAlarm(id);
    fakes.upstream.requests.length = 0;
    fakes.upstream.pay(id);
    passSeconds(3_660);
    hang();
    await runSessionAlarm(id);
    expect(await retrieve(id)).toMatchObject({ status: 'pending' });
    expect(fakes.upstream.count('paystatus')).toBe(0);
    makeRoom();
    await untilWoken(id);
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', late: false });
  });
});

describe('a session whose guest has gone away, beside thousands of others', () => {
  const OTHERS = Array.from({ length: 2_000 }, (_, nth) => `other-${nth}`);
  let session: { id: string; clientSecret: string };
  let pageUrl = '';

  beforeEach(async () => {
    session = await startSession({ reference: 'LEFT' });
    pageUrl = await paymentLink(session.id);
    passSeconds(240);
    for (const id of OTHERS) pacePolling(id, 5_000, Date.now());
    await runSessionAlarm(session.id);
    expect(await wakesIn(session.id)).toBeGreaterThan(20);
    passSeconds(2);
    fakes.upstream.requests.length = 0;
  });
  afterEach(() => {
    for (const id of [...OTHERS, session.id]) clearDemand(id);
  });

  test.each([
    ['its page', () => guest('/v1/checkout', session.clientSecret)],
    ['the page of its link', () => send(pageUrl)],
  ])('is polled as soon as somebody opens %s, and then by the schedule', async (_which, open) => {
    fakes.upstream.pay(session.id);
    expect((await open()).status).toBe(200);
    // Never by the reader itself, however many there are.
    expect(fakes.upstream.count('paystatus')).toBe(0);
    expect(await wakesIn(session.id)).toBeLessThanOrEqual(0);
    await untilWoken(session.id);
    expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded' });
  });

  test('stays on the schedule while its page is open', async () => {
    await guest('/v1/checkout', session.clientSecret);
    await untilWoken(session.id);
    expect(await wakesIn(session.id)).toBeLessThanOrEqual(10);
    passSeconds(3);
    await guest('/v1/checkout', session.clientSecret);
    expect(await wakesIn(session.id)).toBeGreaterThan(0);
    // A page that is closed asks no more, and is waited for no longer.
    passSeconds(90);
    await runSessionAlarm(session.id);
    expect(await wakesIn(session.id)).toBeGreaterThan(20);
  });

  test('is not polled sooner for a page of another session', async () => {
    const other = await createSession({ reference: 'ANOTHER' });
    const before = await wakesIn(session.id);
    await guest('/v1/checkout', other.clientSecret);
    expect(await wakesIn(session.id)).toBe(before);
  });
});
