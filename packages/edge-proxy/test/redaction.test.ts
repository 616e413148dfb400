/** A redacted payment is found nowhere by its words. Its money can be refunded, what comes late is told, its key makes nothing new. */
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PlatformFeedObject } from '../src/ledger/platform-feed-object.ts';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { platformsOf } from '../src/properties/platforms.ts';
import { type Created, guest, type Json, merchant, PAYMENT, send, startAttempt } from '../test-support/client.ts';
import { KEYS, VALLEY_KEYS } from '../test-support/environment.ts';
import { listedCharge } from '../test-support/listed.ts';
import { CHARGE, type Operation, runDue, storedTasks, useMoneyFakes } from '../test-support/money.ts';
import { dumpOf, passSeconds, runLedgerAlarm, runSessionAlarm, until } from '../test-support/objects.ts';

const fakes = useMoneyFakes('RED');
const HOTEL = 'valley_inn';
const DAY = 24 * 60 * 60;
const ERASED = '[redacted]';

let run = 0;
/** What must be gone: each field has a word of its own, and each test other words. */
let words: string[];
let logged: string[];

beforeEach(() => {
  run += 1;
  words = [];
  logged = [];
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...parts) => void logged.push(parts.join(' ')));
  }
});

function word(name: string): string {
  const made = `${name}-canary-${run}-${words.length}`;
  words.push(made);
  return made;
}

function mask(): string {
  const made = `4${String(10_000 + run)}0......${String(1_000 + words.length)}`;
  words.push(made);
  return made;
}

function call(
  path: string,
  body?: unknown,
  { key, ...how }: { method?: string; key?: string } = {},
): Promise<Response> {
  const headers = { 'innkeep-person': 'emp-7', ...(key === undefined ? {} : { 'idempotency-key': key }) };
  return merchant(`/v1/${path}`, { key: KEYS.valleyOffice, headers, body, ...how });
}

async function json<T = Json>(answer: Promise<Response>, status = 200): Promise<T> {
  const got = await answer;
  const text = await got.text();
  if (got.status !== status) throw new Error(`answered ${got.status}: ${text}`);
  return JSON.parse(text) as T;
}

const redact = (id: string): Promise<Response> => call(`${collectionOf(id)}/${id}/redact`, {});
const collectionOf = (id: string): string =>
  id.startsWith('cs') ? 'checkout-sessions' : id.startsWith('ch') ? 'charges' : 'reversals';
const readOne = (id: string): Promise<Json> => json(call(`${collectionOf(id)}/${id}`));

const NAMESPACES = [
  env.CHECKOUT_SESSIONS,
  env.MONEY_OPERATIONS,
  env.LEDGERS,
  env.FEEDS,
  env.ACCESS_TOKENS,
  env.PROPERTIES,
  env.DIRECTORIES,
] as unknown as DurableObjectNamespace[];
/** The objects of earlier files: nothing wakes them again, and there are thousands. */
const earlier = new Set<string>();
beforeAll(async () => {
  for (const namespace of NAMESPACES) for (const id of await listDurableObjectIds(namespace)) earlier.add(String(id));
});

/** Every row of every table of every object of this file. */
async function dump(): Promise<string[]> {
  const rows: string[] = [];
  for (const namespace of NAMESPACES) {
    for (const id of await listDurableObjectIds(namespace)) {
      if (earlier.has(String(id))) continue;
      await runInDurableObject(namespace.get(id), (_object, { storage }) => {
        for (const [name, all] of dumpOf(storage)) for (const row of all) rows.push(`${name} ${JSON.stringify(row)}`);
      });
    }
  }
  return rows;
}

/** What everybody is told, one text for each answer. */
async function answers(ids: readonly string[], clientSecret?: string): Promise<string[]> {
  const paths = [
    ...ids.map((id) => `${collectionOf(id)}/${id}`),
    ...['checkout-sessions', 'charges', 'reversals'].flatMap((list) => [list, `${list}?status=succeeded`]),
    'checkout-sessions?completedFrom=2020-01-01',
    ...['export.csv', 'audit.csv'].map((file) => `${file}?from=${day(-300)}&to=${day(40)}`),
    'audit?limit=100',
    'status',
    'webhook-endpoints',
  ];
  const texts = await Promise.all(paths.map(async (path) => (await call(path)).text()));
  if (clientSecret !== undefined) texts.push(await (await guest('/v1/checkout', clientSecret)).text());
  return [...texts, ...(await feed('events', KEYS.valleyOffice)), ...(await feed('platform/events', VALLEY_KEYS.all))];
}

function day(days: number): string {
  return new Date(Date.now() + days * DAY * 1_000).toISOString().slice(0, 10);
}

async function feed(path: string, key: string): Promise<string[]> {
  const texts: string[] = [];
  for (let after = 0; ; ) {
    const page = await merchant(`/v1/${path}?after=${after}&limit=100`, { key });
    const { data, nextAfter } = await page.json<{ data: Json[]; nextAfter: number }>();
    texts.push(...data.map((event) => JSON.stringify(event)));
    if (nextAfter === after) return texts;
    after = nextAfter;
  }
}

interface Told {
  readonly type: string;
  readonly seq: number;
  readonly data: { readonly object: Json; readonly redacted?: number[] };
}

/** What the feed tells of a resource. */
async function toldOf(id: string): Promise<Told[]> {
  await settle(id);
  const events = (await feed('events', KEYS.valleyOffice)).map((text) => JSON.parse(text) as Told);
  return events.filter(({ data }) => data.object.id === id);
}

/** Lets what is due be told. */
async function settle(...ids: string[]): Promise<void> {
  for (const id of ids) if (id.startsWith('cs')) await runSessionAlarm(id);
  await runLedgerAlarm(HOTEL);
}

const found = (texts: readonly string[]): string[] =>
  words.flatMap((each) =>
    texts.filter((text) => text.includes(each)).map((text) => `${each} in ${text.slice(0, 300)}`),
  );

/** Fails naming each word that is left anywhere. */
async function expectNoWords(ids: readonly string[], clientSecret?: string): Promise<void> {
  logged = [];
  await settle(...ids);
  expect(found([...(await dump()), ...(await answers(ids, clientSecret))])).toEqual([]);
  expect(found(logged)).toEqual([]);
}

const terms = (kind: 'payment' | 'card' = 'payment', reference = word('reference')): Json => ({
  ...PAYMENT,
  kind,
  amount: kind === 'card' ? undefined : PAYMENT.amount,
  reference,
  description: word('description'),
  returnUrl: `https://aurora.test/${word('return')}`,
  metadata: { [word('name')]: word('value') },
});

async function started(body: Json = terms(), path = 'checkout-sessions', method = 'POST'): Promise<Created> {
  const session = await json<Created>(call(path, body, { method, key: fakes.key(`session-${words.length}`) }), 201);
  await json(startAttempt(session));
  words.push(btoa(fakes.upstream.of(session.id).requestID));
  return session;
}

async function poll(id: string, seconds = 1): Promise<Json> {
  passSeconds(seconds);
  await runSessionAlarm(id);
  return readOne(id);
}

async function paid(body?: Json, record: Json = {}): Promise<Created> {
  const session = await started(body);
  fakes.upstream.pay(session.id, { maskedCardNo: mask(), ...record });
  expect(await poll(session.id)).toMatchObject({ status: 'succeeded', final: true });
  return session;
}

async function charged(status = 'succeeded', changes: Json = {}): Promise<Operation> {
  const body = { ...CHARGE, reference: word('reference'), note: word('note'), text: word('text'), ...changes };
  const made = await json<Operation>(call('charges', body, { key: fakes.key(`charge-${words.length}`) }), 201);
  expect(made.status).toBe(status);
  return made;
}

async function reversed(payment: string, changes: Json = {}): Promise<Operation> {
  const body = { payment, amount: { value: 1_000 + words.length, currency: 'EUR' }, note: word('note'), ...changes };
  return json<Operation>(call('reversals', body, { key: fakes.key(`reversal-${words.length}`) }), 201);
}

/** A payment beside an attempt of which nobody knows. */
async function paidInDoubt(): Promise<Created> {
  const session = await started({ ...terms(), expiresInSeconds: DAY });
  await poll(session.id, 3_600);
  await json(startAttempt(session));
  fakes.upstream.pay(`${session.id}-1`, { amount: 1 });
  for (const seconds of [300, 5]) await poll(session.id, seconds);
  fakes.upstream.pay(`${session.id}-2`);
  const { status, final, attempts } = await poll(session.id, 5);
  expect([status, final, attempts]).toMatchObject(['succeeded', true, [{ status: 'unknown' }, {}]]);
  return session;
}

/** Lets a session expire for good, unpaid. */
async function expired(id: string): Promise<void> {
  for (const seconds of [3_600, 2 * DAY]) await poll(id, seconds);
}

/** Lets a payment of which nobody knew yet be found. */
async function paidLate(id: string, record: Json = {}): Promise<void> {
  fakes.upstream.pay(id, record);
  await json(call(`checkout-sessions/${id}/refresh`, {}));
}

describe('what is final', () => {
  test('loses its words everywhere, also those that nobody was told yet', async () => {
    fakes.upstream.webhookStatus = 500;
    // An attempt in doubt, whose record contradicts, and which somebody resolves.
    const session = await started();
    const { id } = session;
    fakes.upstream.pay(id, { maskedCardNo: mask(), amount: 13_000 });
    await poll(id);
    expect(await poll(id, 5)).toMatchObject({ status: 'unknown' });
    const finding = { status: 'succeeded', evidence: word('evidence'), transactionId: 'TX-9' };
    await json(call(`checkout-sessions/${id}/resolve`, finding));
    const reversal = await reversed(id);
    // A second payment of the same booking, of which an event tells that it is one too many.
    const twin = await paid(terms('payment', words[0]));
    await settle(id, twin.id);
    expect((await toldOf(twin.id)).map(({ type }) => type)).toContain('checkout.duplicate_payment');
    expect(new Set(found(await dump()).map((text) => text.split(' in ')[0]))).toEqual(new Set(words));

    const before = await readOne(id);
    const answer = await json(redact(id));
    const { amount, by, createdAt } = before;
    expect(answer).toMatchObject({
      seq: Number(before.seq) + 1,
      reference: null,
      description: null,
      metadata: {},
      returnUrl: null,
      amount,
      by,
      createdAt,
      redactedAt: new Date().toISOString(),
      attempts: [{ resolution: { evidence: ERASED, transactionId: 'TX-9' }, recorded: { maskedCard: null } }],
    });
    expect(await readOne(reversal.id)).toMatchObject({ reference: null, note: null, redactedAt: answer.redactedAt });
    await json(redact(twin.id));
    await expectNoWords([id, twin.id, reversal.id], session.clientSecret);

    // Webhooks that waited leave without words.
    fakes.upstream.webhookStatus = 204;
    const sent = fakes.upstream.requests.length;
    passSeconds(3 * 60 * 60);
    await runLedgerAlarm(HOTEL);
    const delivered = fakes.upstream.requests.slice(sent).filter(({ operation }) => operation === 'webhook');
    expect(delivered.map(({ body }) => (JSON.parse(body) as Told).type)).toContain('payment.redacted');
    expect(found(delivered.map(({ body }) => body))).toEqual([]);
  });

  test('keeps the words of a reversal whose key went on to another payment', async () => {
    const first = await charged();
    const reserve = MoneyOperationObject.prototype.reserveReversal;
    vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal').mockImplementationOnce(async function (
      this: MoneyOperationObject,
      ...asked
    ) {
      await reserve.apply(this, asked);
      throw new Error('no answer in time');
    });
    const key = fakes.key('moved');
    await json(call('reversals', { payment: first.id }, { key }), 503);
    const second = await charged();
    const made = await json<Operation>(call('reversals', { payment: second.id, note: 'Kept' }, { key }), 201);
    await json(redact(first.id));
    expect(await readOne(made.id)).toMatchObject({ payment: second.id, note: 'Kept' });
    expect(await storedTasks(first.id)).not.toHaveProperty('redact');
  });

  test.each<[string, () => Promise<Operation>]>([
    ['succeeded', () => charged()],
    [
      'declined',
      () => {
        const returnText = word('text');
        fakes.upstream.overrides.pay = () => Response.json({ returnCode: '51', returnText, cardNo: '' });
        return charged('declined');
      },
    ],
    [
      'failed by hand',
      async () => {
        fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
        const { id } = await charged('unknown');
        expect((await redact(id)).status).toBe(409);
        return json(call(`charges/${id}/resolve`, { status: 'failed', evidence: word('evidence') }));
      },
    ],
  ])('a charge that has %s does as well', async (_, make) => {
    const made = await make();
    const answer = await json(redact(made.id));
    const kept = { id: made.id, status: made.status, amount: made.amount, transactionId: made.transactionId };
    expect(answer).toMatchObject({ ...kept, reference: null, note: null, maskedCard: null, reason: 'no_show' });
    await expectNoWords([made.id]);
  });

  test('a stored card loses its token', async () => {
    const { id } = await paid(terms('card'));
    expect(await readOne(id)).toMatchObject({ result: { token: 'TOKEN-SECRET-9876' } });
    const row = async () => (await dump()).find((text) => text.includes('sealedToken') && text.includes(id));
    expect(await row()).toMatch(/sealedToken\\":\\"/);
    expect(await json(redact(id))).toMatchObject({ result: { token: null, maskedCard: null, tokenObjectId: '815' } });
    expect(await row()).not.toMatch(/sealedToken\\":\\"|tokenLast4\\":\\"/);
    await expectNoWords([id]);
  });

  test('those who were told are told once, which of the events before have lost their words', async () => {
    const { id } = await paid();
    const before = (await toldOf(id)).map(({ seq }) => seq);
    for (const _ of [1, 2]) await json(redact(id));
    const [told, ...others] = (await toldOf(id)).filter(({ type }) => type === 'payment.redacted');
    expect(told).toMatchObject({ data: { object: { id, reference: null }, redacted: before } });
    expect(others).toEqual([]);
  });

  test('the audit has who did it, and a key without the scope is refused', async () => {
    const { id } = await charged();
    await json(redact(id));
    const { data } = await json<{ data: Json[] }>(call(`audit?resource=${id}&action=charge.redacted`));
    expect(data).toMatchObject([{ by: { key: 'office', person: 'emp-7', via: 'header' } }]);
    const refused = await merchant(`/v1/charges/${id}/redact`, { method: 'POST', key: KEYS.borealis });
    expect(await refused.json()).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('redact') });
    expect((await merchant(`/v1/charges/${id}/redact`, { method: 'POST' })).status).toBe(404);
  });
});

describe('what is not final', () => {
  test.each<[string, () => Promise<{ id: string }>]>([
    ['an open session', () => json<Created>(call('checkout-sessions', terms()), 201)],
    ['a pending one', () => started()],
    ['a payment beside an attempt of which nobody knows', () => paidInDoubt()],
    [
      'a payment that is being refunded',
      async () => {
        fakes.upstream.overrides.reversal = () => new Response('no', { status: 500 });
        const payment = await charged();
        expect((await reversed(payment.id)).status).toBe('unknown');
        return payment;
      },
    ],
  ])('%s keeps its words', async (_, make) => {
    const { id } = await make();
    const before = await readOne(id);
    expect(await json(redact(id), 409)).toMatchObject({ code: 'not_final', resource: id });
    expect(await readOne(id)).toEqual(before);
  });
});

describe('afterwards', () => {
  test('the money can be refunded, and what is written down of that has no words', async () => {
    const { id } = await charged();
    await json(redact(id));
    const reversal = await reversed(id, { amount: undefined });
    expect(reversal).toMatchObject({ status: 'succeeded', amount: { value: 8_000 }, reference: null, note: null });
    expect(await readOne(id)).toMatchObject({ reversed: { value: 8_000 }, reference: null });
    expect((await toldOf(reversal.id)).map(({ type }) => type)).toEqual(['reversal.succeeded']);
    await expectNoWords([id, reversal.id]);
  });

  test('a late success is told without words', async () => {
    const { id } = await started();
    await expired(id);
    expect(await readOne(id)).toMatchObject({ status: 'expired', final: true });
    await json(redact(id));
    await paidLate(id, { maskedCardNo: mask() });
    expect(await readOne(id)).toMatchObject({ status: 'succeeded', late: true, result: { transactionId: 'TX-1' } });
    expect((await toldOf(id)).at(-1)).toMatchObject({ type: 'checkout.succeeded', data: { object: { late: true } } });
    await expectNoWords([id]);
  });

  test('two without a reference are not two of one reference', async () => {
    const sessions = [await started(), await started(terms(), `checkout-sessions/by-key/${fakes.key('other')}`, 'PUT')];
    for (const { id } of sessions) {
      await expired(id);
      await json(redact(id));
      await paidLate(id);
      expect(await readOne(id)).toMatchObject({ status: 'succeeded' });
      expect((await toldOf(id)).map(({ type }) => type)).not.toContain('checkout.duplicate_payment');
    }
  });

  test('its idempotency key makes nothing new', async () => {
    const body = { ...CHARGE, reference: word('reference') };
    const first = await json<Operation>(call('charges', body, { key: fakes.key() }), 201);
    await json(redact(first.id));
    const sent = fakes.upstream.count('pay');
    const again = await json(call('charges', body, { key: fakes.key() }), 201);
    expect(again).toMatchObject({ id: first.id, status: 'succeeded', reference: null });
    expect((await call('charges', { ...body, reference: 'X' }, { key: fakes.key() })).status).toBe(422);
    expect(fakes.upstream.count('pay')).toBe(sent);
    await expectNoWords([first.id]);
  });

  test('the key of a booking answers what there was, and makes nothing new', async () => {
    const path = `checkout-sessions/by-key/${fakes.key()}`;
    const body = terms();
    const { id } = await started(body, path, 'PUT');
    fakes.upstream.pay(id);
    await poll(id);
    await json(redact(id));
    expect(await json(call(path, body, { method: 'PUT' }), 410)).toMatchObject({ code: 'key_used', resource: id });
    expect(await json(call(path))).toMatchObject({ id, status: 'succeeded', reference: null });
    await expectNoWords([id]);
  });
});

describe('whatever is interrupted', () => {
  test('a version that comes after it was redacted is told without words', async () => {
    const { id } = await charged();
    const [reference = '', note = ''] = words;
    const late = { id, createdAt: Date.now(), state: 'unknown', seq: 2, reference, note } as const;
    await json(redact(id));
    await settle();
    await env.LEDGERS.getByName(HOTEL).append(HOTEL, [listedCharge(run, late)]);
    expect((await toldOf(id)).map(({ type }) => type)).toContain('charge.unknown');
    await expectNoWords([id]);
  });

  test('reversals that did not answer lose their words later', async () => {
    const { id } = await charged();
    const reversal = await reversed(id);
    const revive = await runInDurableObject(env.MONEY_OPERATIONS.getByName(id), (object) => {
      const bindings = (object as unknown as { env: { MONEY_OPERATIONS: DurableObjectNamespace } }).env;
      const { MONEY_OPERATIONS: operations } = env;
      const retrieve = (hotel: string) => operations.getByName(reversal.id).retrieve(hotel);
      const dead = { retrieve, redact: () => Promise.reject(new Error('dead')) };
      const getByName = (name: string) => (name === reversal.id ? dead : operations.getByName(name));
      const spy = vi.spyOn(bindings, 'MONEY_OPERATIONS', 'get').mockReturnValue({ getByName } as never);
      return () => spy.mockRestore();
    });
    await json(redact(id));
    expect(await readOne(reversal.id)).toMatchObject({ reference: expect.any(String) });
    revive();
    await runDue(id, 'redact');
    expect(await storedTasks(id)).not.toHaveProperty('redact');
    await expectNoWords([id, reversal.id]);
  });

  test('a ledger that was put back loses its words once more', async () => {
    const { id } = await charged();
    await settle();
    const inLedger = <Result>(work: (sql: SqlStorage) => Result): Promise<Result> =>
      runInDurableObject(env.LEDGERS.getByName(HOTEL), (_ledger, { storage }) => work(storage.sql));
    const backup = await inLedger((sql) => ({
      resource: sql.exec('SELECT seq, reference, body FROM resource WHERE id = ?', id).one(),
      events: sql.exec("SELECT body, position FROM event WHERE body LIKE '%' || ? || '%'", id).toArray(),
    }));
    await json(redact(id));
    await settle();
    await inLedger((sql) => {
      const { seq, reference, body } = backup.resource;
      sql.exec('UPDATE resource SET seq = ?, reference = ?, body = ? WHERE id = ?', seq, reference, body, id);
      for (const event of backup.events)
        sql.exec('UPDATE event SET body = ? WHERE position = ?', event.body, event.position);
    });
    expect(found(await dump())).not.toEqual([]);
    await json(redact(id));
    await expectNoWords([id]);
  });

  test('the feed of a platform that has lost the hotel loses them at once, and is told when it has it again', async () => {
    const { id } = await charged();
    await toldOf(id);
    const told = async () =>
      (await feed('platform/events', VALLEY_KEYS.all)).filter((text) => text.includes(id)).length;
    expect(await told()).toBe(1);
    const lost = await runInDurableObject(env.LEDGERS.getByName(HOTEL), (object) =>
      vi.spyOn(platformsOf((object as unknown as { env: object }).env), 'feedsWith').mockReturnValue([]),
    );
    const append = vi.spyOn(PlatformFeedObject.prototype, 'append').mockRejectedValueOnce(new Error('it is dead'));
    await json(redact(id));
    await until(() => logged.join().includes('platform_feed_unavailable'));
    // What failed is done within a day.
    passSeconds(DAY);
    await expectNoWords([id]);
    expect(await told()).toBe(1);
    // What it never had it is not asked for.
    append.mockClear();
    const { id: next } = await charged();
    await json(redact(next));
    await settle();
    expect(append).not.toHaveBeenCalled();
    lost.mockRestore();
    await charged();
    await settle();
    words = words.slice(0, 3);
    await expectNoWords([id]);
    expect(await told()).toBe(2);
  });

  test('a feed whose clock went back is found again', async () => {
    const { id } = await charged();
    await toldOf(id);
    await runInDurableObject(env.FEEDS.getByName('valley'), (_feed, { storage: { sql } }) => {
      sql.exec('UPDATE entry SET at = at - 7200000');
    });
    await json(redact(id));
    await expectNoWords([id]);
  });
});

describe('what is older than the hotel keeps it', () => {
  /** Lets days pass, and the ledger do what it does once a day. */
  async function passDays(days: number): Promise<void> {
    // The clock of the test before may have been ahead.
    await runLedgerAlarm(HOTEL);
    passSeconds(days * DAY);
    for (let nth = 0; nth < 4; nth += 1) {
      await runLedgerAlarm(HOTEL);
      passSeconds(2);
    }
  }

  test('loses its words, and what has no outcome keeps them until it has one', async () => {
    const session = await paid();
    const reversal = await reversed(session.id);
    const gone = await started();
    const card = await paid(terms('card'));
    const charge = await charged();
    const old = [session.id, reversal.id, gone.id, card.id, charge.id];
    await settle(...old);
    const taken = words.length;
    fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
    const unknown = await charged('unknown');
    fakes.upstream.overrides.pay = undefined;
    await expired(gone.id);
    await passDays(27);
    expect(await readOne(session.id)).toMatchObject({ reference: expect.any(String) });
    // The token of the card is erased by now.
    await poll(card.id, 2 * DAY);
    await passDays(1);
    expect(await readOne(unknown.id)).toMatchObject({ reference: expect.any(String) });
    words = words.slice(0, taken);
    await expectNoWords(old, session.clientSecret);
    expect(await readOne(session.id)).toMatchObject({ status: 'succeeded', result: { transactionId: 'TX-1' } });
    expect((await toldOf(charge.id)).map(({ type }) => type)).toContain('payment.redacted');
    const { data } = await json<{ data: Json[] }>(call('audit?action=charge.redacted'));
    expect(data.filter(({ resource }) => resource === charge.id)).toEqual([]);

    const finding = { status: 'failed', evidence: word('evidence') };
    await json(call(`charges/${unknown.id}/resolve`, finding));
    await passDays(1);
    expect(await readOne(unknown.id)).toMatchObject({ reference: expect.any(String) });
    await passDays(30);
    expect(await readOne(unknown.id)).toMatchObject({ reference: null, status: 'failed' });
  });

  test('keeps them for as long from when its session was opened anew', async () => {
    const path = `checkout-sessions/by-key/${fakes.key('booking')}`;
    const body = { ...terms(), expiresInSeconds: DAY };
    const { id } = await json<Created>(call(path, body, { method: 'PUT' }), 201);
    await poll(id, DAY);
    await passDays(28);
    expect(await json(call(path, body, { method: 'PUT' }))).toMatchObject({ id, status: 'open' });
    await poll(id, DAY);
    await passDays(2);
    expect(await readOne(id)).toMatchObject({ status: 'expired', reference: expect.any(String) });
    await passDays(28);
    expect(await readOne(id)).toMatchObject({ reference: null });
  });
});

test.each<[string, string, () => Promise<{ id?: unknown }>, Json?]>([
  ['a charge', 'charges', () => charged('unknown')],
  [
    'a session',
    'checkout-sessions',
    async () => {
      const { id } = await started();
      fakes.upstream.pay(id, { amount: 13_000 });
      await poll(id);
      return poll(id, 5);
    },
  ],
  ['an attempt beside a payment', 'checkout-sessions', () => paidInDoubt(), { attempt: 1 }],
])('the unknown outcome of %s is kept until somebody resolves it', async (_, collection, make, which = {}) => {
  fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
  const id = String((await make()).id);
  passSeconds(401 * DAY);
  await runLedgerAlarm(HOTEL);
  expect((await json<{ data: Json[] }>(call(`${collection}?status=unknown&limit=100`))).data).toContainEqual(
    expect.objectContaining({ id }),
  );
  await json(call(`${collection}/${id}/resolve`, { status: 'failed', evidence: 'asked the bank', ...which }));
  passSeconds(399 * DAY);
  await runLedgerAlarm(HOTEL);
  expect((await call(`${collection}/${id}`)).status).toBe(200);
  passSeconds(DAY + 1);
  await runLedgerAlarm(HOTEL);
  expect((await call(`${collection}/${id}`)).status).toBe(404);
});

test('the page of a redacted payment names nobody', async () => {
  const session = await paid();
  await json(redact(session.id));
  const page = await send(fakes.upstream.returnPath(session.id, 'success'));
  expect(page.status).toBe(200);
  expect(found([await page.text()])).toEqual([]);
});

test('the page of a redacted payment is shown, although another attempt is under way', async () => {
  const session = await started({ ...terms(), expiresInSeconds: DAY });
  await poll(session.id, 3_600);
  await json(startAttempt(session));
  fakes.upstream.pay(`${session.id}-1`);
  const attempts = [{ status: 'succeeded' }, { status: 'pending' }];
  expect(await poll(session.id, 900)).toMatchObject({ final: true, attempts });
  await json(redact(session.id));
  const page = await send(fakes.upstream.returnPath(session.id, 'success'));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Payment received')]);
});
