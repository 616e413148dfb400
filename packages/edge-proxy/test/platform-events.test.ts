/** A platform's webhooks and its feed: the events of all its hotels, those of the directory and those of secrets. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { verifyWebhook } from '@innkeep/core/webhooks';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LedgerObject } from '../src/ledger/ledger-object.ts';
import type { PlatformFeedObject } from '../src/ledger/platform-feed-object.ts';
import { platformsOf } from '../src/properties/platforms.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { type Json, merchant } from '../test-support/client.ts';
import { stopClock } from '../test-support/clock.ts';
import { addHotel } from '../test-support/directory.ts';
import { KEYS, VALLEY_KEYS, WEBHOOK_SECRETS } from '../test-support/environment.ts';
import { listedCharge } from '../test-support/listed.ts';
import { passSeconds, runLedgerAlarm, until } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

interface Told {
  readonly position?: number;
  readonly property: string;
  readonly id: string;
  readonly seq: number;
}

let run = 0;
let [north, south] = ['', ''];
/** What each webhook address got. */
let arrivals: { url: string; event: Told; headers: Headers; body: string }[];
let answer: (url: string) => number;
let warnings: string[];

const ledger = (property: string): DurableObjectStub<LedgerObject> => env.LEDGERS.getByName(property);
const valley = (): DurableObjectStub<PlatformFeedObject> => env.FEEDS.getByName('valley');
const arrivedAt = (path: string): Told[] =>
  arrivals.filter(({ url }) => url === `https://hooks.valley.test/${path}`).map(({ event }) => event);

let charges = 0;
/** News of another charge each time. */
function news(property: string, livemode = false): LedgerUpdate {
  charges += 1;
  return listedCharge(charges, { property, livemode, state: 'failed', createdAt: Date.now() });
}

async function append(property: string, count = 1): Promise<void> {
  for (let n = 0; n < count; n++) await ledger(property).append(property, [news(property)]);
}

async function read(query = '', key: string = VALLEY_KEYS.all): Promise<{ data: Told[]; nextAfter: number }> {
  const response = await merchant(`/v1/platform/events${query}`, { key });
  expect(response.status).toBe(200);
  return response.json();
}

/** What the feed has of the hotels of this run. */
async function told(): Promise<Told[]> {
  const all: Told[] = [];
  for (let after = start; ; ) {
    const { data, nextAfter } = await read(`?after=${after}&limit=100`);
    all.push(...data);
    if (nextAfter === after) return all;
    after = nextAfter;
  }
}

const keyOf = (property: string): string => `sk_test_${property}_${'k'.repeat(40)}`;

const untilTold = (count: number): Promise<void> => until(async () => (await told()).length === count);

/** The platforms as an object knows them. */
const platformsIn = (object: object) => platformsOf((object as { env: object }).env);

/** How much waits for each webhook: for all, or those of a platform. */
function waiting(property: string, platform = '%'): Promise<number[]> {
  const query = "SELECT waiting FROM endpoint WHERE coalesce(platform, '') LIKE ?";
  return runInDurableObject(ledger(property), (_object, { storage }) =>
    storage.sql
      .exec<{ waiting: number }>(query, platform)
      .toArray()
      .map((endpoint) => endpoint.waiting),
  );
}

let start = 0;

beforeEach(async () => {
  run += 1;
  north = `valley_north_${run}`;
  south = `valley_south_${run}`;
  arrivals = [];
  warnings = [];
  answer = () => 204;
  stopClock();
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const [url, body] = [String(input), String(init?.body)];
    arrivals.push({ url, body, event: JSON.parse(body) as Told, headers: new Headers(init?.headers) });
    return new Response(null, { status: answer(url) });
  });
  start = await runInDurableObject(valley(), async (feed, { storage }) => {
    await feed.events({ after: 0, limit: 1, patterns: [] });
    return storage.sql.exec<{ position: number }>('SELECT last_position AS position FROM feed').one().position;
  });
  await addHotel(north, [keyOf(north)]);
  await addHotel(south, [keyOf(south)], { webhooks: [] });
  vi.setSystemTime(Date.now() + 5_000);
});

describe('the webhooks of a platform', () => {
  test('get the events of its hotels once each, with the hotel, besides each hotel’s own; the public library verifies them', async () => {
    // Borealis is live, and this platform is not.
    for (const property of ['borealis', north, south, 'valley_inn', 'aurora']) await append(property);
    await until(() => arrivals.length === 7);
    const hotels = (events: readonly Told[]) => events.map(({ property }) => property).sort();
    expect(hotels(arrivedAt('all'))).toEqual(['valley_inn', north, south].sort());
    expect(hotels(arrivedAt('north'))).toEqual([north]);
    await untilTold(3);
    expect(hotels(await told())).not.toContain('borealis');
    const own = arrivals.filter(({ url }) => url === 'https://hooks.aurora.test/innkeep');
    expect(hotels(own.map(({ event }) => event))).toEqual(['aurora', 'valley_inn', north].sort());
    for (const secret of WEBHOOK_SECRETS) {
      for (const { event, body, headers } of own) {
        expect(new Webhook(secret).verify(body, Object.fromEntries(headers))).toEqual(event);
        expect(headers.get('webhook-id')).toBe(event.id);
      }
    }
    const { body, headers } = arrivals.find(({ url }) => url.startsWith('https://hooks.valley.test/')) ?? {};
    await verifyWebhook(body ?? '', headers ?? {}, WEBHOOK_SECRETS[1], { now: new Date() });
  });

  test('are shown to the hotel, which is told whose they are', async () => {
    await append('valley_inn');
    const response = await merchant('/v1/webhook-endpoints', { key: KEYS.valleyInn });
    const { data } = (await response.json()) as { data: Json[] };
    expect(data.map(({ host, platform }) => [host, platform])).toEqual([
      ['hooks.aurora.test', undefined],
      ['hooks.valley.test', 'valley'],
    ]);
  });

  test('of one for trying things out hear nothing of real money, also of a hotel that was live', async () => {
    const real = news(north, true);
    await ledger(north).append(north, [real, news(north)]);
    await ledger(north).redeliver(north, real.eventId);
    const seqs = (events: readonly Told[]): number[] => events.map(({ seq }) => seq);
    const ofHotel = (): Told[] =>
      arrivals.filter(({ url }) => url.startsWith('https://hooks.aurora.test/')).map(({ event }) => event);
    await until(async () => (await waiting(north)).every((count) => count === 0));
    expect(seqs(ofHotel())).toEqual([1, 2, 1]);
    expect([seqs(arrivedAt('all')), seqs(arrivedAt('north'))]).toEqual([[2], [2]]);
    // It may have heard of the payment while it was live itself.
    const erased = {
      ...real,
      eventId: news(north).eventId,
      type: 'payment.redacted',
      redacts: [real.eventId],
    } as const;
    await ledger(north).append(north, [{ ...erased, resource: { ...real.resource, seq: 2 } }]);
    await until(() => arrivedAt('north').length === 2 && arrivedAt('all').length === 2);
    expect(arrivedAt('all').at(-1)).toMatchObject({ seq: 3, type: 'payment.redacted' });
  });

  test('that are taken out end like any other, and stay while the platform’s secret cannot be read', async () => {
    answer = (url) => (url.includes('valley') ? 503 : 204);
    await append(north, 2);
    await until(() => arrivedAt('all').length >= 2 && arrivedAt('north').length >= 2);
    await runInDurableObject(ledger(north), (object) => {
      const platforms = platformsIn(object);
      vi.spyOn(platforms, 'webhooksFor').mockReturnValue([]);
      vi.spyOn(platforms, 'invalid', 'get').mockReturnValue(['valley']);
    });
    await append(north);
    expect(await waiting(north, 'valley')).toEqual([3, 3]);
    await runInDurableObject(ledger(north), async (object, { storage }) => {
      expect(await storage.getAlarm()).toBeGreaterThan(Date.now() + 1_000);
      vi.spyOn(platformsIn(object), 'invalid', 'get').mockReturnValue([]);
    });
    await append(north);
    expect(await waiting(north, 'valley')).toEqual([]);
    expect(warnings.filter((line) => line.includes('webhook_endpoint_removed'))).toHaveLength(2);
    const { items } = await ledger(north).events(0, 100);
    const removed = items.map((item) => JSON.parse(item)).filter(({ type }) => type === 'webhook_endpoint.removed');
    expect(removed.map(({ data }) => [data.object.host, data.object.platform, data.object.waiting])).toEqual([
      ['hooks.valley.test', 'valley', 3],
      ['hooks.valley.test', 'valley', 3],
    ]);
  });
});

describe('the feed of a platform', () => {
  test('has the events of all its hotels, in each hotel’s order, without gaps, in pages', async () => {
    for (const _ of [1, 2, 3]) for (const property of [north, south, 'valley_inn', 'borealis']) await append(property);
    await until(async () => (await told()).filter(({ property }) => property !== 'valley_inn').length === 6);
    const all = await told();
    expect(all.map(({ position }) => position)).toEqual(all.map((_event, index) => start + index + 1));
    expect(new Set(all.map(({ property }) => property))).toEqual(new Set([north, south, 'valley_inn']));
    for (const property of [north, south]) {
      expect(all.filter((event) => event.property === property).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    }
    const first = await read(`?after=${start}&limit=2`);
    expect([first.data, first.nextAfter]).toEqual([all.slice(0, 2), start + 2]);
    const last = start + all.length;
    expect(await read(`?after=${last}`)).toEqual({ object: 'list', data: [], nextAfter: last });
  });

  test('hears at once of an endpoint that is switched off, which no other event may follow', async () => {
    const gone = Promise.withResolvers<Response>();
    const wasReached = Promise.withResolvers<void>();
    vi.mocked(fetch).mockImplementation(async (input) => {
      if (!String(input).includes('aurora')) return new Response(null, { status: 204 });
      wasReached.resolve();
      return gone.promise;
    });
    await append(north);
    await wasReached.promise;
    await untilTold(1);
    gone.resolve(new Response(null, { status: 410 }));
    await untilTold(2);
    expect((await told()).map(({ property, seq }) => [property, seq])).toEqual([
      [north, 1],
      [north, 2],
    ]);
  });

  test('shows a key its own hotels alone, and leads on past the others', async () => {
    await append(south, 3);
    await append(north);
    await append(south);
    await untilTold(5);
    const { data, nextAfter } = await read(`?after=${start}`, VALLEY_KEYS.some);
    expect(data.map(({ property }) => property)).toEqual([north]);
    expect(nextAfter).toBe(start + 5);
  });

  test('is missing where the deployment declares none, which hurts nothing else', async () => {
    await runInDurableObject(ledger(north), (object) => {
      const bindings = (object as unknown as { env: { FEEDS?: DurableObjectNamespace } }).env;
      vi.spyOn(bindings, 'FEEDS', 'get').mockReturnValue(undefined);
    });
    await append(north);
    await until(() => arrivedAt('all').length === 1);
    await expectProblem(merchant('/v1/platform/events', { key: VALLEY_KEYS.all }), 503, { param: 'FEEDS' });
  });

  test('begins, for a hotel that is new to the platform, with what is in its ledger', async () => {
    await runInDurableObject(ledger(north), (object) => {
      const platforms = platformsIn(object);
      vi.spyOn(platforms, 'feedsWith').mockReturnValueOnce([]).mockReturnValueOnce([]);
    });
    await append(north, 2);
    expect(await told()).toEqual([]);
    passSeconds(86_400);
    await runLedgerAlarm(north);
    await untilTold(2);
  });

  test('that may only have been for a hotel that is gone is not waited for', async () => {
    const gone = `valley_gone_${run}`;
    await append(gone);
    const alarm = await runInDurableObject(ledger(gone), (_object, { storage }) => storage.getAlarm());
    expect(alarm).toBe(Date.now() + 600_000);
  });

  test('without room lets its oldest events go, however young they are, and the log says so', async () => {
    const feed = env.FEEDS.getByName('crowded');
    const bodies = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => ({ position: from + n, body: '{"seq":1}' }));
    const runAlarm = (seconds: number): Promise<void> => {
      passSeconds(seconds);
      return runInDurableObject(feed, (object) => object.alarm());
    };
    await feed.append('aurora', bodies(1, 500));
    const cleaned = await runInDurableObject(feed, (_object, { storage }) => storage.getAlarm());
    expect(cleaned).toBe(Date.now() + 86_400_000);
    await runAlarm(86_400);
    const everything = { after: 0, limit: 1_000, patterns: ['*'] };
    expect([(await feed.events(everything)).items.length, warnings]).toEqual([500, []]);
    await runInDurableObject(feed, (_object, { storage }) => {
      vi.spyOn(Object.getPrototypeOf(storage.sql), 'databaseSize', 'get').mockReturnValue(8_000_000_001);
    });
    await feed.append('aurora', bodies(501, 502));
    await runAlarm(1);
    const { items } = await feed.events(everything);
    expect(items.map((item) => (JSON.parse(item) as Told).position)).toEqual([501, 502]);
    expect(warnings.map((line) => JSON.parse(line))).toEqual([
      { level: 'warn', message: 'platform_feed_full', platform: expect.stringMatching(/crowded$/) },
    ]);
  });

  test('keeps events for 90 days, and its positions for ever', async () => {
    await append(north);
    await untilTold(1);
    passSeconds(90 * 86_400 + 1);
    await runInDurableObject(valley(), (object) => object.alarm());
    expect(await told()).toEqual([]);
    await append(north);
    await untilTold(1);
    expect((await told())[0]).toMatchObject({ position: start + 2, property: north, seq: 2 });
  });
});
