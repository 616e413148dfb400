/** A guest who came back as somebody who has paid, while the payment service does not say so yet. */
import { describe, expect, test } from 'vitest';
import {
  createSession,
  guest,
  type Json,
  paymentLink,
  retrieve,
  send,
  startAttempt,
  submit,
} from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, poll, runSessionAlarm } from '../test-support/objects.ts';

const fakes = useFakes();
const HOUR = 3_600;
const DAY = 24 * HOUR;
const LIFE = 30 * DAY;

interface Started {
  readonly id: string;
  readonly path: string;
  readonly clientSecret: string;
}

async function startedLink(expiresInSeconds = LIFE): Promise<Started> {
  const { id, clientSecret } = await createSession({ expiresInSeconds });
  const path = await paymentLink(id);
  await submit(path);
  return { id, path, clientSecret };
}

function comeBack(id: string, through: 'success' | 'abort' = 'success'): Promise<Response> {
  return send(fakes.upstream.returnPath(id, through));
}

/** One whose attempt was given up before or after the guest came back. */
async function cameBack(when: 'before' | 'after', expiresInSeconds = LIFE): Promise<Started> {
  const started = await startedLink(expiresInSeconds);
  if (when === 'before') {
    await comeBack(started.id);
    passSeconds(5);
    // Whoever opens the page once more is led on to it, and has come back all the same.
    expect((await submit(started.path)).headers.get('location')).toMatch(/^https:\/\/view\.test\/payment/);
  }
  await poll(started.id, HOUR);
  await runSessionAlarm(started.id);
  const status = expiresInSeconds > HOUR ? 'open' : 'expired';
  expect(await retrieve(started.id)).toMatchObject({ status, final: false, attempts: [{ status: 'abandoned' }] });
  if (when === 'after') await comeBack(started.id);
  passSeconds(5);
  return started;
}

async function viewOf({ clientSecret }: Started): Promise<Json> {
  return (await guest('/v1/checkout', clientSecret)).json();
}

const WAITING = { status: 'pending', final: false, returned: true, nextPollMs: 60_000 };

describe.each(['before', 'after'] as const)('one who comes back %s the attempt was given up', (when) => {
  test('waits, is offered nothing to pay, and can start nothing', async () => {
    const started = await cameBack(when);
    const { id, path } = started;
    expect(await viewOf(started)).toMatchObject(WAITING);
    for (const address of [path, fakes.upstream.returnPath(id, 'success').replace('success', 'start')]) {
      const page = await (await send(address)).text();
      expect(page).toContain('Not finished yet');
      expect(page).toMatch(/http-equiv="refresh" content="60/);
      expect(page).not.toContain('<form');
    }
    const answers = [await startAttempt(started), await submit(path)];
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    const [problem, page] = answers;
    expect(await problem?.json()).toMatchObject({ code: 'session_not_open', resource: id });
    expect(await page?.text()).not.toMatch(/<form|role="alert"/);
    expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
  });

  test('can pay again once the payment service says that nothing was paid', async () => {
    const started = await cameBack(when);
    fakes.upstream.fail(started.id);
    await poll(started.id);
    await poll(started.id, 5);
    // It may only lag behind the guest.
    if (when === 'after') expect(await viewOf(started)).toMatchObject(WAITING);
    passSeconds(HOUR / 4);
    expect(await viewOf(started)).toMatchObject({ status: 'open', returned: false, nextPollMs: null });
    expect((await startAttempt(started)).status).toBe(200);
  });

  test('can pay again after the last poll, a day later', async () => {
    const started = await cameBack(when);
    await poll(started.id, DAY - 10);
    expect(await viewOf(started)).toMatchObject(WAITING);
    expect((await startAttempt(started)).status).toBe(409);
    await poll(started.id, 10);
    expect(await viewOf(started)).toMatchObject({ status: 'open', returned: false, nextPollMs: null });
    expect((await startAttempt(started)).status).toBe(200);
  });

  test('waits also when the session has expired, until it is final', async () => {
    const started = await cameBack(when, HOUR / 2);
    expect(await viewOf(started)).toMatchObject(WAITING);
    const page = await (await send(started.path)).text();
    expect(page).toContain('Not finished yet');
    expect(page).not.toContain('new link');
    await poll(started.id, DAY);
    await runSessionAlarm(started.id);
    expect(await viewOf(started)).toMatchObject({ status: 'expired', final: true, returned: false, nextPollMs: null });
  });
});

test('one who comes back from an older page than that under way is not led on there', async () => {
  const started = await startedLink();
  const older = fakes.upstream.returnPath(started.id, 'success');
  await poll(started.id, HOUR);
  expect((await startAttempt(started)).status).toBe(200);
  await send(older);
  passSeconds(5);
  expect(await viewOf(started)).toMatchObject({ ...WAITING, nextPollMs: 2_500 });
  expect(await (await send(started.path)).text()).not.toContain('<form');
  expect((await startAttempt(started)).status).toBe(409);
});
