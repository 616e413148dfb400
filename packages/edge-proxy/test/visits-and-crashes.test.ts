/** What a guest's visit says, and what a crash leaves behind: nothing is final, lost or taken because of either. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { sha256Hex } from '../src/http/hash.ts';
import { directoryObject } from '../src/properties/directory-stub.ts';
import { ClientSecrets } from '../src/sessions/client-secrets.ts';
import { type Created, merchant, PAYMENT, retrieve, send, startAttempt, startSession } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { useFakes } from '../test-support/harness.ts';
import { killOperation } from '../test-support/money.ts';
import { passSeconds, poll, runSessionAlarm } from '../test-support/objects.ts';

const fakes = useFakes();

const ensure = (key: string, body: object = {}): Promise<Response> =>
  merchant(`/v1/checkout-sessions/by-key/${key}`, { method: 'PUT', body: { ...PAYMENT, ...body } });

test('a visit is no answer of a payment service that is down: what nobody has answered for is not final', async () => {
  const { id } = await startSession({ expiresInSeconds: 600 });
  passSeconds(10);
  await send(fakes.upstream.returnPath(id, 'success'));
  fakes.upstream.fail(id);
  await poll(id, 3);
  await poll(id, 6);
  const down = (): Response => new Response(null, { status: 503 });
  fakes.upstream.overrides.paystatus = down;
  fakes.upstream.overrides.transaction = down;
  for (const seconds of [310, 290]) {
    passSeconds(seconds);
    await runSessionAlarm(id);
  }
  expect(await retrieve(id)).toMatchObject({ status: 'expired', final: false, attempts: [{ status: 'failed' }] });
  passSeconds(100);
  await send(fakes.upstream.returnPath(id, 'success'));
  // Beyond the quarter of an hour for which somebody who came back is believed, and without a poll right before its end.
  for (let times = 0; times < 60; times++) {
    passSeconds(4);
    await runSessionAlarm(id);
  }
  expect(await retrieve(id)).toMatchObject({ status: 'expired', final: false });
});

test('what a hotel wanted during a start that a crash ended counts before the old end', async () => {
  const made = await (await ensure('crash', { expiresInSeconds: 600 })).json<Created>();
  const held = fakes.upstream.hold('initpayNoIframe');
  const starting = startAttempt(made).catch(() => undefined);
  await expect.poll(() => fakes.upstream.count('initpayNoIframe')).toBeGreaterThan(0);
  expect((await ensure('crash', { expiresInSeconds: 86_400, description: '3 nights' })).status).toBe(200);
  await killOperation(made.id);
  held.release();
  await starting;
  passSeconds(601);
  await runSessionAlarm(made.id);
  expect(await retrieve(made.id)).toMatchObject({ status: 'open', description: '3 nights', outdated: false });
});

test('a session that is redacted while it is being opened anew stays ended', async () => {
  const made = await (await ensure('redacted')).json<Created>();
  await merchant(`/v1/checkout-sessions/${made.id}/expire`, { method: 'POST' });
  let isHeld = true;
  const { issue } = ClientSecrets.prototype;
  const issued = vi.spyOn(ClientSecrets.prototype, 'issue').mockImplementation(async function (
    this: ClientSecrets,
    ...given
  ) {
    while (isHeld) await scheduler.wait(1);
    return issue.apply(this, given);
  });
  const opening = ensure('redacted');
  await expect.poll(() => issued.mock.calls.length).toBe(1);
  expect((await merchant(`/v1/checkout-sessions/${made.id}/redact`, { method: 'POST' })).status).toBe(200);
  isHeld = false;
  const answer = await opening;
  expect([answer.status, await answer.json()]).toEqual([410, expect.objectContaining({ code: 'key_used' })]);
  expect(await retrieve(made.id)).toMatchObject({ status: 'expired' });
});

test('a hotel whose object was set back keeps its keys once the directory, which knows a newer version, has asked', async () => {
  const key = `sk_test_${'q'.repeat(48)}`;
  await addHotel('crashed_back', [key]);
  const put = async (ifMatch: string, displayName: string): Promise<Response> => {
    const body = await hotelWith([key], { displayName });
    return operator('crashed_back', { method: 'PUT', body, headers: { 'if-match': ifMatch } });
  };
  for (const version of [1, 2]) expect((await put(`"${version}"`, `After ${version}`)).status).toBe(200);
  const object = env.PROPERTIES.getByName('crashed_back');
  await runInDurableObject(object, (_object, { storage }) => {
    storage.sql.exec('DELETE FROM version WHERE version > 1');
  });
  await evictDurableObject(object);
  passSeconds(5);
  expect(await (await put('*', 'Again')).json()).toMatchObject({ version: 2 });
  const directory = env.DIRECTORIES.getByName('properties');
  for (let times = 0; times < 2; times++) {
    passSeconds(5);
    await runInDurableObject(directory, (asked) => asked.alarm());
    expect(await directoryObject(env.DIRECTORIES, env).ownerOf(await sha256Hex(key))).toBe('crashed_back');
    expect((await merchant('/v1/status', { key })).status).toBe(200);
  }
});
