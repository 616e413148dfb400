import { expect, test } from 'vitest';
import { createSession, merchant, retrieve } from '../test-support/client.ts';
import { KEYS, PLATFORM_KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';

useFakes();

const EVIDENCE = { status: 'succeeded', evidence: 'trust me', transactionId: 'X1' };

test('a web shop’s key cannot declare a session paid', async () => {
  const { id } = await createSession({}, KEYS.valleyInn);
  await merchant(`/v1/checkout-sessions/${id}/expire`, { method: 'POST', key: KEYS.valleyInn });
  const answer = await merchant(`/v1/checkout-sessions/${id}/resolve`, { body: EVIDENCE, key: KEYS.valleyInn });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    code: 'forbidden',
    detail: 'This key has no scope "resolutions"',
  });
  expect(await retrieve(id, KEYS.valleyInn)).toMatchObject({ status: 'expired' });
});

test.each(['charges', 'reversals'])('neither can a key that makes %s settle them', async (kind) => {
  const id = `${kind === 'charges' ? 'ch' : 'rv'}_01JZ8M4Q9T6V2X3Y5A7B8C9D0E`;
  const headers = { 'innkeep-property': 'aurora' };
  const answer = await merchant(`/v1/${kind}/${id}/resolve`, { body: EVIDENCE, key: PLATFORM_KEYS.all, headers });
  expect([answer.status, await answer.json()]).toMatchObject([403, { detail: 'This key has no scope "resolutions"' }]);
});

test('a key with the scope alone settles, and may do nothing else', async () => {
  const { id } = await createSession();
  const key = KEYS.auroraBooks;
  const settled = await merchant(`/v1/checkout-sessions/${id}/resolve`, { body: EVIDENCE, key });
  // Nobody has started it: the scope lets the call through, the session's state does not.
  expect([settled.status, await settled.json()]).toMatchObject([409, { code: 'not_resolvable' }]);
  for (const path of [`/v1/checkout-sessions/${id}`, '/v1/charges', '/v1/reversals']) {
    expect((await merchant(path, { key })).status).toBe(403);
  }
});
