import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type Json, merchant, PAYMENT } from '../test-support/client.ts';
import { postAfterEdit } from '../test-support/edited-proxy.ts';
import { CHARGE, useMoneyFakes } from '../test-support/money.ts';

const fakes = useMoneyFakes();

describe.each([
  ['a smaller limit', { maxAmount: { EUR: 100 } }, 'amount.value'],
  ['another currency', { maxAmount: { USD: 100 } }, 'amount.currency'],
  ['no surcharges', { surcharge: false }, 'surcharge'],
  ['other origins', { origins: ['https://other.test'] }, 'returnUrl'],
])('a session, once the hotel has %s', (name, edit, param) => {
  const path = '/v1/checkout-sessions';
  const body = { ...PAYMENT, surcharge: true };

  test('is found again by its key', async () => {
    const key = `session ${name}`.replaceAll(' ', '-');
    const first = await (await merchant(path, { body, headers: { 'idempotency-key': key } })).json<Json>();
    const again = await postAfterEdit(edit, { path, body, key });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toEqual(first);
    const other = await postAfterEdit(edit, { path, body: { ...body, reference: 'OTHER' }, key });
    expect(other.status).toBe(422);
  });

  test('is refused when it is a new one, and uses no key', async () => {
    const key = `new session ${name}`.replaceAll(' ', '-');
    for (const request of [
      { path, body, key },
      { path, body },
    ]) {
      const before = (await listDurableObjectIds(env.CHECKOUT_SESSIONS)).length;
      const refused = await postAfterEdit(edit, request);
      expect(refused.status).toBe(400);
      // Nothing can have been made with no key, so that nothing is asked for it.
      if (request.key === undefined) expect(await listDurableObjectIds(env.CHECKOUT_SESSIONS)).toHaveLength(before);
      expect(await refused.json()).toMatchObject({ code: 'invalid_request', param });
    }
    const accepted = await merchant(path, { body, headers: { 'idempotency-key': key } });
    expect([accepted.status, accepted.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});

describe('a charge, once the hotel has a smaller limit', () => {
  const path = '/v1/charges';
  const edit = { maxAmount: { EUR: 100 } };

  test('is found again by its key, and not sent again', async () => {
    const body = { ...CHARGE, reference: 'REPLAYED' };
    const first = await (await merchant(path, { body, headers: { 'idempotency-key': 'charge' } })).json<Json>();
    const again = await postAfterEdit(edit, { path, body, key: 'charge' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toEqual(first);
    const other = await postAfterEdit(edit, { path, body: { ...body, reference: 'OTHER' }, key: 'charge' });
    expect(other.status).toBe(422);
    expect(fakes.upstream.count('pay')).toBe(1);
  });

  test('is refused when it is a new one, and uses no key', async () => {
    const body = { ...CHARGE, reference: 'REFUSED' };
    const refused = await postAfterEdit(edit, { path, body, key: 'new-charge' });
    expect(await refused.json()).toMatchObject({ code: 'invalid_request', param: 'amount.value' });
    const accepted = await merchant(path, { body, headers: { 'idempotency-key': 'new-charge' } });
    expect([accepted.status, accepted.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});
