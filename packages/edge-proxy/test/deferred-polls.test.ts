/** When the payment service is asked: by whoever reads, and by a clock that NTP or a restored virtual machine has set. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Created, guest, merchant, paymentLink, retrieve, send, startSession } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, poll } from '../test-support/objects.ts';

const fakes = useFakes();

test.each<[string, (session: Created, link: string) => Promise<Response>]>([
  ['a page', ({ clientSecret }) => guest('/v1/checkout', clientSecret)],
  ['the page of a link', (_session, link) => send(link)],
  ['a server', ({ id }) => merchant(`/v1/checkout-sessions/${id}`)],
])('whoever waits starts the poll by reading, without an alarm or a row: %s', async (_who, read) => {
  const session = await startSession({ reference: 'WAITING' });
  const link = await paymentLink(session.id);
  const stored = () =>
    runInDurableObject(env.CHECKOUT_SESSIONS.getByName(session.id), async (_object, { storage }) => ({
      alarm: await storage.getAlarm(),
      rows: storage.sql.exec('SELECT * FROM object').toArray(),
      size: storage.sql.databaseSize,
    }));
  const before = await stored();
  await read(session, link);
  expect(fakes.upstream.count('paystatus')).toBe(1);
  expect(await stored()).toEqual(before);
  fakes.upstream.pay(session.id);
  passSeconds(2.5);
  await read(session, link);
  expect(fakes.upstream.count('paystatus')).toBe(2);
  // Found by the read, not by an alarm.
  expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded' });
  expect((await stored()).size, 'a page each of the schema, of the row and of the runtime’s own').toBe(3 * 4_096);
});

test('a clock that is set back while an error is held for an abort has it held once more and no longer', async () => {
  const { id } = await startSession();
  fakes.upstream.fail(id);
  await poll(id, 1);
  passSeconds(-3_600);
  await poll(id, 1);
  await poll(id, 5);
  expect(await poll(id, 5)).toMatchObject({ attempts: [{ status: 'failed' }] });
});

test('a clock that is set forward has an attempt asked about again before it is abandoned', async () => {
  const { id } = await startSession();
  await poll(id, 20);
  fakes.upstream.pay(id);
  expect(await poll(id, 3_660)).toMatchObject({ status: 'succeeded', late: false });
});
