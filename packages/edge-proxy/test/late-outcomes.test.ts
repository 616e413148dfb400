/** What shows after an attempt has ended: a refused card, money of a long link, guests who came back as having paid. */

import { expect, test } from 'vitest';
import {
  createSession,
  guest,
  type Json,
  merchant,
  paymentLink,
  retrieve,
  send,
  startAttempt,
  startSession,
  submit,
} from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, poll } from '../test-support/objects.ts';

const fakes = useFakes();
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const isDown = () => new Response(null, { status: 503 });

/** The session as its guest sees it. */
async function viewOf(clientSecret: string): Promise<Json> {
  return (await guest('/v1/checkout', clientSecret)).json();
}

test.each([
  ['a card that was not stored', { kind: 'card', amount: undefined }, '51', 'declined', 'declined'],
  ['a refused card at a payment', {}, '51', 'declined', 'declined'],
  ['a code that leaves it open', {}, '096', 'failed', 'upstream_failed'],
])('a record of %s counts also after a return as one who has canceled', async (_, asked, returnCode, status, code) => {
  const session = await startSession(asked);
  fakes.upstream.pay(session.id, { status: '_error', returnCode, paymentObjID: undefined, token: undefined });
  fakes.upstream.fail(session.id, 'Aborted by user');
  await send(fakes.upstream.returnPath(session.id, 'abort'));
  expect(await retrieve(session.id)).toMatchObject({ status: 'open', attempts: [{ status, error: { code } }] });
  const view = await viewOf(session.clientSecret);
  expect(view).toMatchObject({ status: 'open', error: { code }, nextPollMs: null });
});

test('an abandoned attempt of a long link is asked about again when nobody answers at its end, and a press there changes nothing', async () => {
  const { id, clientSecret } = await startSession({ expiresInSeconds: 3 * DAY });
  for (const seconds of [HOUR, DAY]) await poll(id, seconds);
  fakes.upstream.pay(id);
  Object.assign(fakes.upstream.overrides, { paystatus: isDown, transaction: isDown });
  passSeconds(2 * DAY);
  expect((await startAttempt({ clientSecret })).status).toBe(409);
  expect(await poll(id, 0)).toMatchObject({ status: 'expired', final: false });
  expect(await poll(id, DAY)).toMatchObject({ status: 'expired', final: false });
  fakes.upstream.overrides = {};
  await poll(id, 3 * HOUR);
  expect(await retrieve(id)).toMatchObject({ status: 'succeeded', late: true });
});

test.each([
  ['is paid', {}, [409, 'session_not_open'], { status: 'succeeded' }],
  [
    'is paid, but nobody says so',
    { paystatus: isDown, transaction: isDown },
    [200, undefined],
    { status: 'succeeded' },
  ],
  ['is not paid', {}, [200, undefined], { status: 'expired', final: true }],
])(
  'an abandoned attempt of a long link that %s is asked about when the merchant ends it',
  async (what, overrides, refusal, outcome) => {
    const { id } = await startSession({ expiresInSeconds: 3 * DAY });
    for (const seconds of [HOUR, DAY, HOUR]) await poll(id, seconds);
    if (what !== 'is not paid') fakes.upstream.pay(id);
    fakes.upstream.overrides = overrides;
    const answer = await merchant(`/v1/checkout-sessions/${id}/expire`, { method: 'POST' });
    const { code, final } = await answer.json<Json>();
    expect([answer.status, code]).toEqual(refusal);
    expect(final).toBe(answer.ok ? what === 'is not paid' : undefined);
    fakes.upstream.overrides = {};
    await poll(id, 3 * HOUR);
    expect(await retrieve(id)).toMatchObject(outcome);
  },
);

test('one who comes back from an older page than that under way is not led on there', async () => {
  const { id, clientSecret } = await createSession({ expiresInSeconds: 30 * DAY });
  const path = await paymentLink(id);
  await submit(path);
  const older = fakes.upstream.returnPath(id, 'success');
  await poll(id, HOUR);
  expect((await startAttempt({ clientSecret })).status).toBe(200);
  await send(older);
  passSeconds(5);
  const waiting = { status: 'pending', final: false, returned: true, nextPollMs: 2_500 };
  expect(await viewOf(clientSecret)).toMatchObject(waiting);
  expect(await (await send(path)).text()).not.toContain('<form');
  expect((await startAttempt({ clientSecret })).status).toBe(409);
});
