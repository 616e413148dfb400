/** A guest who came back as somebody who has paid, while the payment service does not say so yet. */
import { expect, test } from 'vitest';
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

interface Started {
  readonly id: string;
  readonly path: string;
  readonly clientSecret: string;
}

async function startedLink(): Promise<Started> {
  const { id, clientSecret } = await createSession({ expiresInSeconds: 30 * 24 * HOUR });
  const path = await paymentLink(id);
  await submit(path);
  return { id, path, clientSecret };
}

const comeBack = (id: string): Promise<Response> => send(fakes.upstream.returnPath(id, 'success'));

/** One whose attempt was given up before or after the guest came back. */
async function cameBack(when: 'before' | 'after'): Promise<Started> {
  const started = await startedLink();
  if (when === 'before') {
    await comeBack(started.id);
    passSeconds(5);
    // Whoever opens the page once more is led on to it, and has come back all the same.
    expect((await submit(started.path)).headers.get('location')).toMatch(/^https:\/\/view\.test\/payment/);
  }
  await poll(started.id, HOUR);
  await runSessionAlarm(started.id);
  expect(await retrieve(started.id)).toMatchObject({
    status: 'open',
    final: false,
    attempts: [{ status: 'abandoned' }],
  });
  if (when === 'after') await comeBack(started.id);
  passSeconds(5);
  return started;
}

async function viewOf({ clientSecret }: Started): Promise<Json> {
  return (await guest('/v1/checkout', clientSecret)).json();
}

const WAITING = { status: 'pending', final: false, returned: true, nextPollMs: 60_000 };

test.each(['before', 'after'] as const)(
  'one who comes back %s the attempt was given up waits, is offered nothing to pay, and can start nothing',
  async (when) => {
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
  },
);

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
