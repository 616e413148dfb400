import { expect, test } from 'vitest';
import { deliveriesAtOnce, probeDelay } from './webhook-schedule.ts';

const MINUTE = 60_000;

test('a paused endpoint is asked after a minute, two, four … at most an hour, and up to a tenth later', () => {
  expect([0, 1, 2, 5, 6, 500].map((probes) => probeDelay(probes, 0) / MINUTE)).toEqual([1, 2, 4, 32, 60, 60]);
  expect(probeDelay(6, 0.999)).toBeLessThanOrEqual(66 * MINUTE);
});

test('endpoints share six connections, and one that has failed gets one', () => {
  expect([1, 2, 3, 6, 20].map((endpoints) => deliveriesAtOnce(endpoints, 0))).toEqual([6, 3, 2, 1, 1]);
  expect(deliveriesAtOnce(1, 1)).toBe(1);
});
