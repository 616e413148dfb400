/** A hotel whose guests storm its payment service, or whose calls hang there, beside others: who is refused, with what, and who goes on. */
import { afterEach, expect, test } from 'vitest';
import { countCall, type Permit } from '../src/upstream/call-budget.ts';
import { createSession, retrieve, send, startAttempt } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';

useFakes();
const permits: Permit[] = [];

/** Calls of the hotel that hang. */
function hang(count: number): void {
  const call = { receiver: 'https://pay.test', property: 'aurora', source: 'cs_hanging' };
  for (let nth = 0; nth < count; nth++) permits.push(countCall(call));
}

function makeRoom(): void {
  for (const permit of permits.splice(0)) permit.end();
}

afterEach(makeRoom);

async function expectLimited(answer: Response): Promise<void> {
  expect(answer.headers.get('retry-after')).toBe('1');
  await expectProblem(answer, 429, { code: 'rate_limited' });
}

test('the storm of one hotel is answered 429, and the guests of another open their pages', async () => {
  const own = await createSession();
  const other = await createSession({ returnUrl: 'https://borealis.test/', surcharge: false }, KEYS.borealis);
  hang(256);
  await expectLimited(await startAttempt(own));
  expect(await retrieve(own.id)).toMatchObject({ status: 'open' });
  expect((await startAttempt(other, { origin: 'https://borealis.test' })).status).toBe(200);
  makeRoom();
  expect((await startAttempt(own)).status).toBe(200);
});

test('a message to the gateway is refused while half of the hotel’s calls hang, and starts are not', async () => {
  hang(128);
  const headers = { authorization: `Bearer ${KEYS.aurora}`, 'content-type': 'text/xml' };
  await expectLimited(await send('/v1/gateway/RMS/roomreq', { method: 'POST', body: '<a/>', headers }));
  expect((await startAttempt(await createSession())).status).toBe(200);
});
