/** The card token of a charge that is over although it was never sent. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { charge, killOperation, read, storedText, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useMoneyFakes('UNSENT');
const ERASED = '"sealedToken":null';

test('is erased at once, and by whoever reads it, of a charge that an earlier version has left', async () => {
  passSeconds(86_400);
  fakes.upstream.overrides.login = () => new Response(null, { status: 401 });
  const { id, seq } = await charge(fakes.key(), { reference: fakes.reference });
  expect(await storedText(id)).toContain(ERASED);
  await runInDurableObject(env.MONEY_OPERATIONS.getByName(id), (_object, { storage }) => {
    storage.sql.exec("UPDATE object SET body = json_set(body, '$.record.sealedToken', 'v1.left')");
  });
  await killOperation(id);
  expect(await storedText(id)).toMatch(/"sealedToken":"v1\./);
  expect(await read(id)).toMatchObject({ status: 'failed', seq, error: { code: 'authentication_failed' } });
  expect(await storedText(id)).toContain(ERASED);
});
