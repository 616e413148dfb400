/** Two payments for one reference never go unnoticed. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { type Json, merchant, startSession } from '../test-support/client.ts';
import { postReversal, useMoneyFakes } from '../test-support/money.ts';
import { ACTOR } from '../test-support/records.ts';

const fakes = useMoneyFakes('DUP');

interface DuplicateEvent {
  id: string;
  type: string;
  data: { object: Json; duplicate?: { payments: { payment: string; attempt: number }[]; remedy: string } };
}

async function paidSession(overrides: Json = {}): Promise<string> {
  const { id } = await startSession({ reference: fakes.reference, ...overrides });
  fakes.upstream.pay(id);
  await vi.waitFor(async () => {
    const session = await (await merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' })).json<Json>();
    expect(session).toMatchObject({ status: 'succeeded' });
  }, PATIENT);
  return id;
}

/** The events about sessions, once the feed has the success of each. */
async function eventsOf(...ids: string[]): Promise<DuplicateEvent[]> {
  return vi.waitFor(async () => {
    const { data } = await (await merchant('/v1/events?limit=100')).json<{ data: DuplicateEvent[] }>();
    const events = data.filter((event) => ids.includes(String(event.data.object.id)));
    for (const id of ids) {
      expect(events.map((event) => [event.type, event.data.object.id])).toContainEqual(['checkout.succeeded', id]);
    }
    return events;
  }, PATIENT);
}

const duplicatesOf = (events: readonly DuplicateEvent[]): DuplicateEvent[] =>
  events.filter(({ type }) => type === 'checkout.duplicate_payment');

/** The sessions of each pair. */
const pairsOf = (events: readonly DuplicateEvent[]): string[][] =>
  duplicatesOf(events).map(({ data }) => data.duplicate?.payments.map(({ payment }) => payment) ?? []);

test('a second payment for a reference raises one event, with both ids and how to refund one', async () => {
  const first = await paidSession();
  const second = await paidSession();
  const events = duplicatesOf(await eventsOf(first, second));
  expect(events).toMatchObject([
    {
      data: {
        object: { object: 'checkout_session', id: second, status: 'succeeded' },
        duplicate: {
          payments: [
            { payment: first, attempt: 1 },
            { payment: second, attempt: 1 },
          ],
          remedy: `Refund one: POST /v1/reversals with {"payment":"${second}","attempt":1}`,
        },
      },
    },
  ]);
  expect(
    (await postReversal(fakes.key('r'), JSON.parse(events[0]?.data.duplicate?.remedy.split('with ')[1] ?? ''))).status,
  ).toBe(201);
  const third = await paidSession();
  expect(pairsOf(await eventsOf(first, second, third))).toEqual([
    [first, second],
    [first, third],
  ]);
});

test('another reference, a saved card and another hotel make no pair', async () => {
  const first = await paidSession();
  const card = await paidSession({ kind: 'card', amount: undefined });
  const other = await paidSession({ reference: `${fakes.reference}-other` });
  expect(duplicatesOf(await eventsOf(first, card, other))).toEqual([]);
});

function news(
  id: string,
  {
    seq = 3,
    status = 'succeeded' as 'succeeded' | 'open',
    completedAt = '2026-03-01T00:00:00.000Z',
    reversed = 0,
  } = {},
): LedgerUpdate {
  const total = { value: 12_000, currency: 'EUR' };
  const createdAt = '2026-03-01T00:00:00.000Z';
  const isPaid = status === 'succeeded';
  const attempt = {
    number: 1,
    status: isPaid ? status : 'failed',
    endedAt: completedAt,
    result: isPaid ? { kind: 'payment', total } : null,
    reversed: { ...total, value: reversed },
  };
  const session = { id, kind: 'payment', status, seq, createdAt, completedAt, attempts: [attempt] };
  return {
    eventId: `ev_${id.slice(4)}${seq}`,
    type: isPaid ? 'checkout.succeeded' : 'checkout.attempt_failed',
    at: Date.now(),
    resource: {
      id,
      kind: 'checkout_session',
      seq,
      status,
      reference: 'R',
      createdAt: 0,
      madeBy: ACTOR,
      body: JSON.stringify(session),
    },
  };
}

const A = `cs_${'A'.repeat(26)}`;
const B = `cs_${'B'.repeat(26)}`;
const LATER = { completedAt: '2026-03-02T00:00:00.000Z' };

test.each([
  ['in order', [news(A), news(B, LATER)], 1],
  ['in the other order', [news(B, LATER), news(A)], 1],
  ['again and again', [news(A), news(B, LATER), news(A), news(B, LATER)], 1],
  ['with a new version of a paid one', [news(A), news(B, LATER), news(A, { seq: 4, reversed: 10 })], 1],
  ['with the first refunded in full', [news(A), news(A, { seq: 4, reversed: 12_000 }), news(B, LATER)], 0],
  ['with the first refunded in part', [news(A), news(A, { seq: 4, reversed: 11_999 }), news(B, LATER)], 1],
  ['with a success that comes late', [news(A, { status: 'open', seq: 2 }), news(B, LATER), news(A, { seq: 5 })], 1],
  ['with one that failed', [news(A, { status: 'open' }), news(B, LATER)], 0],
])('the pair is told once when the news comes %s', async (name, updates, count) => {
  const ledger = env.LEDGERS.getByName(`duplicates ${name}`);
  for (const update of updates) await ledger.append(`duplicates ${name}`, [update]);
  const { items } = await ledger.events(0, 100);
  const events = items.map((item) => JSON.parse(item) as DuplicateEvent);
  expect(pairsOf(events)).toEqual(Array(count).fill([A, B]));
  expect(duplicatesOf(events).every(({ data }) => data.object.id === B)).toBe(true);
});

test('a pair that the feed no longer keeps is not told again with a new version', async () => {
  const pair = [news(A), news(B, LATER)].map((update) => ({
    ...update,
    resource: { ...update.resource, createdAt: Date.now() },
  }));
  const told = await runInDurableObject(env.LEDGERS.getByName('old pair'), async (object, { storage }) => {
    await object.append('old pair', pair);
    storage.sql.exec('DELETE FROM event');
    await object.append('old pair', [news(A, { seq: 4, reversed: 10 })]);
    return object.events(0, 100);
  });
  expect(told.items.map((item) => (JSON.parse(item) as DuplicateEvent).data.object.id)).toEqual([A]);
});

test('a payment is compared with the twenty newest of its reference, however many share it', async () => {
  const idOf = (n: number): string => `cs_${String(n).padStart(26, '0')}`;
  const told = await runInDurableObject(env.LEDGERS.getByName('twenty'), async (object, { storage }) => {
    await object.append(
      'twenty',
      Array.from({ length: 21 }, (_, n) => news(idOf(n))),
    );
    storage.sql.exec('DELETE FROM event');
    await object.append('twenty', [news(idOf(21))]);
    return object.events(0, 100);
  });
  const pairs = pairsOf(told.items.map((item) => JSON.parse(item) as DuplicateEvent));
  expect(pairs.map(([first]) => first)).toEqual(Array.from({ length: 20 }, (_, n) => idOf(20 - n)));
});
