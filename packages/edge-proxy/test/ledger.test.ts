import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Json, merchant, send, startSession } from '../test-support/client.ts';
import { WEBHOOK_SECRETS } from '../test-support/environment.ts';
import type { SeenRequest } from '../test-support/fake-upstream.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, runLedgerAlarm, runSessionAlarm } from '../test-support/objects.ts';

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

interface Event {
  id: string;
  type: string;
  seq: number;
  timestamp: string;
  data: { object: Json };
}

/** A session that has failed, and its event with the ledger. */
async function failedSession(): Promise<string> {
  const session = await startSession();
  fakes.upstream.fail(session.id);
  passSeconds(30);
  await runSessionAlarm(session.id);
  passSeconds(5);
  await runSessionAlarm(session.id);
  return session.id;
}

async function eventsOf(id: string): Promise<Event[]> {
  const found: Event[] = [];
  for (let after = 0; ; ) {
    const page = await (await merchant(`/v1/events?after=${after}&limit=100`)).json<{
      data: Event[];
      nextAfter: number;
    }>();
    found.push(...page.data.filter(({ data }) => data.object.id === id));
    if (page.nextAfter === after) return found;
    after = page.nextAfter;
  }
}

function deliveries(): SeenRequest[] {
  return fakes.upstream.requests.filter(({ operation }) => operation === 'webhook');
}

describe('the feed', () => {
  test('numbers events 1, 2, 3 … without gaps, and says where to go on', async () => {
    for (let i = 0; i < 3; i++) await failedSession();
    const page = await (await merchant('/v1/events?limit=100')).json<{
      object: string;
      data: Event[];
      nextAfter: number;
    }>();
    expect(page.object).toBe('list');
    expect(page.data.map(({ seq }) => seq)).toEqual(page.data.map((_, i) => i + 1));
    expect(page.nextAfter).toBe(page.data.length);
    const rest = await (await merchant(`/v1/events?after=${page.nextAfter}`)).json<Json>();
    expect(rest).toMatchObject({ data: [], nextAfter: page.nextAfter });
  });

  test('has one event for each outcome and none for open and pending', async () => {
    const id = await failedSession();
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.object.seq])).toEqual([
      ['checkout.attempt_failed', 3],
    ]);
  });

  test('tells the whole resource, without client secret and with four characters of the token', async () => {
    const session = await startSession({ kind: 'card', amount: undefined });
    fakes.upstream.pay(session.id);
    passSeconds(30);
    await runSessionAlarm(session.id);
    const [event] = await eventsOf(session.id);
    expect(event).toMatchObject({
      type: 'checkout.succeeded',
      data: { object: { status: 'succeeded', result: { token: '9876' } } },
    });
    const text = JSON.stringify(event);
    for (const secret of ['TOKEN-SECRET', 'clientSecret', 'view.test', 'paystatus']) expect(text).not.toContain(secret);
  });

  test('belongs to one hotel', async () => {
    await failedSession();
    const page = await (await merchant('/v1/events', { key: 'sk_test_borealis' })).json<Json>();
    expect(page).toMatchObject({ data: [] });
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
      const event = new Webhook(secret).verify(delivery?.body ?? '', headers) as Event;
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
    await merchant(`/v1/events/${event?.id}/redeliver`, { method: 'POST' });
    await runLedgerAlarm();
    await expect.poll(() => deliveries()).toHaveLength(2);
    expect((await merchant('/v1/events/ev_00000000000000000000000000/redeliver', { method: 'POST' })).status).toBe(404);
    expect(
      (await merchant(`/v1/events/${event?.id}/redeliver`, { method: 'POST', key: 'sk_test_borealis' })).status,
    ).toBe(404);
  });
});

test('the feed of a hotel without events is empty and stores nothing', async () => {
  const answer = await send('/v1/events', { headers: { authorization: 'Bearer sk_test_borealis' } });
  expect(await answer.json()).toEqual({ object: 'list', data: [], nextAfter: 0 });
});
