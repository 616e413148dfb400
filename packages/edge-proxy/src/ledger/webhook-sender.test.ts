import { beforeEach, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { WEBHOOK_SECRETS } from '../../test-support/environment.ts';
import { useLog } from '../../test-support/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { acquirePermit, countCall, isRefused } from '../upstream/call-budget.ts';
import type { Delivery, DeliveryTable } from './delivery-table.ts';
import type { Endpoint } from './webhook-endpoint.ts';
import { probeDelay, WEBHOOK_DELAYS_MS } from './webhook-schedule.ts';
import { type SenderHost, WebhookSender } from './webhook-sender.ts';

const NOW = 1_800_000_000_000;
const endpoint = (key: string): Endpoint => ({
  key,
  host: `${key}.test`,
  url: `https://${key}.test/hooks`,
  secret: WEBHOOK_SECRETS[0],
});
const delivery = (position: number, failures = 0, key = 'a'): Delivery => ({
  position,
  endpoint: key,
  retryAt: 0,
  failures,
  eventId: `ev_${position}`,
  body: `{"seq":${position}}`,
});
/** Of an event that is a second old. */
const youngDelivery = (failures: number, retryAt: number): Delivery => ({
  ...delivery(1, failures),
  retryAt,
  body: JSON.stringify({ timestamp: new Date(NOW - 1_000) }),
});

/** What each endpoint answers; undefined: no answer. */
let answers: Record<string, number | undefined>;
/** What happened, in order. */
let steps: string[];

useClock(NOW);
const lines = useLog('log', 'error');
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  answers = {};
  steps = [];
  const { sign } = crypto.subtle;
  vi.spyOn(crypto.subtle, 'sign').mockImplementation((...args) => {
    steps.push('sign');
    return sign.apply(crypto.subtle, args);
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { host } = new URL(String(input));
    steps.push(`post ${host} ${String(init?.body)}`);
    vi.setSystemTime(Date.now() + 7);
    const status = host in answers ? answers[host] : 204;
    if (status === undefined) throw new TypeError('Network connection lost.');
    return new Response(null, { status });
  });
});

/** A sender over batches that are planned beforehand, by their endpoint. */
function senderOf(
  batches: Record<string, Delivery[][]>,
  {
    isProbe = false,
    configured = Object.keys(batches).map(endpoint) as readonly Endpoint[] | null,
    nextAt = (_key: string): number | undefined => NOW,
  } = {},
  property = 'aurora',
) {
  const table = {
    schedule: vi.fn(() => Object.keys(batches).map((key) => ({ key, platform: '', nextAt: nextAt(key) }))),
    take: vi.fn<DeliveryTable['take']>((key) => ({ isProbe, batch: batches[key]?.shift() ?? [] })),
    accept: vi.fn<DeliveryTable['accept']>(),
    fail: vi.fn<DeliveryTable['fail']>(),
    skip: vi.fn<DeliveryTable['skip']>(),
  };
  const disable = vi.fn<SenderHost['disable']>();
  const rest = vi.fn<SenderHost['rest']>();
  const endpoints = async () => configured ?? undefined;
  const telemetry = { webhookAttempt: vi.fn<Telemetry['webhookAttempt']>(), flush: vi.fn<Telemetry['flush']>() };
  const host = {
    table: table as unknown as DeliveryTable,
    endpoints,
    property: () => property,
    disable,
    rest,
    telemetry: telemetry as unknown as Telemetry,
  };
  return { sender: new WebhookSender(host), table, disable, rest, telemetry };
}

test('what an endpoint must not hear is passed over, at no cost, and what is behind it goes out', async () => {
  const [test, real] = [false, true].map((livemode) => JSON.stringify({ type: 'a', data: { object: { livemode } } }));
  const of = (position: number, body = ''): Delivery => ({ ...delivery(position), body });
  const configured = [{ ...endpoint('a'), isForTests: true }];
  const { sender, table, telemetry } = senderOf({ a: [[of(1, real)], [of(2, test), of(3, real)]] }, { configured });
  await sender.start(configured);
  expect(steps).toEqual(['sign', `post a.test ${test}`]);
  expect(table.skip.mock.calls.map(([{ position }]) => position)).toEqual([1, 3]);
  expect(table.accept.mock.calls.map(([{ position }]) => position)).toEqual([2]);
  expect([table.fail.mock.calls, telemetry.webhookAttempt.mock.calls.length]).toEqual([[], 1]);
});

test('each batch is signed before any of it leaves, and the next is taken until nothing is due', async () => {
  const { sender, table, rest } = senderOf({ a: [[delivery(1), delivery(2)], [delivery(3)]] });
  await sender.start([endpoint('a')]);
  const post = (seq: number) => `post a.test {"seq":${seq}}`;
  expect(steps).toEqual(['sign', 'sign', post(1), post(2), 'sign', post(3)]);
  expect(table.accept.mock.calls.map(([{ position }]) => position)).toEqual([1, 2, 3]);
  expect(rest.mock.calls).toEqual([[false]]);
  expect(sender.isSending('a')).toBe(false);
});

test('only what is due is begun, and each endpoint once', async () => {
  const due: Record<string, number | undefined> = { now: NOW, later: NOW + 1, never: undefined };
  const { sender, table } = senderOf({ now: [], later: [], never: [] }, { nextAt: (key) => due[key] });
  const started = sender.start(Object.keys(due).map(endpoint));
  expect(Object.keys(due).map((key) => sender.isSending(key))).toEqual([true, false, false]);
  await Promise.all([started, sender.start([endpoint('now')])]);
  expect(table.take.mock.calls.map(([key, now]) => [key, now])).toEqual([['now', NOW]]);
});

test('starting ends when everything under way has ended, whoever began it', async () => {
  const { sender, table } = senderOf({ a: [[delivery(1)]] });
  void sender.start([endpoint('a')]);
  await sender.start([]);
  expect(table.accept).toHaveBeenCalledOnce();
  // Without an endpoint there is nothing to look up.
  expect(table.schedule).toHaveBeenCalledOnce();
});

test('endpoints share the connections, and one that has failed gets one event at a time', async () => {
  const { sender, table } = senderOf({ a: [], b: [] });
  await sender.start([endpoint('a')]);
  const limit = table.take.mock.calls[0]?.[2];
  expect([limit?.(0), limit?.(1)]).toEqual([3, 1]);
});

test.each([
  ['its endpoint was removed', [endpoint('b')]],
  ['the configuration cannot be read', null],
])('nothing is sent when %s', async (_when, configured) => {
  const { sender, rest } = senderOf({ a: [[delivery(1)]] }, { configured });
  await sender.start([endpoint('a')]);
  expect(steps).toEqual([]);
  expect(sender.isSending('a')).toBe(false);
  expect(rest.mock.calls).toEqual([[false]]);
});

test('a loop that fails says so, and can begin again', async () => {
  const { sender, table, rest } = senderOf({ a: [[delivery(1)]] });
  table.accept.mockImplementationOnce(() => {
    throw new Error('the disk is full');
  });
  await sender.start([endpoint('a')]);
  expect(rest.mock.calls).toEqual([[true]]);
  expect(lines.at(-1)).toEqual({ level: 'error', message: 'webhook_loop_failed', error: 'Error: the disk is full' });
  expect(sender.isSending('a')).toBe(false);
  await sender.start([endpoint('a')]);
  expect(rest.mock.calls).toEqual([[true], [false]]);
});

const AT = NOW + 7;
const PROBED = { level: 'warn', decision: 'retry', probe: true };

test.each([
  ['204', { status: 204 }, { level: 'info', decision: 'accepted' }, 'accepted'],
  ['410', { status: 410 }, { level: 'warn', decision: 'disable' }, 'disabled'],
  ['503', { status: 503 }, { level: 'warn', decision: 'retry' }, 'failed'],
  ['no answer', { status: undefined }, { level: 'warn', decision: 'retry', status: null }, 'failed'],
  ['503 the third time', { status: 503, failures: 2 }, { level: 'warn', decision: 'retry' }, 'failed'],
  ['503 the tenth time', { status: 503, failures: 9 }, { level: 'warn', decision: 'retry', givenUp: true }, 'given_up'],
  ['410 the tenth time', { status: 410, failures: 9 }, { level: 'warn', decision: 'disable' }, 'disabled'],
  ['503, asked while paused', { status: 503, isProbe: true }, PROBED, 'failed'],
  ['503 the tenth time, asked while paused', { status: 503, failures: 9, isProbe: true }, PROBED, 'failed'],
])('after %s the table learns what it has to, and the log and the metrics too', async (_name, given, line, outcome) => {
  const { status, failures = 0, isProbe = false } = given as { status?: number; failures?: number; isProbe?: boolean };
  answers['a.test'] = status;
  const sent = youngDelivery(failures, 0);
  const { sender, table, disable, telemetry } = senderOf({ a: [[sent]] }, { isProbe });
  await sender.start([endpoint('a')]);
  const attempt = failures + 1;
  const made = { message: 'webhook', property: 'aurora', event: 'ev_1', to: 'a.test', attempt, status, durationMs: 7 };
  expect(lines).toEqual([{ ...made, ...line }]);
  const { decision } = line;
  const lagMs = decision === 'accepted' ? 1_007 : undefined;
  const measured = { property: 'aurora', outcome, status, durationMs: 7, lagMs, eventId: 'ev_1', host: 'a.test' };
  expect(telemetry.webhookAttempt.mock.calls).toEqual([[measured]]);
  expect(telemetry.flush).toHaveBeenCalledOnce();
  expect(table.accept.mock.calls).toEqual(decision === 'accepted' ? [[sent, AT]] : []);
  expect(disable.mock.calls).toEqual(decision === 'disable' ? [[endpoint('a'), 410]] : []);
  const delay = WEBHOOK_DELAYS_MS[failures];
  const nextAt = delay === undefined ? undefined : AT + delay;
  const failed = { now: AT, status, isProbe, nextAt, probeAt: expect.any(Function) };
  expect(table.fail.mock.calls).toEqual(decision === 'retry' ? [[sent, failed]] : []);
  for (const [, { probeAt }] of table.fail.mock.calls) expect(probeAt(2)).toBe(AT + probeDelay(2, 0));
});

test.each([
  ['a later attempt', youngDelivery(1, NOW), 1_007],
  ['an event that was sent again by hand', youngDelivery(0, 1), undefined],
])('the lag of %s', async (_what, sent, lagMs) => {
  const { sender, telemetry } = senderOf({ a: [[sent]] });
  await sender.start([endpoint('a')]);
  expect(telemetry.webhookAttempt.mock.calls).toMatchObject([[{ lagMs }]]);
});

test.each([
  [undefined, 'down', 'down'],
  [500, 'down', 'down'],
  [429, 'down', 'down'],
  [499, 'up', 'down'],
  [300, 'up', 'down'],
  [299, 'up', 'up'],
])('a host that answers %s to hotels is taken for %s, and for %s if it was down', async (status, first, later) => {
  const deliver = async (host: string, property: string): Promise<void> => {
    const { sender } = senderOf({ [host]: [[delivery(1)]] }, {}, property);
    await sender.start([endpoint(host)]);
  };
  const hotels = ['x', 'y', 'z'];
  const health = (host: string): string => {
    const poll = acquirePermit('poll', { receiver: `${host}.test`, property: 'another', source: 'x' });
    if (!isRefused(poll)) poll.end();
    return isRefused(poll) ? 'down' : 'up';
  };
  answers[`new-${status}.test`] = status;
  for (const hotel of hotels) await deliver(`new-${status}`, hotel);
  expect(health(`new-${status}`)).toBe(first);
  answers[`down-${status}.test`] = 503;
  for (const hotel of hotels) await deliver(`down-${status}`, hotel);
  answers[`down-${status}.test`] = status;
  await deliver(`down-${status}`, 'x');
  expect(health(`down-${status}`)).toBe(later);
});

test('what no secret signs is not sent: the log says so, and the host of several hotels is not taken for down', async () => {
  for (const hotel of ['x', 'y', 'z']) {
    const unsigned = { ...endpoint('unsigned'), secret: `whsec_${'A'.repeat(33)}` };
    const { sender, table } = senderOf({ unsigned: [[delivery(1)]] }, { configured: [unsigned] }, hotel);
    await sender.start([unsigned]);
    expect(table.fail).toHaveBeenCalledOnce();
  }
  expect(steps).toEqual([]);
  expect(lines[0]).toMatchObject({ status: null, decision: 'retry', issue: expect.stringContaining('not Base64') });
  const poll = acquirePermit('poll', { receiver: 'unsigned.test', property: 'another', source: 'x' });
  expect(isRefused(poll)).toBe(false);
  if (!isRefused(poll)) poll.end();
});

test('a host that has as many attempts under way as it may have is left alone for a while: no event loses an attempt', async () => {
  vi.mocked(Math.random).mockReturnValue(0.5);
  const others = Array.from({ length: 128 }, (_, nth) =>
    countCall({ receiver: 'a.test', property: `other-${nth}`, source: 'x' }),
  );
  const { sender, table, rest } = senderOf({ a: [[delivery(1), delivery(2)], [delivery(1), delivery(2)], []] });
  await sender.start([endpoint('a')]);
  expect(steps).toEqual([]);
  expect(rest.mock.calls).toEqual([[false]]);
  expect(sender.isSending('a')).toBe(false);
  expect([sender.laterThan('a', NOW), sender.laterThan('b', NOW)]).toEqual([NOW + 1_500, NOW]);
  for (const permit of others) permit.end();
  vi.setSystemTime(NOW + 1_499);
  await sender.start([endpoint('a')]);
  expect(steps).toEqual([]);
  vi.setSystemTime(NOW + 1_500);
  await sender.start([endpoint('a')]);
  expect(table.accept.mock.calls.map(([{ position }]) => position)).toEqual([1, 2]);
  expect(table.fail).not.toHaveBeenCalled();
});

test('with room for some of a batch, the first of it go', async () => {
  const others = Array.from({ length: 127 }, (_, nth) =>
    countCall({ receiver: 'a.test', property: `other-${nth}`, source: 'x' }),
  );
  const { sender, table } = senderOf({ a: [[delivery(1), delivery(2)], [delivery(2)]] });
  await sender.start([endpoint('a')]);
  expect(steps).toEqual(['sign', 'post a.test {"seq":1}', 'sign', 'post a.test {"seq":2}']);
  expect(table.accept).toHaveBeenCalledTimes(2);
  expect(sender.laterThan('a', NOW)).toBe(NOW);
  for (const permit of others) permit.end();
});
