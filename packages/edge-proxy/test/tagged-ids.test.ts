import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newCapability } from '../src/http/ids.ts';
import { createTaggedIds } from '../src/ledger/tagged-ids.ts';
import { createSession, guest, merchant, send, startAttempt } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { ids } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

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
    const detail = 'The client secret is wrong or was revoked';
    await expectProblem(guest('/v1/checkout', capability), 401, { detail });
    expect((await startAttempt({ clientSecret: capability }, { presentation: 'tab' })).status).toBe(401);
    expect((await send(`/pay/${capability}`)).status).toBe(404);
    expect((await send(`/return/${id}/nonce/success`)).status).toBe(404);
    if (id === made) expect(await objects()).toBe(before);
  }
});

test('an id made up by a caller with a merchant key wakes no object', async () => {
  const before = await objects();
  const made = 'A'.repeat(26);
  for (const path of [`checkout-sessions/cs_${made}`, `charges/ch_${made}`, `reversals/rv_${made}`]) {
    expect([path, (await merchant(`/v1/${path}`)).status]).toEqual([path, 404]);
  }
  for (const act of ['expire', 'refresh', 'client-secret', 'link']) {
    const answer = await merchant(`/v1/checkout-sessions/cs_${made}/${act}`, { method: 'POST' });
    expect([act, answer.status]).toEqual([act, 404]);
  }
  for (const payment of [`cs_${made}`, `ch_${made}`]) {
    const headers = { 'idempotency-key': `made-up-${payment}` };
    await expectProblem(merchant('/v1/reversals', { body: { payment }, headers }), 404, { param: 'payment' });
  }
  expect(await objects()).toBe(before);
});

/** How many sessions, charges and reversals there are. */
async function objects(): Promise<number> {
  return (
    (await listDurableObjectIds(env.CHECKOUT_SESSIONS)).length +
    (await listDurableObjectIds(env.MONEY_OPERATIONS)).length
  );
}
