import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type Json, merchant, PAYMENT } from '../test-support/client.ts';
import { postAfterEdit } from '../test-support/edited-proxy.ts';
import { CHARGE, useMoneyFakes } from '../test-support/money.ts';
import { expectProblem } from '../test-support/problem.ts';

const fakes = useMoneyFakes();

const SESSION = { path: '/v1/checkout-sessions', body: { ...PAYMENT, surcharge: true } };

describe.each([
  ['a session, once the hotel has a smaller limit', SESSION, { maxAmount: { EUR: 100 } }, 'amount.value'],
  ['a session, once the hotel has another currency', SESSION, { maxAmount: { USD: 100 } }, 'amount.currency'],
  ['a session, once the hotel has no surcharges', SESSION, { surcharge: false }, 'surcharge'],
  ['a session, once the hotel has other origins', SESSION, { origins: ['https://other.test'] }, 'returnUrl'],
  [
    'a charge, once the hotel has a smaller limit',
    { path: '/v1/charges', body: CHARGE },
    { maxAmount: { EUR: 100 } },
    'amount.value',
  ],
])('%s', (name, { path, body }, edit, param) => {
  test('is found again by its key, and not sent again', async () => {
    const key = name.replace(/\W+/g, '-');
    const first = await (await merchant(path, { body, headers: { 'idempotency-key': key } })).json<Json>();
    const again = await postAfterEdit(edit, { path, body, key });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toEqual(first);
    const other = postAfterEdit(edit, { path, body: { ...body, reference: 'OTHER' }, key });
    await expectProblem(other, 422, { code: 'idempotency_mismatch', resource: first.id });
    expect(fakes.upstream.count('pay')).toBe(path === SESSION.path ? 0 : 1);
  });

  test('is refused when it is a new one, and uses no key', async () => {
    const key = `new-${name.replace(/\W+/g, '-')}`;
    const another = { ...body, reference: 'ANOTHER' };
    const refused = postAfterEdit(edit, { path, body: another, key });
    await expectProblem(refused, 400, { code: 'invalid_request', param });
    const accepted = await merchant(path, { body: another, headers: { 'idempotency-key': key } });
    expect([accepted.status, accepted.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test.runIf(path === SESSION.path)('is refused without a key, and no object is asked for it', async () => {
    const before = (await listDurableObjectIds(env.CHECKOUT_SESSIONS)).length;
    await expectProblem(postAfterEdit(edit, { path, body }), 400, { code: 'invalid_request', param });
    expect(await listDurableObjectIds(env.CHECKOUT_SESSIONS)).toHaveLength(before);
  });
});
