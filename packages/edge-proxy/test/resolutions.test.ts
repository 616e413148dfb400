import { expect, test } from 'vitest';
import { createSession, merchant, retrieve } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
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
