import { expect, test } from 'vitest';
import { classifyDelivery, deliveriesAtOnce, probeDelay, webhookDelay } from './webhook-schedule.ts';

const MINUTE = 60_000;

test('a paused endpoint is asked after a minute, two, four … at most an hour, and up to a tenth later', () => {
  expect([0, 1, 2, 5, 6, 500].map((probes) => probeDelay(probes, 0) / MINUTE)).toEqual([1, 2, 4, 32, 60, 60]);
  expect(probeDelay(6, 0.999)).toBeLessThanOrEqual(66 * MINUTE);
});

test('endpoints share six connections, and one that has failed gets one', () => {
  expect([1, 2, 3, 6, 20].map((endpoints) => deliveriesAtOnce(endpoints, 0))).toEqual([6, 3, 2, 1, 1]);
  expect(deliveriesAtOnce(1, 1)).toBe(1);
});

test.each([
  [200, 'accepted'],
  [204, 'accepted'],
  [299, 'accepted'],
  [199, 'retry'],
  [101, 'retry'],
  [300, 'retry'],
  [404, 'retry'],
  [410, 'disable'],
  [500, 'retry'],
  [undefined, 'retry'],
] as const)('an answer of %s is: %s', (status, decision) => {
  expect(classifyDelivery(status)).toBe(decision);
});

test('attempts are five seconds to a day apart, as Standard Webhooks proposes, and up to a tenth later', () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440];
  expect(minutes.map((_, nth) => (webhookDelay(nth + 1, 0) ?? 0) / MINUTE)).toEqual(minutes);
  expect(webhookDelay(2, 0.5)).toBe(5.25 * MINUTE);
  expect(webhookDelay(10, 0)).toBeUndefined();
  expect(probeDelay(0, 0.5)).toBe(1.05 * MINUTE);
});
