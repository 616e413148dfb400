/** Webhook endpoints do not wait for each other, and nothing that waits for one is lost without a word. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { WebhookEndpoint } from '@innkeep/core/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LedgerObject } from '../src/ledger/ledger-object.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { WEBHOOK_SECRETS } from '../test-support/environment.ts';
import { listedId, listedSession } from '../test-support/listed.ts';
import { observe, passSeconds } from '../test-support/objects.ts';

const HOUR = 3_600;
const [secret] = WEBHOOK_SECRETS;
const HEALTHY = 'https://healthy.test/hooks';
const DEAD = 'https://dead.test/hooks?token=marker';

interface Arrival {
  readonly host: string;
  readonly seq: number;
  readonly type: string;
  readonly at: number;
}

let run = 0;
let property = '';
let arrivals: Arrival[];
const warnings: string[] = [];
/** What an endpoint answers, by its host; a promise that never ends hangs until the attempt is given up. */
let answers: Record<string, (seq: number) => number | Promise<number>>;

const ledger = (): DurableObjectStub<LedgerObject> => env.LEDGERS.getByName(property);
const arrivedAt = (host: string): number[] => arrivals.filter((each) => each.host === host).map(({ seq }) => seq);

/** Puts other endpoints into the configuration that the object was started with. */
async function configure(urls: readonly string[]): Promise<void> {
  await runInDurableObject(ledger(), async (object) => {
    const properties = propertiesOf((object as unknown as { env: PropertyBindings }).env);
    const aurora = await properties.find('aurora');
    if (aurora === undefined || aurora.invalid) throw new Error('Aurora is broken');
    vi.mocked(properties.find).mockRestore?.();
    const webhooks = urls.map((url) => ({ url, secret }));
    vi.spyOn(properties, 'find').mockImplementation(async () => ({ ...aurora, webhooks }));
  });
}

function news(n: number): LedgerUpdate {
  const update = listedSession(n, [], { createdAt: Date.now() });
  return { ...update, eventId: listedId('ev', n), type: 'checkout.attempt_failed' };
}

async function append(from: number, to = from): Promise<void> {
  for (let n = from; n <= to; n++) await ledger().append(property, [news(n)]);
}

function alarm(): Promise<void> {
  return runInDurableObject(ledger(), (object) => object.alarm());
}

function endpoints(): Promise<WebhookEndpoint[]> {
  return runInDurableObject(ledger(), (object) => object.webhookEndpoints(property));
}

async function endpoint(host: string): Promise<WebhookEndpoint> {
  const found = (await endpoints()).find((each) => each.host === host);
  if (found === undefined) throw new Error(`no endpoint at ${host}`);
  return found;
}

async function feed(): Promise<{ type: string; data: { object: WebhookEndpoint } }[]> {
  const { items } = await ledger().events(0, 100);
  return items.map((item) => JSON.parse(item) as { type: string; data: { object: WebhookEndpoint } });
}

beforeEach(async () => {
  run += 1;
  property = `endpoints-${run}`;
  arrivals = [];
  answers = {};
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 24 * HOUR * 1_000 });
  warnings.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { host } = new URL(String(input));
    const { seq, type } = JSON.parse(String(init?.body)) as { seq: number; type: string };
    arrivals.push({ host, seq, type, at: Date.now() });
    const status = (await answers[host]?.(seq)) ?? 204;
    return new Response(null, { status });
  });
  await configure([HEALTHY, DEAD]);
});

test('an endpoint that hangs delays no other one, whose news arrives without any alarm, nor does its alarm wait for it', async () => {
  let isOver = false;
  answers['dead.test'] = async () => {
    while (!isOver) await scheduler.wait(5);
    return 500;
  };
  await append(1);
  await expect.poll(() => arrivedAt('dead.test')).toEqual([1]);
  await append(2);
  await expect.poll(() => arrivedAt('healthy.test')).toEqual([1, 2]);
  const begun = Date.now();
  await append(3, 40);
  await alarm();
  await expect.poll(() => arrivedAt('healthy.test')).toHaveLength(40);
  expect(arrivedAt('healthy.test')).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  const latest = arrivals.filter(({ seq }) => seq > 2);
  expect(latest.map(({ at }) => at - begun)).toEqual(latest.map(() => 0));
  expect(arrivedAt('dead.test').length).toBeLessThanOrEqual(3);
  expect(await endpoint('healthy.test')).toMatchObject({ status: 'active', waiting: 0, nextAttemptAt: null });
  isOver = true;
});

test('410 keeps what waits, with an event and a log line; a redelivery opens the endpoint and sends all of it', async () => {
  answers['dead.test'] = () => 503;
  await append(1, 3);
  await alarm();
  answers['dead.test'] = () => 410;
  passSeconds(600);
  await alarm();
  await append(4);
  await alarm();
  const disabled = await endpoint('dead.test');
  expect(disabled).toMatchObject({ status: 'disabled', lastFailureStatus: 410, nextAttemptAt: null });
  const { webhooks } = await runInDurableObject(ledger(), (object) => object.status(property));
  expect(webhooks).toEqual({ waiting: 5, oldestWaitingAt: expect.stringMatching(/Z$/), paused: 0, disabled: 1 });
  const [event] = (await feed()).filter(({ type }) => type === 'webhook_endpoint.disabled');
  expect(event?.data.object).toMatchObject({ host: 'dead.test', waiting: 3, firstWaitingSeq: 1, lastWaitingSeq: 3 });
  expect(warnings.join()).toContain(`"message":"webhook_endpoint_disabled","property":"${property}"`);
  expect(arrivals.filter(({ type }) => type === 'webhook_endpoint.disabled').map(({ host }) => host)).toEqual([
    'healthy.test',
  ]);
  arrivals.length = 0;
  answers['dead.test'] = () => 204;
  await ledger().redeliver(property, news(2).eventId);
  await alarm();
  expect(new Set(arrivedAt('dead.test'))).toEqual(new Set([1, 2, 3, 4, 5]));
  // To the other one, which has had it, once more.
  expect(arrivedAt('healthy.test')).toEqual([2]);
  expect(await endpoint('dead.test')).toMatchObject({ status: 'active', waiting: 0, disabledSince: null });
});

test('a redelivery to a new address is no reason to drop what waited for the one before', async () => {
  await configure([DEAD]);
  answers['dead.test'] = () => 410;
  await append(1, 3);
  await alarm();
  await configure(['https://new.test/hooks']);
  await ledger().redeliver(property, news(1).eventId);
  await append(4);
  await alarm();
  expect(arrivedAt('new.test')).toEqual(expect.arrayContaining([1, 2, 3]));
  expect((await feed()).map(({ type }) => type)).not.toContain('webhook_endpoint.removed');
});

test.each([
  ['once its endpoints are listed', () => endpoints()],
  ['once a day', () => alarm()],
])('what waits for an address that answered 410 goes to the one that replaced it, without news: %s', async (_, act) => {
  await configure([DEAD]);
  answers['dead.test'] = () => 410;
  await append(1);
  await expect.poll(() => endpoint('dead.test')).toMatchObject({ status: 'disabled' });
  passSeconds(10);
  await alarm();
  await configure(['https://new.test/hooks']);
  passSeconds(24 * HOUR);
  await act();
  await expect.poll(() => arrivedAt('new.test')).toEqual([1, 2]);
  await expect.poll(() => endpoint('new.test')).toMatchObject({ status: 'active', waiting: 0 });
});

test('a backlog does not make news dearer', async () => {
  answers['dead.test'] = () => 503;
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
  await runInDurableObject(ledger(), (object) =>
    object.append(
      property,
      Array.from({ length: 200 }, (_, n) => news(100 + n)),
    ),
  );
  for (let batch = 0; batch < 2; batch++) await alarm();
  await expect.poll(() => endpoint('healthy.test')).toMatchObject({ waiting: 0 });
  expect(await endpoint('dead.test')).toMatchObject({ waiting: 221, firstWaitingSeq: 1 });
  expect(await rowsRead(22)).toBeLessThanOrEqual(few + 20);
});
