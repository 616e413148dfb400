import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createSession, merchant, paymentLink, startAttempt } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { dumpOf } from '../test-support/objects.ts';

const fakes = useFakes();
test('the data holds nothing from which a secret could be had', async () => {
  const { id, clientSecret } = await createSession();
  await startAttempt({ clientSecret });
  const link = await paymentLink(id);
  const back = fakes.upstream.returnPath(id, 'success');
  const rotation = { body: { rotate: true }, headers: { 'idempotency-key': 'dump' } };
  const answer = await merchant(`/v1/checkout-sessions/${id}/client-secret`, rotation);
  const { clientSecret: rotated } = await answer.json<{ clientSecret: string }>();
  const dump = (object: DurableObjectStub) =>
    runInDurableObject(object, (_object, { storage }) => JSON.stringify(dumpOf(storage)));
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
