import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Json, merchant, startSession } from '../test-support/client.ts';
import { WEBHOOK_SECRETS } from '../test-support/environment.ts';
import type { SeenRequest } from '../test-support/fake-upstream.ts';
import { useFakes } from '../test-support/harness.ts';
import { endAttempt, eventsOf, passSeconds, poll, runLedgerAlarm } from '../test-support/objects.ts';

const fakes = useFakes();
const HOUR = 3_600;
let day = 0;

// A day of its own for every test: retries that are due belong to the test that caused them.
beforeEach(async () => {
  day += 10;
  passSeconds(day * 24 * HOUR);
  fakes.upstream.webhookStatus = 204;
  await runLedgerAlarm();
  await runLedgerAlarm();
  fakes.upstream.requests.length = 0;
});

/** A session that has failed, and its event with the ledger. */
async function failedSession(): Promise<string> {
  const { id } = await startSession();
  await endAttempt(fakes.upstream, id, 'failed');
  return id;
}

function deliveries(): SeenRequest[] {
  return fakes.upstream.requests.filter(({ operation }) => operation === 'webhook');
}

describe('the feed', () => {
  test('numbers events 1, 2, 3 … without gaps, and says where to go on', async () => {
    for (let i = 0; i < 3; i++) await failedSession();
    const page = await (await merchant('/v1/events?limit=100')).json<{ data: { seq: number }[]; nextAfter: number }>();
    expect(page).toMatchObject({ object: 'list', nextAfter: page.data.length });
    expect(page.data.map(({ seq }) => seq)).toEqual(page.data.map((_, i) => i + 1));
    const rest = await (await merchant(`/v1/events?after=${page.nextAfter}`)).json<Json>();
    expect(rest).toMatchObject({ data: [], nextAfter: page.nextAfter });
  });

  test('tells the whole resource, without client secret and with four characters of the token', async () => {
    const session = await startSession({ kind: 'card', amount: undefined });
    fakes.upstream.pay(session.id);
    await poll(session.id);
    const [event] = await eventsOf(session.id);
    expect(event).toMatchObject({
      type: 'checkout.succeeded',
      data: { object: { status: 'succeeded', result: { token: '9876' } } },
    });
    const list = await (await merchant('/v1/checkout-sessions')).text();
    expect([list.includes(session.id), list.includes('9876')]).toEqual([true, false]);
    const text = JSON.stringify(event);
    for (const secret of ['TOKEN-SECRET', 'clientSecret', 'view.test', 'paystatus']) expect(text).not.toContain(secret);
  });
});

describe('webhooks', () => {
  test('verify with the public library, under both secrets of a rotation', async () => {
    const id = await failedSession();
    await runLedgerAlarm();
    const [delivery] = deliveries();
    expect(delivery?.headers.get('content-type')).toBe('application/json');
    expect(delivery?.method).toBe('POST');
    const headers = Object.fromEntries(delivery?.headers ?? []);
    for (const secret of WEBHOOK_SECRETS) {
      const event = new Webhook(secret).verify(delivery?.body ?? '', headers) as { id: string };
      expect(event).toEqual((await eventsOf(id))[0]);
      expect(headers['webhook-id']).toBe(event.id);
    }
    expect(() => new Webhook(WEBHOOK_SECRETS[0]).verify(`${delivery?.body} `, headers)).toThrow();
  });
});
