/** What a ledger plans, to the millisecond, and what its alarm does then. Webhook endpoints do not wait for each other, and lose nothing. */

import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { WebhookEndpoint } from '@innkeep/core/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuse } from '../src/http/problem.ts';
import { IntentTable } from '../src/ledger/intent-table.ts';
import type { LedgerObject } from '../src/ledger/ledger-object.ts';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { type InvalidProperty, type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { TEST_ENVIRONMENT, WEBHOOK_SECRETS } from '../test-support/environment.ts';
import { listedCharge, listedId } from '../test-support/listed.ts';
import { observe, passSeconds, runLedgerAlarm, tablesOf, until } from '../test-support/objects.ts';
import { ACTOR } from '../test-support/records.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const HEALTHY = 'https://healthy.test/hooks';
const DEAD = 'https://dead.test/hooks';
const FAILING = 'https://failing.test/hooks';
const QUERY = { kind: 'checkout_session', limit: 10, cursor: null };

let run = 0;
let property = '';
let arrivals: [string, number][];
let warnings: string[];
/** What an endpoint answers, by its host. */
let answers: Record<string, () => Promise<number>>;
let isOver = false;

const ledger = (): DurableObjectStub<LedgerObject> => env.LEDGERS.getByName(property);
const within = <Result>(act: (object: LedgerObject, storage: DurableObjectStorage) => Promise<Result> | Result) =>
  runInDurableObject(ledger(), (object, { storage }) => act(object, storage));
const alarm = (): Promise<void> => runLedgerAlarm(property);
const arrivedAt = (host: string): number[] => arrivals.filter(([each]) => each === host).map(([, seq]) => seq);

/** Answers the object's next questions for the property's settings. */
async function configure(find: () => Property | InvalidProperty | undefined): Promise<void> {
  await within((object) => {
    vi.spyOn(propertiesOf((object as unknown as { env: PropertyBindings }).env), 'find').mockImplementation(async () =>
      find(),
    );
  });
}

function hotel(urls: readonly string[]): Property {
  const aurora = parseProperty('aurora', TEST_ENVIRONMENT.PROPERTY_AURORA) as Property;
  return { ...aurora, webhooks: urls.map((url) => ({ url, secret: WEBHOOK_SECRETS[0] })) };
}

const UNREADABLE = parseProperty('aurora', '{') as InvalidProperty;

function news(n: number, changes: Partial<LedgerUpdate> = {}): LedgerUpdate {
  const { resource } = listedCharge(n, { createdAt: Date.now(), state: 'failed' });
  return { eventId: listedId('ev', n), type: 'charge.failed', at: Date.now(), resource, ...changes };
}

/** More news than a ledger works on at once. */
function append501(changesOf: (n: number) => Partial<LedgerUpdate> = () => ({})): Promise<unknown> {
  const updates = Array.from({ length: 501 }, (_, n) => news(n, changesOf(n)));
  return within((object) => object.append(property, updates));
}

/** One after the other. */
async function append(from: number, to = from): Promise<void> {
  for (let n = from; n <= to; n++) await ledger().append(property, [news(n)]);
}

const endpoints = (): Promise<WebhookEndpoint[]> => within((object) => object.webhookEndpoints(property));
const endpoint = async (host: string) => (await endpoints()).find((each) => each.host === host);

/** When the alarm comes, in milliseconds from now. */
function alarmIn(): Promise<number> {
  return within(async (_object, storage) => ((await storage.getAlarm()) ?? Number.NaN) - Date.now());
}

function select(columns: string, table: string): Promise<unknown[]> {
  return within((_object, storage) => storage.sql.exec(`SELECT ${columns} FROM ${table} ORDER BY 1`).toArray());
}

async function feed(): Promise<{ type: string; seq: number; data: { object: WebhookEndpoint } }[]> {
  const { items } = await ledger().events(0, 1_000);
  return items.map((item) => JSON.parse(item));
}

/** Until everything was sent, and nothing but the daily cleaning is planned. */
function untilSent(): Promise<void> {
  return until(async () => (await alarmIn()) > 60 * MINUTE);
}

/** Answers 204 once the test is over. */
async function hang(): Promise<number> {
  while (!isOver) await scheduler.wait(5);
  return 204;
}

beforeEach(async () => {
  run += 1;
  property = `alarm-${run}`;
  arrivals = [];
  warnings = [];
  answers = {};
  isOver = false;
  // Far ahead, where no alarm of the runtime rings by itself.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY });
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { host } = new URL(String(input));
    arrivals.push([host, (JSON.parse(String(init?.body)) as { seq: number }).seq]);
    return new Response(null, { status: (await answers[host]?.()) ?? 204 });
  });
  await configure(() => hotel([HEALTHY, DEAD]));
});

afterEach(() => {
  isOver = true;
});

test('reading a ledger without news answers nothing, and stores nothing', async () => {
  expect(await ledger().events(7, 1)).toEqual({ items: [], nextAfter: 0 });
  expect(await ledger().list(QUERY)).toEqual({ items: [], nextCursor: null });
  expect(await ledger().range(QUERY)).toEqual({ items: [], nextCursor: null });
  expect(await ledger().redeliver(property, news(1).eventId)).toEqual({
    ok: false,
    code: 'not_found',
    detail: 'There is no event with this id',
  });
  expect(await endpoints()).toMatchObject([
    { host: 'healthy.test', status: 'active', waiting: 0, lastSuccessAt: null },
    { host: 'dead.test', status: 'active', waiting: 0, lastSuccessAt: null },
  ]);
  expect(await within((object) => object.status(property))).toMatchObject({
    property,
    charges: { stored: 0, unknown: 0, waiting: 0 },
    webhooks: { waiting: 0, oldestWaitingAt: null, paused: 0, disabled: 0 },
  });
  await alarm();
  expect(await within((_object, storage) => tablesOf(storage))).toEqual([]);
});

test('an announced charge alone has the ledger cleaned in a day, and one that is taken back is in nobody’s way', async () => {
  expect(await ledger().claimIntent(property, 'ch_1', 'm')).toEqual({ ok: true, value: [] });
  expect(await alarmIn()).toBe(DAY);
  expect(await ledger().claimIntent(property, 'ch_2', 'm')).toEqual({ ok: true, value: ['ch_1'] });
  await ledger().dropIntent('ch_1');
  expect(await ledger().claimIntent(property, 'ch_3', 'm')).toEqual({ ok: true, value: ['ch_2'] });
});

test('a reversal that counts against a limit has it cleaned, too', async () => {
  const claim = {
    id: 'rv_1',
    key: 'web',
    person: null,
    day: '2026-11-27',
    amount: { value: 1, currency: 'EUR' },
    epoch: 1,
  };
  expect(await ledger().claimReversal(property, claim)).toEqual({ ok: true, value: null });
  expect(await alarmIn()).toBe(DAY);
});

test('what is stored, uncertain or waiting for an outcome is counted, by kind', async () => {
  const states = {
    checkout_session: ['open', 'pending', 'succeeded', 'unknown'],
    charge: ['created', 'sent', 'unknown'],
    reversal: ['sent', 'unknown'],
  };
  const updates = Object.entries(states).flatMap(([kind, all]) =>
    all.map((status, n) => {
      const { resource } = news(n);
      return news(n, { type: null, resource: { ...resource, id: `${kind}_${n}`, kind, status } });
    }),
  );
  await ledger().append(property, updates);
  expect(await ledger().status(property)).toMatchObject({
    checkoutSessions: { stored: 4, unknown: 1, waiting: 2 },
    charges: { stored: 3, unknown: 1, waiting: 2 },
    reversals: { stored: 2, unknown: 1, waiting: 1 },
  });
});

test('the log has each thing that somebody did once', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const made = news(1);
  const audit = {
    id: 'au_1',
    at: Date.now(),
    action: 'charge.resolved',
    resource: made.resource.id,
    ...ACTOR,
  } as const;
  const resolved = { ...made, eventId: news(2).eventId, resource: { ...made.resource, seq: 2 }, audit };
  const at = new Date().toISOString();
  const common = { level: 'info', message: 'audit', property, resource: made.resource.id, at, ...ACTOR };
  const lines = (): unknown[] =>
    log.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ message }) => message === 'audit');
  for (const update of [made, made]) await ledger().append(property, [update]);
  expect(lines()).toEqual([{ ...common, action: 'charge.created' }]);
  for (const update of [resolved, resolved]) await ledger().append(property, [update]);
  expect(lines()).toEqual([
    { ...common, action: 'charge.created' },
    { ...common, action: 'charge.resolved', id: 'au_1' },
  ]);
});

test('cleaning is planned once, and then for the next day', async () => {
  await configure(() => hotel([]));
  await ledger().append(property, [news(1)]);
  expect(await alarmIn()).toBe(DAY);
  passSeconds(3_600);
  await ledger().append(property, [news(2)]);
  expect(await alarmIn()).toBe(DAY - 60 * MINUTE);
  passSeconds(23 * 3_600);
  await alarm();
  expect(await alarmIn()).toBe(DAY);
  // For the next instance, too.
  await evictDurableObject(ledger());
  await configure(() => hotel([]));
  await ledger().append(property, [news(3)]);
  expect(await alarmIn()).toBe(DAY);
  // By a clock that was a month ahead, too.
  passSeconds((-30 * DAY) / SECOND);
  await ledger().append(property, [news(4)]);
  expect(await alarmIn()).toBe(DAY);
});

test('events are kept ninety days, resources and announcements four hundred', async () => {
  await configure(() => hotel([]));
  const cleanedAt = Date.now() + DAY;
  const made = (n: number, days: number, early: number): LedgerUpdate => {
    const update = news(n, { at: cleanedAt - 90 * DAY - early });
    return { ...update, resource: { ...update.resource, createdAt: cleanedAt - days * DAY - early } };
  };
  const made400 = [made(1, 400, 1), made(2, 400, 0)].map((update, n) => {
    const at = update.resource.createdAt;
    return {
      ...update,
      audit: { id: `au_${n + 1}`, at, action: 'charge.resolved', resource: null, ...ACTOR } as const,
    };
  });
  await ledger().append(property, made400);
  await within((_object, { sql }) => {
    const intents = new IntentTable(sql);
    intents.claim('ancient', 'm', cleanedAt - 400 * DAY - 1);
    intents.claim('old', 'm', cleanedAt - 400 * DAY);
    for (const id of ['kept no longer', 'kept']) intents.claim(id, 'm', cleanedAt);
    intents.keep('kept no longer', cleanedAt);
    intents.keep('kept', cleanedAt + 1);
  });
  passSeconds(DAY / SECOND);
  await alarm();
  expect((await feed()).map(({ seq }) => seq)).toEqual([2]);
  expect(await select('id', 'resource')).toEqual([{ id: news(2).resource.id }]);
  expect(await select('id', 'intent')).toEqual([{ id: 'kept' }, { id: 'old' }]);
  expect(await select('id', 'audit')).toEqual([{ id: 'au_2' }]);
  expect(await alarmIn()).toBe(DAY);
});

test.each([
  ['of the directory', { ...parseProperty('aurora', '{'), isRemoved: true } as InvalidProperty],
  ['of a secret', undefined],
])(
  'the rows of a removed hotel %s go with its payments, 30 days later, after 400 days, however long it kept them',
  async (_, gone) => {
    const kept = { ...hotel([]), retentionDays: 1_000 };
    await configure(() => kept);
    const old = news(1, { type: null });
    const unresolved = news(2, { type: null });
    const made = { createdAt: Date.now() - 401 * DAY };
    await ledger().append(property, [
      { ...old, resource: { ...old.resource, ...made } },
      { ...unresolved, resource: { ...unresolved.resource, ...made, status: 'unknown' } },
    ]);
    const isGone = vi.spyOn(MoneyOperationObject.prototype, 'eraseIfOver');
    isGone.mockImplementation(async function (this: MoneyOperationObject) {
      return (this as unknown as { ctx: DurableObjectState }).ctx.id.name?.endsWith(old.resource.id) === true;
    });
    passSeconds(DAY / SECOND);
    await alarm();
    expect(await select('id', 'resource')).toEqual([{ id: old.resource.id }, { id: unresolved.resource.id }]);
    const hotels = [gone, gone, kept, gone, gone];
    for (const [nth, days] of [1, 29, 1, 1, 29].entries()) {
      await configure(() => hotels[nth]);
      passSeconds((days * DAY) / SECOND);
      await alarm();
    }
    expect(await select('id', 'resource')).toHaveLength(2);
    expect(isGone).not.toHaveBeenCalled();
    passSeconds(DAY / SECOND);
    await alarm();
    expect(await select('id', 'resource')).toEqual([{ id: unresolved.resource.id }]);
    expect(isGone).toHaveBeenCalledTimes(2);
  },
);

test('what is kept longer is looked at once a day, be it for its words or itself', async () => {
  await configure(() => ({ ...hotel([]), retentionDays: 30 }));
  const looks = [vi.fn(async () => false), vi.fn(async () => refuse('not_final', { detail: '' }))];
  const [eraseIfOver, redact] = looks;
  // To call so many objects takes seconds.
  vi.spyOn(env.MONEY_OPERATIONS, 'getByName').mockReturnValue({ eraseIfOver, redact } as never);
  // Two batches, and three.
  const kept = Array.from({ length: 401 }, (_, n) => {
    const update = news(n, { type: null });
    return { ...update, resource: { ...update.resource, createdAt: Date.now() - (n < 201 ? 400 : 30) * DAY } };
  });
  await ledger().append(property, kept);
  passSeconds(DAY / SECOND);
  for (await alarm(); (await alarmIn()) < MINUTE; await alarm()) passSeconds(5);
  expect(looks.map(({ mock }) => mock.calls.length)).toEqual([201, 401]);
});

describe('news that its object does not know to be told', () => {
  /** Goes on from a charge that failed, whose news was told, to when it is told once more, with a newer version. */
  async function again(days: number): Promise<[string, number][]> {
    await configure(() => hotel([HEALTHY]));
    const told = news(1, { type: 'charge.unknown' });
    await ledger().append(property, [told]);
    await untilSent();
    passSeconds((days * DAY) / SECOND);
    await alarm();
    const at = Date.now();
    const newer = { ...news(2, { at }), resource: { ...told.resource, seq: 2 } };
    await ledger().append(property, [told, newer]);
    await untilSent();
    return arrivals;
  }

  test.each([
    ['as long as its event is kept', 90],
    ['once its event was forgotten', 91],
  ])('is not told again %s', async (_when, days) => {
    expect(await again(days)).toEqual([
      ['healthy.test', 1],
      ['healthy.test', 2],
    ]);
  });

  test('is told however old it is, if the ledger has not heard of it', async () => {
    await configure(() => hotel([HEALTHY]));
    const old = { at: Date.now() - 91 * DAY };
    const [missed, first] = [news(1, old), news(2, old)];
    const made = { ...first, type: null };
    await ledger().append(property, [missed, made, { ...first, resource: { ...first.resource, seq: 2 } }]);
    expect((await feed()).map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

test.each<[string, (n: number) => Partial<LedgerUpdate>, [column: string, table: string], unknown[]]>([
  ['events', () => ({ at: Date.now() - 90 * DAY }), ['position', 'event'], [{ position: 501 }]],
  [
    'the audit',
    (n) => {
      const at = Date.now() - 401 * DAY;
      return { type: null, audit: { id: `au_${n}`, at, action: 'charge.resolved', resource: null, ...ACTOR } };
    },
    ['at', 'audit'],
    [{ at: expect.any(Number) }],
  ],
])('when more of %s is old than is deleted at once, cleaning goes on a second later', async (_, old, rows, last) => {
  await configure(() => hotel([]));
  await append501(old);
  for (const [left, next] of [
    [last, SECOND],
    [[], DAY],
  ] as const) {
    passSeconds((await alarmIn()) / SECOND);
    await alarm();
    expect([await select(...rows), await alarmIn()]).toEqual([left, next]);
  }
});

test('more news than is planned at once is planned by the alarm, which comes at once, and what comes meanwhile waits behind it', async () => {
  await configure(() => UNREADABLE);
  await append501();
  await configure(() => hotel([]));
  await ledger().append(property, [news(501)]);
  expect(await select('position', 'unplanned')).toEqual([{ position: 501 }, { position: 502 }]);
  expect(await alarmIn()).toBe(0);
  await alarm();
  expect(await select('position', 'unplanned')).toEqual([]);
  expect(await alarmIn()).toBe(DAY);
});

test('while it sends, the alarm looks after five seconds whether it still does, or earlier for another endpoint', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await configure(() => hotel([DEAD, FAILING]));
  answers['dead.test'] = hang;
  answers['failing.test'] = async () => 503;
  await ledger().append(property, [news(1)]);
  await until(async () => (await select('1', 'delivery WHERE failures = 1')).length === 1);
  expect(await alarmIn()).toBe(5 * SECOND);
  passSeconds(5);
  await within((object) => object.alarm());
  await until(async () => (await alarmIn()) > 0);
  expect(await alarmIn()).toBe(SECOND / 4);
  expect(arrivedAt('dead.test')).toEqual([1]);
});

test('what was refused is due when its next attempt is', async () => {
  answers['dead.test'] = async () => 503;
  await ledger().append(property, [news(1)]);
  await until(async () => (await select('1', 'delivery WHERE failures = 1')).length === 1);
  const [row] = (await select('retry_at', 'delivery')) as { retry_at: number }[];
  expect(await alarmIn()).toBe((row?.retry_at ?? 0) - Date.now());
});

test('a loop that fails begins again after ten seconds, whether news began it or the alarm', async () => {
  let asked = 0;
  await configure(() => ({
    ...hotel([HEALTHY]),
    get webhooks() {
      asked += 1;
      // Whoever begins a loop reads the settings first, and then the loop does.
      if (asked % 2 === 0) throw new Error('broken');
      return hotel([HEALTHY]).webhooks;
    },
  }));
  await ledger().append(property, [news(1)]);
  await until(async () => (await alarmIn()) === 10 * SECOND);
  passSeconds(10);
  await alarm();
  expect(asked).toBe(4);
  expect(await alarmIn()).toBe(10 * SECOND);
  await configure(() => hotel([HEALTHY]));
  passSeconds(10);
  await alarm();
  expect(arrivedAt('healthy.test')).toEqual([1]);
  expect(await alarmIn()).toBe(DAY - 20 * SECOND);
});

test.each([
  ['cannot be read', UNREADABLE],
  ['are gone', undefined],
])('while the settings %s, news waits, and the alarm looks every ten minutes', async (_what, found) => {
  await configure(() => found);
  expect(await endpoints()).toEqual([]);
  await ledger().append(property, [news(1)]);
  expect(await alarmIn()).toBe(10 * MINUTE);
  passSeconds(600);
  await alarm();
  expect(await alarmIn()).toBe(10 * MINUTE);
  await configure(() => hotel([HEALTHY]));
  passSeconds(600);
  await alarm();
  expect(arrivals).toEqual([['healthy.test', 1]]);
  // Nor does it look for ever, for what was waiting and is forgotten.
  await configure(() => found);
  await ledger().append(property, [news(2)]);
  passSeconds((91 * DAY) / SECOND);
  await alarm();
  passSeconds(600);
  await alarm();
  expect(await alarmIn()).toBe(DAY - 10 * MINUTE);
});

test('a redelivery that is asked for while the settings cannot be read is made when they can', async () => {
  await ledger().append(property, [news(1)]);
  await untilSent();
  arrivals.length = 0;
  await configure(() => UNREADABLE);
  expect(await ledger().redeliver(property, news(1).eventId)).toMatchObject({ ok: true });
  expect(await alarmIn()).toBe(10 * MINUTE);
  await configure(() => hotel([HEALTHY, DEAD]));
  passSeconds(600);
  await alarm();
  expect(arrivals.sort()).toEqual([
    ['dead.test', 1],
    ['healthy.test', 1],
  ]);
});

test('two events that are refused with 410 together disable their endpoint once', async () => {
  answers['dead.test'] = async () => 410;
  await ledger().append(property, [news(1), news(2)]);
  await until(async () => (await feed()).length > 2);
  await alarm();
  expect(arrivedAt('dead.test')).toEqual([1, 2]);
  expect(arrivedAt('healthy.test')).toEqual([1, 2, 3]);
  expect((await feed()).map(({ type }) => type)).toEqual([
    'charge.failed',
    'charge.failed',
    'webhook_endpoint.disabled',
  ]);
});

test.each([
  ['says nothing of it', {}, [{ id: 'ch_1', kept_until: null }]],
  ['ends it', { endsIntent: true }, []],
  ['keeps it for a time', { keepsIntentUntil: 7 }, [{ id: 'ch_1', kept_until: 7 }]],
])('the announcement of a charge, when an update %s', async (_what, changes, kept) => {
  await ledger().claimIntent(property, 'ch_1', 'm');
  const update = news(1);
  await ledger().append(property, [{ ...update, resource: { ...update.resource, id: 'ch_1' }, ...changes }]);
  expect(await select('id, kept_until', 'intent')).toEqual(kept);
});

test('410 keeps what waits, with an event and a log line; a redelivery opens the endpoint and sends all of it', async () => {
  answers['dead.test'] = async () => 503;
  await append(1, 3);
  await alarm();
  answers['dead.test'] = async () => 410;
  passSeconds(600);
  await alarm();
  await append(4);
  await alarm();
  const disabled = await endpoint('dead.test');
  expect(disabled).toMatchObject({ status: 'disabled', lastFailureStatus: 410, nextAttemptAt: null });
  const { webhooks } = await within((object) => object.status(property));
  expect(webhooks).toEqual({ waiting: 5, oldestWaitingAt: expect.stringMatching(/Z$/), paused: 0, disabled: 1 });
  const [event] = (await feed()).filter(({ type }) => type === 'webhook_endpoint.disabled');
  expect(event?.data.object).toMatchObject({ host: 'dead.test', waiting: 3, firstWaitingSeq: 1, lastWaitingSeq: 3 });
  expect(warnings.join()).toContain(`"message":"webhook_endpoint_disabled","property":"${property}"`);
  expect(arrivedAt('healthy.test')).toEqual([1, 2, 3, event?.seq, 5]);
  expect(arrivedAt('dead.test')).not.toContain(event?.seq);
  arrivals.length = 0;
  answers['dead.test'] = async () => 204;
  await ledger().redeliver(property, news(2).eventId);
  await alarm();
  expect(new Set(arrivedAt('dead.test'))).toEqual(new Set([1, 2, 3, 4, 5]));
  // To the other one, which has had it, once more.
  expect(arrivedAt('healthy.test')).toEqual([2]);
  expect(await endpoint('dead.test')).toMatchObject({ status: 'active', waiting: 0, disabledSince: null });
});

test.each([
  ['once its endpoints are listed', () => endpoints()],
  ['once a day', () => alarm()],
  ['once an event is to be sent again', () => ledger().redeliver(property, news(1).eventId)],
])('what waits for an address that answered 410 goes to the one that replaced it, without news: %s', async (_, act) => {
  await configure(() => hotel([DEAD]));
  answers['dead.test'] = async () => 410;
  await append(1);
  await expect.poll(() => endpoint('dead.test')).toMatchObject({ status: 'disabled' });
  passSeconds(10);
  await alarm();
  await configure(() => hotel(['https://new.test/hooks']));
  passSeconds(DAY / SECOND);
  await act();
  await expect.poll(() => arrivedAt('new.test').sort()).toEqual([1, 2]);
  await expect.poll(() => endpoint('new.test')).toMatchObject({ status: 'active', waiting: 0 });
});

test('a backlog does not make news dearer', async () => {
  answers['dead.test'] = async () => 503;
  const rowsRead = async (n: number): Promise<number> => {
    const { rows } = await observe(ledger(), async (object) => {
      await object.append(property, [news(n)]);
      await object.webhookEndpoints(property);
    });
    return rows;
  };
  await append(1, 20);
  await expect.poll(() => endpoint('dead.test')).toMatchObject({ status: 'paused' });
  await expect.poll(() => endpoint('healthy.test')).toMatchObject({ waiting: 0 });
  const few = await rowsRead(21);
  const many = Array.from({ length: 200 }, (_, n) => news(100 + n));
  await within((object) => object.append(property, many));
  for (let batch = 0; batch < 2; batch++) await alarm();
  await expect.poll(() => endpoint('healthy.test')).toMatchObject({ waiting: 0 });
  expect(await endpoint('dead.test')).toMatchObject({ waiting: 221, firstWaitingSeq: 1 });
  expect(await rowsRead(22)).toBeLessThanOrEqual(few + 20);
});
