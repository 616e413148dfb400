/** Polls that wait because others come first: each is made in the end. And those that somebody waits for. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { countCall, type Permit } from '../src/upstream/call-budget.ts';
import { type Created, guest, merchant, paymentLink, retrieve, send, startSession } from '../test-support/client.ts';
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
});

describe('whoever waits starts the poll', () => {
  const readers: [string, (session: Created, link: string) => Promise<Response>][] = [
    ['a page', ({ clientSecret }) => guest('/v1/checkout', clientSecret)],
    ['the page of a link', (_session, link) => send(link)],
    ['a server', ({ id }) => merchant(`/v1/checkout-sessions/${id}`)],
  ];

  test.each(readers)('by reading: %s, at most once in 2.5 seconds, without an alarm or a row', async (_who, read) => {
    const session = await startSession({ reference: 'WAITING' });
    const link = await paymentLink(session.id);
    const stored = (): Promise<unknown> =>
      runInDurableObject(env.CHECKOUT_SESSIONS.getByName(session.id), async (_object, { storage }) => [
        await storage.getAlarm(),
        storage.sql.exec('SELECT * FROM object').toArray(),
      ]);
    const before = await stored();
    await Promise.all(Array.from({ length: 10 }, () => read(session, link)));
    expect(fakes.upstream.count('paystatus')).toBe(1);
    passSeconds(2.4);
    await read(session, link);
    expect(fakes.upstream.count('paystatus')).toBe(1);
    expect(await stored()).toEqual(before);
    fakes.upstream.pay(session.id);
    passSeconds(0.1);
    await read(session, link);
    // Found by the read, not by an alarm.
    expect(fakes.upstream.count('paystatus')).toBe(2);
    expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded' });
    const size = await runInDurableObject(
      env.CHECKOUT_SESSIONS.getByName(session.id),
      (_, { storage }) => storage.sql.databaseSize,
    );
    expect(size, 'a page each of the schema, of the row and of the runtime’s own').toBe(3 * 4_096);
  });
});
