/** The list of payments, as staff read it. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Payment, PaymentPage, PropertyStatus } from '@innkeep/core/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import type { AttemptRecord } from '../src/sessions/attempt-record.ts';
import { merchant } from '../test-support/client.ts';
import { useClock } from '../test-support/clock.ts';
import { KEYS } from '../test-support/environment.ts';
import { listedCharge, listedId, listedReversal, listedSession, paidAt } from '../test-support/listed.ts';
import { expectProblem } from '../test-support/problem.ts';
import { CARD_RESULT, PAYMENT_RESULT } from '../test-support/records.ts';

/** Noon in Vienna, where the hotel’s day begins at four. */
const NOON = Date.parse('2026-09-01T10:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EUR = (value: number) => ({ value, currency: 'EUR' });
const DONE = { state: 'succeeded', seq: 3 } as const;

useClock(NOON);
beforeEach(async () => {
  // Each test begins with an empty ledger.
  await runInDurableObject(env.LEDGERS.getByName('aurora'), (_ledger, { storage: { sql } }) => {
    const isMade = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'resource'").toArray().length > 0;
    for (const table of isMade ? ['resource', 'payment', 'event'] : []) sql.exec(`DELETE FROM ${table}`);
  });
});

function tell(...updates: readonly LedgerUpdate[]): Promise<void> {
  return env.LEDGERS.getByName('aurora').append('aurora', updates);
}

async function list(query: string): Promise<PaymentPage> {
  const answer = await merchant(`/v1/payments?${query}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

/** All pages of a list. */
async function pagesOf<Page extends { readonly nextCursor: string | null }>(path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await merchant(`/v1/${path}${cursor && `&cursor=${cursor}`}`);
    const page = await answer.json<Page>();
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

async function paymentOf(n: number): Promise<Payment> {
  return (await merchant(`/v1/payments/${listedId('cs', n)}`)).json();
}

/** What the ledger does once a day, so many days after noon. */
async function cleanAfter(days: number): Promise<void> {
  await runInDurableObject(env.LEDGERS.getByName('aurora'), (ledger) => {
    vi.setSystemTime(NOON + days * DAY);
    return ledger.alarm();
  });
}

/** The rows by which lists find payments. */
function rows(columns: string): Promise<Record<string, SqlStorageValue>[]> {
  return runInDurableObject(env.LEDGERS.getByName('aurora'), (_ledger, { storage }) =>
    storage.sql.exec(`SELECT ${columns} FROM payment`).toArray(),
  );
}

/** What a list shows, in short. */
async function shown(query: string): Promise<string[]> {
  return (await list(query)).data.map(({ id, attempt, status }) => `${id} ${attempt ?? '-'} ${status}`);
}

test('a day has a line per payment, by when it was paid, or else made', async () => {
  await tell(
    listedSession(1, [paidAt(NOON - HOUR)], { createdAt: NOON - 5 * DAY }),
    listedSession(2, [], { createdAt: NOON - 2 * HOUR, reference: 'RES-2' }),
    listedSession(3, [{}], { createdAt: NOON - 3 * HOUR, reference: 'RES-3' }),
    listedCharge(4, { createdAt: NOON - 4 * HOUR, state: 'sent', seq: 2 }),
    listedCharge(5, { createdAt: NOON - 5 * HOUR, state: 'declined', seq: 3, completedAt: NOON - 5 * HOUR }),
    // Half past three: still the day before.
    listedCharge(6, { createdAt: NOON - 8.5 * HOUR, ...DONE, completedAt: NOON - 8.5 * HOUR }),
  );
  expect(await shown('day=today')).toEqual([
    `${listedId('cs', 1)} 1 succeeded`,
    `${listedId('cs', 2)} - open`,
    `${listedId('cs', 3)} - pending`,
    `${listedId('ch', 4)} - pending`,
    `${listedId('ch', 5)} - declined`,
  ]);
  expect(await shown('day=2026-08-31')).toEqual([`${listedId('ch', 6)} - succeeded`]);
  expect((await list('day=today')).days).toEqual({
    timeZone: 'Europe/Vienna',
    dayStartsAt: '04:00',
    today: '2026-09-01',
    from: '2026-09-01T02:00:00.000Z',
    to: '2026-09-02T02:00:00.000Z',
  });
});

test('a line shows what a clerk needs, and nothing that only the hotel’s server may read', async () => {
  await tell(listedSession(1, [paidAt(NOON)], { createdAt: NOON - HOUR }));
  const { data } = await list('day=today');
  expect(data).toEqual([
    {
      object: 'payment_line',
      kind: 'payment',
      id: listedId('cs', 1),
      attempt: 1,
      payment: listedId('cs', 1),
      type: 'checkout_session',
      status: 'succeeded',
      final: true,
      livemode: false,
      reference: 'RES-1',
      description: '2 nights',
      amount: EUR(12_000),
      taken: EUR(12_240),
      reversed: EUR(0),
      reversing: EUR(0),
      reversible: EUR(12_240),
      card: { brand: 'visa', last4: '4242', chargeableUntil: null },
      by: { key: 'web', person: null, via: 'key' },
      createdAt: '2026-09-01T09:00:00.000Z',
      startedAt: '2026-09-01T09:59:00.000Z',
      paidAt: '2026-09-01T10:00:00.000Z',
      expiresAt: expect.any(String),
      flags: [],
      happenedAt: '2026-09-01T10:00:00.000Z',
      counted: { taken: EUR(12_240), reversed: EUR(0) },
    },
  ]);
});

test('a stored card has a line that says until when it can be charged', async () => {
  const stored = { status: 'succeeded', endedAt: NOON, result: CARD_RESULT } as const;
  await tell(listedSession(1, [stored], { createdAt: NOON - HOUR, kind: 'card' }));
  const [line] = (await list('day=today')).data;
  expect(line).toMatchObject({
    kind: 'card',
    status: 'succeeded',
    taken: null,
    counted: null,
    card: { last4: '4242', chargeableUntil: '2026-12-31T00:00:00.000Z' },
  });
  expect(JSON.stringify([line, await paymentOf(1)])).not.toMatch(/9876|sealed|metadata|returnUrl|token/);
  const gone = { object: 'payment_line', card: { last4: '4242', chargeableUntil: null } };
  await tell(
    listedSession(1, [stored], { createdAt: NOON - HOUR, kind: 'card', seq: 99, redactedAt: NOON, reference: null }),
    listedSession(2, [stored], { createdAt: NOON, kind: 'card' }),
  );
  const first = (await list('kind=card')).data.find(({ id }) => id === listedId('cs', 1));
  expect(first).toMatchObject(gone);
  vi.setSystemTime(Date.parse('2026-12-31T00:00:00Z'));
  expect((await list('kind=card')).data).toMatchObject([gone, gone]);
});

test('narrowed by a status it has those alone', async () => {
  const unknown = { status: 'unknown', endedAt: null } as const;
  const at = (nth: number) => ({ createdAt: NOON - nth * 60_000, reference: `RES-${nth}` });
  await tell(
    listedSession(1, [paidAt(NOON)], at(1)),
    listedSession(2, [], at(2)),
    listedSession(3, [{}], at(3)),
    listedCharge(4, at(4)),
    listedCharge(5, { ...at(5), state: 'declined', seq: 3, completedAt: NOON }),
    listedCharge(6, { ...at(6), state: 'failed', seq: 3, completedAt: NOON }),
    listedSession(7, [unknown], at(7)),
    listedCharge(8, { ...at(8), state: 'unknown', seq: 3 }),
    listedSession(9, [], { ...at(9), closed: { at: NOON, by: 'deadline', isSettled: true } }),
    listedSession(10, [{ ...paidAt(NOON - HOUR), reversals: { reversed: 1, reversing: 2 } }], at(10)),
    listedCharge(11, { ...at(11), ...DONE, completedAt: NOON, sums: { reversed: 8_000, reversing: 0 } }),
    listedSession(
      12,
      [
        { ...paidAt(NOON - DAY), number: 1 },
        { ...unknown, startedAt: NOON - HOUR },
      ],
      at(12),
    ),
    listedCharge(13, { ...at(13), state: 'sent', seq: 2 }),
    // Their payment is in the range, and in another state.
    listedReversal(14, { ...at(14), payment: listedId('cs', 1), state: 'declined', seq: 3, completedAt: NOON }),
    listedReversal(15, { ...at(15), payment: listedId('cs', 1), state: 'sent', seq: 2 }),
    listedReversal(16, { ...at(16), payment: listedId('cs', 10), ...DONE, completedAt: NOON }),
  );
  const expected = {
    open: ['cs 2 -'],
    pending: ['cs 3 -', 'ch 4 -', 'ch 13 -', 'rv 15 1'],
    succeeded: ['cs 1 1'],
    partly_reversed: ['cs 10 1'],
    reversed: ['ch 11 -'],
    declined: ['ch 5 -', 'rv 14 1'],
    failed: ['ch 6 -'],
    unknown: ['cs 7 -', 'ch 8 -', 'cs 12 2'],
    expired: ['cs 9 -'],
  };
  for (const [status, those] of Object.entries(expected)) {
    for (const range of ['day=today&', '']) {
      const lines = (await list(`${range}status=${status}`)).data;
      const seen = lines.map(({ id, attempt }) => `${id.slice(0, 2)} ${Number(id.slice(3))} ${attempt ?? '-'}`);
      const earlier = range === '' && status === 'succeeded' ? ['cs 12 1'] : [];
      expect([range, status, seen]).toEqual([range, status, [...those, ...earlier]]);
    }
  }
});

test('pages hold every line once, in order', async () => {
  const updates = Array.from({ length: 30 }, (_, n): LedgerUpdate => {
    const createdAt = NOON - Math.floor(n / 3) * 60_000;
    if (n % 3 === 0) return listedCharge(n, { createdAt });
    return n % 3 === 1 ? listedSession(n, [], { createdAt }) : listedSession(n, [paidAt(createdAt)], { createdAt });
  });
  await tell(...updates);
  const pages = await pagesOf<PaymentPage>('payments?limit=4');
  for (const { totals, data } of pages) expect([totals, data.length <= 4]).toEqual([null, true]);
  const seen = pages.flatMap(({ data }) => data);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(30);
  expect(seen).toHaveLength(30);
  const instants = seen.map(({ happenedAt }) => happenedAt);
  expect(instants).toEqual(instants.toSorted().reverse());
});

test('the pages of today are those of one day, although the next one begins between them', async () => {
  await tell(...[1, 2, 3].map((n) => listedCharge(n, { createdAt: NOON + n, ...DONE, completedAt: NOON + n })));
  const first = await list('day=today&limit=2');
  vi.setSystemTime(NOON + DAY);
  await tell(listedCharge(4, { createdAt: NOON + DAY, ...DONE, completedAt: NOON + DAY }));
  const second = await list(`day=today&limit=2&cursor=${first.nextCursor}`);
  expect([second.data.map(({ id }) => id), second.nextCursor]).toEqual([[listedId('ch', 1)], null]);
  expect([second.days.from, second.days.today]).toEqual([first.days.from, '2026-09-02']);
});

test('what was refunded stands with its payment, or alone when that is not in the range; the totals add up', async () => {
  const charge = { ...DONE, createdAt: NOON - DAY, completedAt: NOON - DAY, sums: { reversed: 3_000, reversing: 0 } };
  const paid = { ...paidAt(NOON - HOUR), reversals: { reversed: 2_000, reversing: 0 } };
  const back = { payment: listedId('ch', 1), attempt: null, ...DONE } as const;
  const at = (seconds: number) => ({ createdAt: NOON, completedAt: NOON + seconds * 1_000 });
  await tell(
    listedCharge(1, charge),
    listedSession(2, [paid], { createdAt: NOON - 2 * HOUR, reference: 'RES-2' }),
    listedReversal(3, { ...back, amount: EUR(1_000), createdAt: NOON - DAY + HOUR, completedAt: NOON - DAY + HOUR }),
    listedReversal(4, { ...back, ...at(1), amount: EUR(2_000) }),
    listedReversal(5, { ...DONE, ...at(2), payment: listedId('cs', 2), amount: EUR(2_000) }),
    listedReversal(6, { ...back, ...at(3), state: 'declined', amount: EUR(5) }),
  );
  const today = await list('day=today');
  expect(today.data.map(({ id, kind, counted }) => [id, kind, counted])).toEqual([
    [listedId('rv', 4), 'reversal', { taken: EUR(0), reversed: EUR(2_000) }],
    [listedId('rv', 6), 'reversal', null],
    [listedId('cs', 2), 'payment', { taken: EUR(12_240), reversed: EUR(2_000) }],
  ]);
  expect(today.totals).toEqual([
    { currency: 'EUR', payments: 1, taken: 12_240, reversals: 2, reversed: 4_000, net: 8_240 },
  ]);
  const yesterday = await list('day=2026-08-31');
  expect(yesterday.data).toMatchObject([
    { id: listedId('ch', 1), status: 'partly_reversed', reversed: EUR(3_000), reversible: EUR(5_000) },
  ]);
  expect(yesterday.data[0]?.counted).toEqual({ taken: EUR(8_000), reversed: EUR(1_000) });
  expect(yesterday.totals).toMatchObject([{ taken: 8_000, reversed: 1_000, net: 7_000 }]);
  // Two days at once: every payment is in the range.
  const both = await list('from=2026-08-31&to=2026-09-02');
  expect(both.data.map(({ kind }) => kind)).toEqual(['payment', 'payment']);
  for (const { data, totals } of [today, yesterday, both]) {
    const sum = (name: 'taken' | 'reversed') =>
      data.reduce((all, { counted }) => all + (counted?.[name].value ?? 0), 0);
    expect(totals).toMatchObject([{ taken: sum('taken'), reversed: sum('reversed') }]);
  }
  expect((await list('from=2026-08-01&to=2026-09-02')).totals).toBeNull();
  expect((await list('from=2026-08-02&to=2026-09-02')).totals).not.toBeNull();
  expect((await list('from=2026-08-31')).totals).toBeNull();
});

test('a list of one kind has payments, stored cards, or every reversal', async () => {
  const paid = { ...paidAt(NOON - HOUR), reversals: { reversed: 2_000, reversing: 5 } };
  const back = { payment: listedId('cs', 1), attempt: 1, amount: EUR(2_000), createdAt: NOON } as const;
  const old = NOON - 9 * DAY;
  await tell(
    listedSession(1, [paid], { createdAt: NOON - 2 * HOUR }),
    listedReversal(2, { ...back, ...DONE, completedAt: NOON }),
    listedReversal(3, { ...back, state: 'unknown', seq: 3 }),
    listedSession(4, [{ status: 'succeeded', endedAt: old, result: CARD_RESULT }], { createdAt: old, kind: 'card' }),
    ...Array.from({ length: 8 }, (_, n) => listedSession(10 + n, [], { createdAt: NOON - DAY - n * HOUR })),
  );
  const ids = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);
  const reversals = [listedId('rv', 3), listedId('rv', 2)];
  expect(await ids('kind=reversal')).toEqual(reversals);
  expect(await ids('kind=reversal&day=today')).toEqual(reversals);
  expect((await list('kind=reversal&day=today&status=succeeded')).data.map(({ counted }) => counted)).toEqual([
    { taken: EUR(0), reversed: EUR(2_000) },
  ]);
  expect(await ids('kind=payment&day=today')).toEqual([listedId('cs', 1)]);
  // Read on until there is something to show.
  expect(await list('kind=card&limit=2')).toMatchObject({ data: [{ id: listedId('cs', 4) }], nextCursor: null });
  const csv = await merchant('/v1/payments.csv?day=today&kind=reversal');
  expect((await csv.text()).match(/rv_\w+/g)).toEqual(reversals);
});

test('a reversal that is unknown has a line of its own wherever its payment is, and flags it', async () => {
  const charge = { ...DONE, completedAt: NOON, createdAt: NOON, sums: { reversed: 0, reversing: 500 } };
  const back = { payment: listedId('ch', 1), attempt: null, amount: EUR(500), createdAt: NOON + 1 };
  await tell(listedCharge(1, charge), listedReversal(2, { ...back, state: 'unknown', seq: 3 }));
  expect((await list('day=today')).data).toMatchObject([
    { id: listedId('rv', 2), kind: 'reversal', payment: listedId('ch', 1), flags: ['unknown'], counted: null },
    { id: listedId('ch', 1), reversing: EUR(500), reversible: EUR(7_500), flags: ['unknown'] },
  ]);
  expect(await shown('status=unknown')).toEqual([`${listedId('rv', 2)} - unknown`]);
});

test('a session that was paid twice has two lines, which count by their own days', async () => {
  const twice = [paidAt(NOON - DAY), { ...paidAt(NOON), hadEnded: true }];
  await tell(listedSession(1, twice, { createdAt: NOON - DAY - HOUR }));
  expect((await list('day=today')).data).toMatchObject([{ attempt: 2, flags: ['late', 'duplicate'] }]);
  expect((await list('day=2026-08-31')).data).toMatchObject([{ attempt: 1, flags: ['duplicate'] }]);
  const payment = await paymentOf(1);
  expect(payment).toMatchObject({
    taken: EUR(24_480),
    reversible: EUR(24_480),
    duplicates: [listedId('cs', 1)],
    flags: ['late', 'duplicate'],
  });
});

test('what was taken in another currency is shown in it, and added to nothing else', async () => {
  const USD = (value: number) => ({ value, currency: 'USD' });
  const other: Partial<AttemptRecord> = {
    ...paidAt(NOON),
    result: { ...PAYMENT_RESULT, total: USD(13_000) },
    reversals: { reversed: 1_000, reversing: 0 },
  };
  await tell(listedSession(1, [paidAt(NOON - HOUR), other], { createdAt: NOON - 2 * HOUR }));
  const payment = await paymentOf(1);
  expect(payment).toMatchObject({ status: 'partly_reversed', taken: EUR(12_240), reversed: EUR(0) });
  expect(payment.reversible).toEqual(EUR(12_240));
  expect(payment.attempts.map(({ taken }) => taken)).toEqual([EUR(12_240), USD(13_000)]);
  const rows = (await (await merchant('/v1/payments.csv?day=today')).text()).split('\r\n');
  const moneyOf = (row = ''): string[] => row.split(',').slice(10, 15);
  expect(rows.slice(1, 3).map(moneyOf)).toEqual([
    ['"USD"', '""', '"130.00"', '"0.00"', '"120.00"'],
    ['"EUR"', '"120.00"', '"122.40"', '"0.00"', '"122.40"'],
  ]);
});

test('two payments of one reference are flagged until one is refunded', async () => {
  const one = listedSession(1, [paidAt(NOON - HOUR)], { createdAt: NOON - 2 * HOUR });
  const other = (reversed: number, seq: number) =>
    listedSession(2, [{ ...paidAt(NOON), reversals: { reversed, reversing: 0 } }], { createdAt: NOON - HOUR, seq });
  await tell(one, other(0, 3));
  expect((await list('day=today')).data.map(({ flags }) => flags)).toEqual([['duplicate'], ['duplicate']]);
  await tell(other(12_240, 4));
  expect((await list('day=today')).data.map(({ flags }) => flags)).toEqual([[], []]);
});

test('what is redacted is found by its amount alone, and what is forgotten by nothing', async () => {
  const paid = { createdAt: NOON - DAY, ...DONE, completedAt: NOON };
  await tell(listedCharge(1, { ...paid, maskedCard: '424242......4242' }));
  const found = async () => {
    const hits = await Promise.all(['res-1', '4242', '80,00'].map((q) => list(`q=${encodeURIComponent(q)}`)));
    return hits.map(({ data }) => data.length);
  };
  expect(await found()).toEqual([1, 1, 1]);
  await tell(listedCharge(1, { ...paid, seq: 4, maskedCard: null, reference: null, redactedAt: NOON }));
  expect(await found()).toEqual([0, 0, 1]);
  await cleanAfter(500);
  expect(await rows('*')).toEqual([]);
});

test('a list without days shows what was refunded also when its payment is forgotten', async () => {
  const at = (time: number) => ({ ...DONE, createdAt: time, completedAt: time });
  await tell(
    listedCharge(1, { ...at(NOON - 300 * DAY), sums: { reversed: 1_000, reversing: 0 } }),
    listedReversal(2, { ...at(NOON), payment: listedId('ch', 1), attempt: null, amount: EUR(1_000) }),
  );
  expect(await shown('')).toEqual([`${listedId('ch', 1)} - partly_reversed`]);
  await cleanAfter(150);
  expect(await shown('')).toEqual([`${listedId('rv', 2)} - succeeded`]);
});

test.each([
  ['both ways to name days', '?day=today&from=2026-09-01', 'from'],
  ['a day and an end', '?day=today&to=2026-09-01', 'to'],
  ['a range backwards', '?from=2026-09-02&to=2026-09-01', 'to'],
  ['no day', '?day=2026-02-30', 'day'],
  ['a day of another millennium', '?day=1999-12-31', 'day'],
  ['a status that is none', '?status=paid', 'status'],
  ['a search beside a day', '?q=res&day=today', 'day'],
  ['a search beside a status', '?q=res&status=open', 'status'],
  ['an empty search', '?q=%20', 'q'],
  ['a card number', '?q=4242%204242%204242%204242', 'q'],
  ['a cursor of another list', '?cursor=MTox', 'cursor'],
  ['a kind that is none', '?kind=refund', 'kind'],
  ['a field that is unknown', '?color=red', 'color'],
  ['a table of no range', '.csv?', 'from'],
  ['a table of half a range', '.csv?from=2026-01-01', 'to'],
  ['a table of more than a year', '.csv?from=2025-01-01&to=2026-01-03', 'to'],
  ['a table of a page', '.csv?day=today&limit=5', 'limit'],
  ['a table with another separator', '.csv?day=today&separator=tab', 'separator'],
])('refuses %s', async (_name, query, param) => {
  await expectProblem(merchant(`/v1/payments${query}`), 400, { code: 'invalid_request', param });
});

/** References of what a search finds, in its order. */
async function found(q: string): Promise<(string | null)[]> {
  return (await list(`q=${encodeURIComponent(q)}`)).data.map(({ reference }) => reference);
}

test('a search finds a reference by its beginning in any case, an amount, a card and an id', async () => {
  const at = (nth: number) => ({ createdAt: NOON - 300 * DAY - nth * 60_000 });
  const card = (last4: string) => ({ maskedCard: `424242......${last4}` });
  await tell(
    listedCharge(1, { ...at(1), reference: 'RES-12', amount: EUR(33_000), ...card('1111') }),
    listedCharge(2, { ...at(2), reference: 'res-123', amount: EUR(133_000), ...card('4242') }),
    listedCharge(3, { ...at(3), reference: 'ZIMMER-ÄÖ', amount: { value: 330, currency: 'JPY' } }),
    listedCharge(4, { ...at(4), reference: '4242', amount: EUR(133) }),
    listedSession(5, [paidAt(NOON, 34_567)], { ...at(5), reference: 'RES-2' }),
    listedReversal(6, { ...at(6), payment: listedId('ch', 1), attempt: null, reference: 'RES-12' }),
  );
  expect(await found('res-12')).toEqual(['RES-12', 'res-123']);
  expect(await found(' Res-1')).toEqual(['RES-12', 'res-123']);
  expect(await found('RES-3')).toEqual([]);
  expect(await found('es-12')).toEqual([]);
  expect(await found('zimmer-äö')).toEqual(['ZIMMER-ÄÖ']);
  expect(await found('330,00')).toEqual(['RES-12', 'ZIMMER-ÄÖ']);
  expect(await found('1.330')).toEqual(['res-123', '4242']);
  expect(await found('345,67')).toEqual(['RES-2']);
  expect(await found('4242')).toEqual(['4242', 'res-123', 'RES-2']);
  expect(await found(listedId('ch', 4).toLowerCase())).toEqual(['4242']);
  expect(await found(listedId('cs', 5))).toEqual(['RES-2']);
  for (const nothing of [listedId('cs', 9), listedId('rv', 6), '%', '_', "'", 'a:330']) {
    expect([nothing, await found(nothing)]).toEqual([nothing, []]);
  }
});

test('a search has at most 50 lines, the newest of an amount, and every reading has its turn', async () => {
  const many = Array.from({ length: 60 }, (_, n) =>
    listedCharge(n, { createdAt: NOON - n * 1_000, amount: EUR(7_700), reference: `77${String(n).padStart(3, '0')}` }),
  );
  await tell(...many);
  const amounts = await found('77,00');
  expect(amounts).toEqual(Array.from({ length: 50 }, (_, n) => `77${String(n).padStart(3, '0')}`));
  expect((await list('q=77,00&limit=2')).data).toHaveLength(2);
  await tell(listedCharge(100, { createdAt: NOON, amount: EUR(1), reference: '7', maskedCard: '424242......7777' }));
  const both = await found('77');
  expect([both.length, new Set(both).size]).toEqual([50, 50]);
  expect(await found('7777')).toEqual(['7']);
});

test('the ledger of a hotel that never had a payment is empty', async () => {
  const read = async (path: string) => (await merchant(`/v1/payments${path}`, { key: KEYS.borealis })).json();
  expect(await read('?day=today')).toMatchObject({ data: [], nextCursor: null, totals: [], position: 0 });
  expect(await read('?q=res')).toMatchObject({ data: [], totals: null, position: 0 });
  expect(await read(`/${listedId('cs', 1)}`)).toMatchObject({ code: 'not_found' });
});

test('one payment has its attempts, its reversals with their authors, and what is left', async () => {
  const by = { key: 'desk', person: 'emp-42', via: 'header' } as const;
  await tell(
    listedSession(
      1,
      [
        { status: 'declined', endedAt: NOON - HOUR, error: { code: 'declined', message: 'The card was declined' } },
        { ...paidAt(NOON), reversals: { reversed: 2_000, reversing: 500 } },
      ],
      { createdAt: NOON - 2 * HOUR },
    ),
    listedReversal(3, {
      ...DONE,
      attempt: 2,
      payment: listedId('cs', 1),
      amount: EUR(2_000),
      reason: 'service',
      note: 'The sauna was closed',
      madeBy: { by, requestId: 'r', network: null },
      createdAt: NOON + HOUR,
      completedAt: NOON + HOUR,
    }),
    listedReversal(2, { attempt: 2, payment: listedId('cs', 1), amount: EUR(500), createdAt: NOON + 2 * HOUR }),
  );
  const payment = await paymentOf(1);
  expect(payment).toMatchObject({
    object: 'payment',
    kind: 'payment',
    status: 'partly_reversed',
    taken: EUR(12_240),
    reversed: EUR(2_000),
    reversing: EUR(500),
    reversible: EUR(9_740),
    attempts: [
      { number: 1, status: 'declined', taken: null, card: null, error: { code: 'declined' } },
      { number: 2, status: 'succeeded', transactionId: 'TX-1', card: { last4: '4242' }, reversible: EUR(9_740) },
    ],
    reversals: [
      { id: listedId('rv', 3), status: 'succeeded', reason: 'service', note: 'The sauna was closed', by },
      { id: listedId('rv', 2), status: 'pending', completedAt: null },
    ],
  });
  expect((await merchant(`/v1/payments/${listedId('rv', 3)}`)).status).toBe(404);
});

test('the position is that of the feed: whoever follows it from there misses nothing', async () => {
  await tell(listedCharge(1, { createdAt: NOON, ...DONE, completedAt: NOON }));
  const { position } = await list('day=today');
  await tell(listedCharge(2, { createdAt: NOON, ...DONE, completedAt: NOON }));
  await vi.waitFor(async () => {
    const { data } = await (await merchant(`/v1/events?after=${position}`)).json<{ data: { data: object }[] }>();
    expect(data).toMatchObject([{ data: { object: { id: listedId('ch', 2) } } }]);
  }, PATIENT);
});

test('the table has the lines of the range, in the writing of the spreadsheet', async () => {
  const paid = { ...paidAt(NOON - HOUR), reversals: { reversed: 2_000, reversing: 0 } };
  await tell(
    listedSession(1, [paid], { createdAt: NOON - 2 * HOUR, reference: '=1+1' }),
    listedReversal(2, { ...DONE, payment: listedId('cs', 1), amount: EUR(2_000), createdAt: NOON, completedAt: NOON }),
    ...Array.from({ length: 250 }, (_, n) => listedCharge(n + 10, { createdAt: NOON - 3 * HOUR - n })),
  );
  const table = async (query: string): Promise<string> => {
    const answer = await merchant(`/v1/payments.csv?day=today${query}`);
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="aurora-payments-2026-09-01-2026-09-02.csv"',
    );
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await answer.arrayBuffer());
  };
  const plain = (await table('')).split('\r\n');
  expect(plain).toHaveLength(1 + 251 + 1);
  expect(plain[0]).toMatch(/^"local_time","happened_at","kind"/);
  expect(plain[1]).toBe(
    `"2026-09-01 11:00:00","2026-09-01T09:00:00.000Z","payment","checkout_session","${listedId('cs', 1)}","1","${listedId('cs', 1)}",` +
      `"partly_reversed","'=1+1","2 nights","EUR","120.00","122.40","20.00","102.40","visa","4242",` +
      `"2026-09-01T08:00:00.000Z","2026-09-01T09:00:00.000Z","web","","key","","false"`,
  );
  const german = (await table('&separator=semicolon&status=partly_reversed')).split('\r\n');
  expect(german).toHaveLength(3);
  expect(german[0]).toMatch(/^\ufeff"local_time";"happened_at"/);
  expect(german[1]).toContain(';"EUR";"120,00";"122,40";"20,00";"102,40";');
  const { data } = await (await merchant('/v1/audit?action=export.read')).json<{ data: object[] }>();
  expect(data).toMatchObject([{ route: 'GET /v1/payments.csv' }, { route: 'GET /v1/payments.csv' }]);
});

test('a session that was paid is listed and counted as unknown, too, until nothing of it is in doubt', async () => {
  const doubtful = { status: 'unknown', endedAt: null } as const;
  const at = (nth: number) => ({ createdAt: NOON - nth * HOUR, reference: `RES-${nth}` });
  const paid = listedSession(2, [doubtful, doubtful, paidAt(NOON)], at(2));
  await tell(listedSession(1, [doubtful], at(1)), paid, listedSession(3, [doubtful], at(3)));
  const stored = { status: 'succeeded', endedAt: NOON - HOUR, result: CARD_RESULT } as const;
  await tell(listedSession(4, [paidAt(NOON)], at(4)), listedSession(5, [], at(5)));
  await tell(listedSession(6, [doubtful, stored], { ...at(6), kind: 'card' }));
  // As release 1.0.0 has stored them.
  expect(await rows('DISTINCT list')).toContainEqual({ list: 'doubtful' });
  type SessionPage = { readonly data: readonly { readonly id: string }[]; readonly nextCursor: string | null };
  const ids = async (query: string) => {
    const pages = await pagesOf<SessionPage>(`checkout-sessions?limit=1&${query}`);
    return pages.flatMap(({ data }) => data.map(({ id }) => Number(id.slice(3))));
  };
  expect(await ids('status=unknown')).toEqual([1, 2, 3, 6]);
  expect(await ids('status=unknown&reference=RES-2')).toEqual([2]);
  expect(await ids('status=unknown&completedFrom=2026-09-01&completedTo=2026-09-02')).toEqual([2, 6]);
  expect(await ids('status=succeeded')).toEqual([2, 4, 6]);
  const counted = async () => (await (await merchant('/v1/status')).json<PropertyStatus>()).checkoutSessions;
  expect(await counted()).toMatchObject({ unknown: 4 });
  await tell(listedSession(2, [{ status: 'failed' }, { status: 'failed' }, paidAt(NOON)], { ...at(2), seq: 99 }));
  expect([await ids('status=unknown'), await counted()]).toEqual([[1, 3, 6], expect.objectContaining({ unknown: 3 })]);
});
