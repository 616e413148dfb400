/** What a guest's visit says, and what a crash leaves behind: nothing is final, lost or taken because of either. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sha256Hex } from '../src/http/hash.ts';
import { directoryObject } from '../src/properties/directory-stub.ts';
import { ClientSecrets } from '../src/sessions/client-secrets.ts';
import { type Created, merchant, PAYMENT, retrieve, startAttempt } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { useFakes } from '../test-support/harness.ts';
import { killOperation } from '../test-support/money.ts';
import { holdMethod, passSeconds, runSessionAlarm } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

const fakes = useFakes();

const ensure = (key: string, body: object = {}): Promise<Response> =>
  merchant(`/v1/checkout-sessions/by-key/${key}`, { method: 'PUT', body: { ...PAYMENT, ...body } });

test.each<[string, (made: Created) => Promise<unknown>]>([
  [
    'before the old end',
    ({ id }) => {
      passSeconds(601);
      return runSessionAlarm(id);
    },
  ],
  ['for a guest who starts again', (made) => expectProblem(startAttempt(made), 409, { code: 'terms_changed' })],
])('what a hotel wanted during a start that a crash ended counts %s', async (when, comes) => {
  const key = `crash-${when.length}`;
  const made = await (await ensure(key, { expiresInSeconds: 600 })).json<Created>();
  const held = fakes.upstream.hold('initpayNoIframe');
  const starting = startAttempt(made).catch(() => undefined);
  await expect.poll(() => fakes.upstream.count('initpayNoIframe')).toBeGreaterThan(0);
  expect((await ensure(key, { expiresInSeconds: 86_400, description: '3 nights' })).status).toBe(200);
  await killOperation(made.id);
  held.release();
  await starting;
  await comes(made);
  expect(await retrieve(made.id)).toMatchObject({ status: 'open', description: '3 nights', outdated: false });
});

test('a session that is redacted while it is being opened anew stays ended', async () => {
  const made = await (await ensure('redacted')).json<Created>();
  await merchant(`/v1/checkout-sessions/${made.id}/expire`, { method: 'POST' });
  const issue = holdMethod(ClientSecrets.prototype, 'issue');
  const opening = ensure('redacted');
  await issue.isCalled();
  expect((await merchant(`/v1/checkout-sessions/${made.id}/redact`, { method: 'POST' })).status).toBe(200);
  issue.goOn();
  await expectProblem(opening, 410, { code: 'key_used' });
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
