import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Json, merchant, startSession } from '../test-support/client.ts';
import { KEYS, WEBHOOK_SECRETS } from '../test-support/environment.ts';
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

  test('keep the same id and a fresh timestamp when tried again', async () => {
    fakes.upstream.webhookStatus = 500;
    await failedSession();
    await runLedgerAlarm();
    passSeconds(6);
    await runLedgerAlarm();
    const [first, second] = deliveries();
    expect(second?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id'));
    expect(Number(second?.headers.get('webhook-timestamp'))).toBeGreaterThan(
      Number(first?.headers.get('webhook-timestamp')),
    );
    expect(second?.body).toBe(first?.body);
  });

  test('can be sent again on demand; an unknown event is 404', async () => {
    const id = await failedSession();
    await runLedgerAlarm();
    const [event] = await eventsOf(id);
    const redeliver = async (eventId = event?.id, key: string = KEYS.aurora): Promise<number> =>
      (await merchant(`/v1/events/${eventId}/redeliver`, { method: 'POST', key })).status;
    await redeliver();
    await runLedgerAlarm();
    await expect.poll(() => deliveries()).toHaveLength(2);
    expect([await redeliver('ev_00000000000000000000000000'), await redeliver(event?.id, KEYS.borealis)]).toEqual([
      404, 404,
    ]);
  });
});

test('the feed of a hotel without events is empty, whatever others have', async () => {
  await failedSession();
  const answer = await merchant('/v1/events', { key: KEYS.borealis });
  expect(await answer.json()).toEqual({ object: 'list', data: [], nextAfter: 0 });
});
