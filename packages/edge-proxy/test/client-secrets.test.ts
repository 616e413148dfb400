/** The client secret of a session, as the hotel's server asks for it and its guests use it. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import {
  type Created,
  createSession,
  guest,
  type Json,
  merchant,
  PAYMENT,
  paymentLink,
  startAttempt,
} from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';

const fakes = useFakes();
const SESSIONS = '/v1/checkout-sessions';

/** What a page of the hotel does whenever it is shown. */
async function view(key: string): Promise<Created> {
  return (await merchant(SESSIONS, { body: PAYMENT, headers: { 'idempotency-key': key } })).json();
}

async function secretOf(id: string, body: Json = {}, headers: Record<string, string> = {}): Promise<string> {
  const answer = await merchant(`${SESSIONS}/${id}/client-secret`, { body, headers });
  expect(answer.status).toBe(200);
  return (await answer.json<{ clientSecret: string }>()).clientSecret;
}

const statusOf = async (clientSecret: string): Promise<number> => (await guest('/v1/checkout', clientSecret)).status;

test('a guest who is paying is not logged out by page views', async () => {
  const { id, clientSecret } = await view('views');
  await startAttempt({ clientSecret });
  for (let i = 0; i < 2; i++) {
    expect((await view('views')).clientSecret).toBe(clientSecret);
    expect(await secretOf(id)).toBe(clientSecret);
  }
  fakes.upstream.pay(id);
  await merchant(`${SESSIONS}/${id}/refresh`, { method: 'POST' });
  expect(await (await guest('/v1/checkout', clientSecret)).json()).toMatchObject({ status: 'succeeded' });
});

test('a secret that is rotated ends, and a repeated rotation ends nothing', async () => {
  const { id, clientSecret } = await createSession();
  const next = await secretOf(id, { rotate: true }, { 'idempotency-key': 'once' });
  expect([await statusOf(clientSecret), await statusOf(next)]).toEqual([401, 200]);
  const again = await merchant(`${SESSIONS}/${id}/client-secret`, {
    body: { rotate: true },
    headers: { 'idempotency-key': 'once' },
  });
  expect([again.headers.get('idempotent-replayed'), (await again.json<Json>()).clientSecret]).toEqual(['true', next]);
  expect(await secretOf(id, { rotate: true })).not.toBe(next);
  expect(await statusOf(next)).toBe(401);
});

test('the data holds nothing from which a secret could be had', async () => {
  const { id, clientSecret } = await createSession();
  await startAttempt({ clientSecret });
  const link = await paymentLink(id);
  const back = fakes.upstream.returnPath(id, 'success');
  const rotated = await secretOf(id, { rotate: true }, { 'idempotency-key': 'dump' });
  const dump = (object: DurableObjectStub) =>
    runInDurableObject(object, (_object, { storage: { sql } }) =>
      JSON.stringify(
        sql
          .exec<{ name: string }>(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
          )
          .toArray()
          .map(({ name }) => [name, sql.exec(`SELECT * FROM "${name}"`).toArray()]),
      ),
    );
  const data = await Promise.all([
    dump(env.CHECKOUT_SESSIONS.getByName(id)),
    dump(env.LEDGERS.getByName('aurora')),
    dump(env.ID_KEYS.getByName('sessions')),
  ]);
  expect(data.join()).toContain(id);
  for (const text of [clientSecret, rotated, link, back]) {
    const secrets = text.match(/[\w-]{40,}/g)?.map((found) => found.replace(`${id}_`, '')) ?? [];
    expect(secrets).toHaveLength(1);
    expect(data.join()).not.toContain(secrets[0]);
  }
  for (const key of ['SEALING_KEYS', 'PROPERTY_AURORA'] as const) expect(data.join()).not.toContain(env[key as never]);
});
