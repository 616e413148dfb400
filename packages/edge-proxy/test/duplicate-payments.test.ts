/** Two payments for one reference never go unnoticed. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import type { AttemptRecord } from '../src/sessions/attempt-record.ts';
import { type Json, startSession } from '../test-support/client.ts';
import { listedId, listedSession, paidAt } from '../test-support/listed.ts';
import { postReversal, useMoneyFakes } from '../test-support/money.ts';
import { eventsOf, poll, type SessionNews } from '../test-support/objects.ts';

const fakes = useMoneyFakes('DUP');

async function paidSession(): Promise<string> {
  const { id } = await startSession({ reference: fakes.reference });
  fakes.upstream.pay(id);
  expect(await poll(id)).toMatchObject({ status: 'succeeded' });
  return id;
}

const duplicatesOf = (events: readonly SessionNews[]): SessionNews[] =>
  events.filter(({ type }) => type === 'checkout.duplicate_payment');

/** The sessions of each pair. */
const pairsOf = (events: readonly SessionNews[]): string[][] =>
  duplicatesOf(events).map(({ data }) => Object(data.duplicate).payments.map(({ payment }: Json) => payment));

test('a second payment for a reference raises one event, with both ids and how to refund one', async () => {
  const first = await paidSession();
  const second = await paidSession();
  const duplicates = duplicatesOf((await Promise.all([first, second].map(eventsOf))).flat());
  expect(duplicates).toMatchObject([
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
  const [, remedy = ''] = String(duplicates[0]?.data.duplicate?.remedy).split('with ');
  expect((await postReversal(fakes.key('r'), JSON.parse(remedy))).status).toBe(201);
});

const DAY = 86_400_000;
const MADE_AT = Date.parse('2026-03-01T00:00:00Z');

/** A session that was paid or has failed, as the ledger is told of it. */
function news(n: number, { seq = 3, isPaid = true, endedAt = MADE_AT, reversed = 0 } = {}): LedgerUpdate {
  const paid = { ...paidAt(endedAt, 12_000), reversals: { reversed, reversing: 0 } };
  const attempt: Partial<AttemptRecord> = isPaid ? paid : { status: 'failed', endedAt };
  return {
    ...listedSession(n, [attempt], { createdAt: MADE_AT, seq }),
    eventId: listedId('ev', 10 * n + seq),
    type: isPaid ? 'checkout.succeeded' : 'checkout.attempt_failed',
  };
}

const [A, B] = [1, 2];
const LATER = { endedAt: MADE_AT + DAY };

test.each([
  ['in order', [news(A), news(B, LATER)], 1],
  ['in the other order', [news(B, LATER), news(A)], 1],
  ['again and again', [news(A), news(B, LATER), news(A), news(B, LATER)], 1],
  ['with a new version of a paid one', [news(A), news(B, LATER), news(A, { seq: 4, reversed: 10 })], 1],
  ['with the first refunded in full', [news(A), news(A, { seq: 4, reversed: 12_000 }), news(B, LATER)], 0],
  ['with a success that comes late', [news(A, { isPaid: false, seq: 2 }), news(B, LATER), news(A, { seq: 5 })], 1],
])('the pair is told once when the news comes %s', async (name, updates, count) => {
  const ledger = env.LEDGERS.getByName(`duplicates ${name}`);
  for (const update of updates) await ledger.append(`duplicates ${name}`, [update]);
  const { items } = await ledger.events(0, 100);
  const events = items.map((item) => JSON.parse(item) as SessionNews);
  expect(pairsOf(events)).toEqual(Array(count).fill([listedId('cs', A), listedId('cs', B)]));
  expect(duplicatesOf(events).every(({ data }) => data.object.id === listedId('cs', B))).toBe(true);
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
  expect(told.items.map((item) => (JSON.parse(item) as SessionNews).data.object.id)).toEqual([listedId('cs', A)]);
});

test('a payment is compared with the twenty newest of its reference, however many share it', async () => {
  const told = await runInDurableObject(env.LEDGERS.getByName('twenty'), async (object, { storage }) => {
    await object.append(
      'twenty',
      Array.from({ length: 21 }, (_, n) => news(n)),
    );
    storage.sql.exec('DELETE FROM event');
    await object.append('twenty', [news(21)]);
    return object.events(0, 100);
  });
  const pairs = pairsOf(told.items.map((item) => JSON.parse(item) as SessionNews));
  expect(pairs.map(([first]) => first)).toEqual(Array.from({ length: 20 }, (_, n) => listedId('cs', 20 - n)));
});
