import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newCapability } from '../src/http/ids.ts';
import { createTaggedIds } from '../src/ledger/tagged-ids.ts';
import { createSession, guest, merchant, retrieve, send, startAttempt } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { ids } from '../test-support/objects.ts';

useFakes();

/** The id with another character at the given place, still in the form of an id. */
function tampered(id: string, place: number): string {
  return `${id.slice(0, place)}${id[place] === 'A' ? 'B' : 'A'}${id.slice(place + 1)}`;
}

test('ids have the form of ids, sort by time and are known again by every instance', async () => {
  const [early, late] = [await ids.create(1_000), await ids.create(2_000)];
  expect(early < late).toBe(true);
  for (const id of [early, late, await ids.derive('cs', ['a', 'b'])]) {
    expect(id).toMatch(/^cs_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await createTaggedIds(env).isOurs('cs', id)).toBe(true);
  }
});

test('ids of the same parts are the same, whoever derives them', async () => {
  expect(await ids.derive('ch', ['a', 'b'])).toBe(await createTaggedIds(env).derive('ch', ['a', 'b']));
  expect(await ids.derive('ch', ['a', 'b'])).not.toBe(await ids.derive('ch', ['ab', '']));
});

test('the key of a deployment gives an id and a secret for ever', async () => {
  const given = createTaggedIds({
    LEDGERS: env.LEDGERS,
    ID_KEYS: { getByName: () => ({ read: async () => 'a key of 1.0.0' }) } as never,
  });
  expect([
    await given.derive('cs', ['a', 'b']),
    await given.derive('ch', ['a', 'b']),
    await given.deriveSecret(['a', 'b']),
  ]).toEqual([
    'cs_0HSYYBE0TCJAPSCX6P0C3J9Q0M',
    'ch_0HSYYBE0TCJAPSCX6P0CCNJ85Q',
    'BzjgJ2VbbX-Ang9whGvv_-rPMYyrxcr0Px2AgOg3Jyo',
  ]);
});

test('an id that was changed anywhere is not ours', async () => {
  const id = await ids.create(Date.now());
  for (let place = 3; place < id.length; place++) expect(await ids.isOurs('cs', tampered(id, place))).toBe(false);
  for (const other of ['', 'cs_', `${id}0`, id.toLowerCase(), `cs_${'0'.repeat(26)}`]) {
    expect(await ids.isOurs('cs', other)).toBe(false);
  }
});

test('an id is of one kind alone', async () => {
  const id = await ids.derive('cs', ['one kind']);
  // From here on it is remembered as ours.
  expect(await ids.isOurs('cs', id)).toBe(true);
  for (const prefix of ['ch', 'rv'] as const) {
    expect(await ids.isOurs(prefix, id)).toBe(false);
    expect(await ids.isOurs(prefix, `${prefix}${id.slice(2)}`)).toBe(false);
  }
});

test('ids of another deployment are not ours', async () => {
  const others = createTaggedIds({
    LEDGERS: env.LEDGERS,
    ID_KEYS: { getByName: () => env.ID_KEYS.getByName('another') } as never,
  });
  expect(await others.isOurs('cs', await others.create(1_000))).toBe(true);
  expect(await ids.isOurs('cs', await others.create(1_000))).toBe(false);
});

test('what strangers make up is answered as what is unknown, on every way in', async () => {
  const made = tampered((await createSession()).id, 12);
  const unknown = await ids.create(Date.now());
  for (const id of [made, unknown]) {
    const capability = newCapability(id);
    const before = await objects();
    const read = await guest('/v1/checkout', capability);
    expect([read.status, (await read.json<{ detail: string }>()).detail]).toEqual([
      401,
      'The client secret is wrong or was revoked',
    ]);
    expect((await startAttempt({ clientSecret: capability }, { presentation: 'tab' })).status).toBe(401);
    expect((await send(`/pay/${capability}`)).status).toBe(404);
    expect((await send(`/return/${id}/nonce/success`)).status).toBe(404);
    if (id === made) expect(await objects()).toBe(before);
  }
});

test.each([
  ['GET', '/v1/checkout-sessions/cs_', undefined],
  ['POST', '/v1/checkout-sessions/cs_', '/expire'],
  ['POST', '/v1/checkout-sessions/cs_', '/refresh'],
  ['POST', '/v1/checkout-sessions/cs_', '/client-secret'],
  ['POST', '/v1/checkout-sessions/cs_', '/link'],
  ['GET', '/v1/charges/ch_', undefined],
  ['GET', '/v1/reversals/rv_', undefined],
])('an id made up by a caller with a merchant key wakes no object: %s %s…%s', async (method, path, rest = '') => {
  const before = await objects();
  const answer = await merchant(`${path}${'A'.repeat(26)}${rest}`, { method });
  expect([answer.status, await objects()]).toEqual([404, before]);
});

test.each(['cs', 'ch'])('nor does a made-up %s that is to be refunded', async (prefix) => {
  const before = await objects();
  const body = { payment: `${prefix}_${'A'.repeat(26)}` };
  const answer = await merchant('/v1/reversals', { body, headers: { 'idempotency-key': `made-up-${prefix}` } });
  expect([answer.status, await objects()]).toEqual([404, before]);
  expect(await answer.json()).toMatchObject({ param: 'payment' });
});

test('a merchant’s key and body lead to one session, whose id is ours', async () => {
  const body = { kind: 'card', reference: 'RES-IDS' };
  const once = (): Promise<Response> =>
    merchant('/v1/checkout-sessions', { body, headers: { 'idempotency-key': 'ids-1' } });
  const { id } = await (await once()).json<{ id: string }>();
  expect(await (await once()).json()).toMatchObject({ id });
  expect(await ids.isOurs('cs', id)).toBe(true);
  expect(await retrieve(id)).toMatchObject({ id });
});

/** How many sessions, charges and reversals there are. */
async function objects(): Promise<number> {
  return (
    (await listDurableObjectIds(env.CHECKOUT_SESSIONS)).length +
    (await listDurableObjectIds(env.MONEY_OPERATIONS)).length
  );
}
