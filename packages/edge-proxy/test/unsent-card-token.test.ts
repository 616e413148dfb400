/** The card token of a charge that is over although it was never sent. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import {
  charge,
  heldAnswer,
  killOperation,
  postCharge,
  read,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useMoneyFakes('UNSENT');
const SEALED = /"sealedToken":"v1\./;
const ERASED = '"sealedToken":null';

test('is erased when there is no access token', async () => {
  passSeconds(86_400);
  fakes.upstream.overrides.login = () => new Response(null, { status: 401 });
  const refused = await charge(fakes.key(), { reference: fakes.reference });
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'authentication_failed' } });
  expect(await storedText(refused.id)).toContain(ERASED);
  await killOperation(refused.id);
  expect(await read(refused.id)).toMatchObject({ status: 'failed' });
});

test('is erased when it could not be sent for a minute', async () => {
  passSeconds(2 * 86_400);
  const held = heldAnswer(() => Response.json({ accessToken: 'late', expiresIn: 4_800 }));
  fakes.upstream.overrides.login = held.answer;
  const answer = postCharge(fakes.key(), { reference: fakes.reference });
  await expect.poll(() => fakes.upstream.count('login')).toBe(1);
  const again = await postCharge(fakes.key(), { reference: fakes.reference });
  const { resource } = await again.json<{ resource: string }>();
  expect(await storedText(resource)).toMatch(SEALED);
  passSeconds(61);
  held.give();
  expect(await (await answer).json()).toMatchObject({ status: 'failed' });
  expect([await storedText(resource), fakes.upstream.count('pay')]).toEqual([expect.stringContaining(ERASED), 0]);
});

test('is erased by whoever reads it, of a charge that an earlier version has left', async () => {
  passSeconds(3 * 86_400);
  fakes.upstream.overrides.login = () => new Response(null, { status: 401 });
  const { id, seq } = await charge(fakes.key(), { reference: fakes.reference });
  await runInDurableObject(env.MONEY_OPERATIONS.getByName(id), (_object, { storage }) => {
    storage.sql.exec("UPDATE object SET body = json_set(body, '$.record.sealedToken', 'v1.left')");
  });
  await killOperation(id);
  expect(await storedText(id)).toMatch(SEALED);
  expect(await read(id)).toMatchObject({ status: 'failed', seq });
  expect(await storedText(id)).toContain(ERASED);
});
