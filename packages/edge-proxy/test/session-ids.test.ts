import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { isSessionId, newCapability } from '../src/ids.ts';
import { createSessionIds } from '../src/rpc/session-ids.ts';
import { createSession, guest, merchant, retrieve, send } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';

useFakes();
const ids = createSessionIds(env);

/** The id with another character at the given place, still in the form of an id. */
function tampered(id: string, place: number): string {
  return `${id.slice(0, place)}${id[place] === 'A' ? 'B' : 'A'}${id.slice(place + 1)}`;
}

test('ids have the form of ids, sort by time and are known again by every instance', async () => {
  const [early, late] = [await ids.create(1_000), await ids.create(2_000)];
  expect(early < late).toBe(true);
  for (const id of [early, late, await ids.derive(['a', 'b'])]) {
    expect(isSessionId(id)).toBe(true);
    expect(await createSessionIds(env).isOurs(id)).toBe(true);
  }
});

test('ids of the same parts are the same, whoever derives them', async () => {
  expect(await ids.derive(['a', 'b'])).toBe(await createSessionIds(env).derive(['a', 'b']));
  expect(await ids.derive(['a', 'b'])).not.toBe(await ids.derive(['ab', '']));
});

test('an id that was changed anywhere is not ours', async () => {
  const id = await ids.create(Date.now());
  for (let place = 3; place < id.length; place++) expect(await ids.isOurs(tampered(id, place))).toBe(false);
  for (const other of ['', 'cs_', `${id}0`, id.toLowerCase(), `cs_${'0'.repeat(26)}`]) {
    expect(await ids.isOurs(other)).toBe(false);
  }
});

test('ids of another deployment are not ours', async () => {
  const others = createSessionIds({ ID_KEYS: { getByName: () => env.ID_KEYS.getByName('another') } as never });
  expect(await others.isOurs(await others.create(1_000))).toBe(true);
  expect(await ids.isOurs(await others.create(1_000))).toBe(false);
});

test('what strangers make up is answered as what is unknown, on every way in', async () => {
  const made = tampered((await createSession()).id, 12);
  const unknown = await ids.create(Date.now());
  for (const id of [made, unknown]) {
    const capability = newCapability(id);
    const read = await guest('/v1/checkout', capability);
    expect([read.status, (await read.json<{ detail: string }>()).detail]).toEqual([
      401,
      'The client secret is wrong or was revoked',
    ]);
    expect((await guest('/v1/checkout/start', capability, { body: { presentation: 'tab' } })).status).toBe(401);
    expect((await send(`/pay/${capability}`)).status).toBe(404);
    expect((await send(`/return/${id}/nonce/success`)).status).toBe(404);
  }
});

test('a merchant’s key and body lead to one session, whose id is ours', async () => {
  const body = { kind: 'card', reference: 'RES-IDS' };
  const once = (): Promise<Response> =>
    merchant('/v1/checkout-sessions', { body, headers: { 'idempotency-key': 'ids-1' } });
  const { id } = await (await once()).json<{ id: string }>();
  expect(await (await once()).json()).toMatchObject({ id });
  expect(await ids.isOurs(id)).toBe(true);
  expect(await retrieve(id)).toMatchObject({ id });
});
