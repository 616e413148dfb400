import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Created, guest, merchant, paymentLink, retrieve, send, startSession } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useFakes();

const readers: [string, (session: Created, link: string) => Promise<Response>][] = [
  ['a page', ({ clientSecret }) => guest('/v1/checkout', clientSecret)],
  ['the page of a link', (_session, link) => send(link)],
  ['a server', ({ id }) => merchant(`/v1/checkout-sessions/${id}`)],
];

test.each(readers)(
  'whoever waits starts the poll by reading: %s, at most once in 2.5 seconds, without an alarm or a row',
  async (_who, read) => {
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
  },
);
