/** When a webhook that was not accepted is tried again, and when an endpoint is paused. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first, second … failed attempt: 75 hours in all. */
export const WEBHOOK_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** What a receiver's answer means for one delivery. */
export type DeliveryDecision = 'accepted' | 'retry' | 'disable';

/** Reads a receiver's status; undefined when there was no answer. Redirects are failures: they are never followed. */
export function classifyDelivery(status: number | undefined): DeliveryDecision {
  if (status !== undefined && status >= 200 && status < 300) return 'accepted';
  return status === 410 ? 'disable' : 'retry';
}

/**
 * Milliseconds until the next attempt; undefined when the last one has failed.
 * @param failures failed attempts so far, at least 1
 * @param random 0 ≤ random < 1; spreads retries by up to a tenth
 */
export function webhookDelay(failures: number, random: number): number | undefined {
  const delay = WEBHOOK_DELAYS_MS[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 + random / 10));
}

/** After how many failed attempts in a row, of more than one event, an endpoint is paused. */
export const PAUSE_AFTER_FAILURES = 5;

/** Milliseconds between two attempts at a paused endpoint, each with one event: a minute, doubling to an hour. */
export function probeDelay(probes: number, random: number): number {
  return Math.round(Math.min(HOUR, MINUTE * 2 ** Math.min(probes, 10)) * (1 + random / 10));
}

/** A Worker has six connections at a time. Endpoints share them, so that one that hangs leaves some for the others. */
const CONNECTIONS = 6;

/** How many events go to one endpoint at the same time: one after a failure, so that a dead endpoint costs little. */
export function deliveriesAtOnce(endpoints: number, failures: number): number {
  return failures > 0 ? 1 : Math.max(1, Math.floor(CONNECTIONS / Math.max(1, endpoints)));
}
