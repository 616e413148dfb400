import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { parseProperty } from '../src/properties/configured-properties.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
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

  test('takes the same news once, however often it is sent', async () => {
    const id = await failedSession();
    const [event] = await eventsOf(id);
    const update = {
      eventId: event?.id ?? '',
      type: 'checkout.attempt_failed' as const,
      at: Date.now(),
      resource: { id, kind: 'checkout_session', seq: 3, status: 'open', reference: 'R', createdAt: 0, body: '{}' },
    };
    const ledger = env.LEDGERS.getByName('aurora');
    await Promise.all([ledger.append('aurora', [update, update]), ledger.append('aurora', [update])]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test('is kept ninety days', async () => {
    const id = await failedSession();
    passSeconds(89 * 24 * HOUR);
    await runLedgerAlarm();
    expect(await eventsOf(id)).toHaveLength(1);
    passSeconds(2 * 24 * HOUR);
    await runLedgerAlarm();
    expect(await eventsOf(id)).toHaveLength(0);
    const next = await failedSession();
    expect((await eventsOf(next))[0]?.seq).toBeGreaterThan(1);
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

  test('are not sent again once accepted', async () => {
    await failedSession();
    await runLedgerAlarm();
    passSeconds(48 * HOUR);
    await runLedgerAlarm();
    expect(deliveries()).toHaveLength(1);
  });

  test('survive a receiver that is down for two days', async () => {
    fakes.upstream.webhookStatus = () => Promise.reject(new TypeError('Network connection lost.'));
    const ids = [await failedSession(), await failedSession()];
    for (let hour = 0; hour < 48; hour++) {
      await runLedgerAlarm();
      passSeconds(HOUR);
    }
    const failed = deliveries().length;
    expect(failed).toBeGreaterThan(10);
    fakes.upstream.webhookStatus = 200;
    fakes.upstream.requests.length = 0;
    for (let hour = 0; hour < 30; hour++) {
      await runLedgerAlarm();
      passSeconds(HOUR);
    }
    const received = deliveries().map(({ body }) => (JSON.parse(body) as Event).data.object.id);
    expect(received.sort()).toEqual([...ids].sort());
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

  test('are given up after ten attempts', async () => {
    fakes.upstream.webhookStatus = 503;
    await failedSession();
    for (let hour = 0; hour < 100; hour++) {
      await runLedgerAlarm();
      passSeconds(HOUR);
    }
    expect(deliveries()).toHaveLength(10);
  });

  test('do not follow redirects: a 307 is a failure and nothing else is called', async () => {
    fakes.upstream.webhookStatus = () =>
      new Response(null, { status: 307, headers: { location: 'https://evil.test/' } });
    await failedSession();
    await runLedgerAlarm();
    passSeconds(6);
    await runLedgerAlarm();
    expect(deliveries().map(({ url }) => url.host)).toEqual(['hooks.aurora.test', 'hooks.aurora.test']);
  });

  test('end for an endpoint that says 410, until an event is redelivered', async () => {
    fakes.upstream.webhookStatus = 410;
    const id = await failedSession();
    await runLedgerAlarm();
    await failedSession();
    passSeconds(24 * HOUR);
    await runLedgerAlarm();
    expect(deliveries()).toHaveLength(1);
    fakes.upstream.webhookStatus = 200;
    const [event] = await eventsOf(id);
    const answer = await merchant(`/v1/events/${event?.id}/redeliver`, { method: 'POST' });
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual(event);
    await runLedgerAlarm();
    await failedSession();
    await runLedgerAlarm();
    // Both that came meanwhile were kept, and so was the event that tells of it.
    const received = deliveries().slice(1);
    expect(received.map(({ body }) => (JSON.parse(body) as Event).type).sort()).toEqual([
      'checkout.attempt_failed',
      'checkout.attempt_failed',
      'checkout.attempt_failed',
      'webhook_endpoint.disabled',
    ]);
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

  test('of a time without readable configuration are sent once, in order, when it can be read again', async () => {
    const id = await failedSession();
    await runLedgerAlarm();
    fakes.upstream.requests.length = 0;
    const body = JSON.stringify((await eventsOf(id))[0]?.data.object);
    const stub = env.LEDGERS.getByName('aurora');
    const find = await runInDurableObject(stub, (ledger) => {
      // The settings an object was started with are its own.
      const properties = propertiesOf((ledger as unknown as { env: PropertyBindings }).env);
      return vi.spyOn(properties, 'find').mockResolvedValue(parseProperty('aurora', '{'));
    });
    const update = (eventId: string): LedgerUpdate => ({
      eventId,
      type: 'checkout.attempt_failed',
      at: Date.now(),
      resource: { id, kind: 'checkout_session', seq: 3, status: 'open', reference: 'R', createdAt: 0, body },
    });
    const [first, second] = [`ev_${'A'.repeat(26)}`, `ev_${'B'.repeat(26)}`];
    await stub.append('aurora', [update(first)]);
    await stub.append('aurora', [update(second)]);
    passSeconds(HOUR);
    await runLedgerAlarm();
    expect(deliveries()).toHaveLength(0);
    find.mockRestore();
    expect(await runInDurableObject(stub, (_ledger, { storage }) => storage.getAlarm())).not.toBeNull();
    for (let hour = 0; hour < 3; hour++) {
      passSeconds(HOUR);
      await runLedgerAlarm();
      await runLedgerAlarm();
    }
    expect(deliveries().map(({ headers }) => headers.get('webhook-id'))).toEqual([first, second]);
  });

  test('survive the ledger’s eviction', async () => {
    fakes.upstream.webhookStatus = 500;
    await failedSession();
    await runLedgerAlarm();
    await evictDurableObject(env.LEDGERS.getByName('aurora'));
    fakes.upstream.webhookStatus = 200;
    passSeconds(6);
    await runLedgerAlarm();
    expect(deliveries()).toHaveLength(2);
  });
});

test('the feed of a hotel without events is empty and stores nothing', async () => {
  const answer = await send('/v1/events', { headers: { authorization: 'Bearer sk_test_borealis' } });
  expect(await answer.json()).toEqual({ object: 'list', data: [], nextAfter: 0 });
});
