/**
 * How many polls the sessions of this isolate would make in a second whose guests have gone away. In memory alone: a session counts
 * from the poll on that it plans here.
 */

import { pacedDelay } from './poll-pace.ts';

interface Wanted {
  readonly perSecond: number;
  /** When its poll is planned. */
  readonly at: number;
}

/** A session that has not looked so long after its time is not of this isolate any more. */
const LOST_MS = 120_000;

/** By session, the one that planned longest ago first. */
const wanted = new Map<string, Wanted>();
let total = 0;

/** Counts a session that would poll every `delayMs`; answers after how long it will. */
export function pacePolling(id: string, delayMs: number, now: number): number {
  clearDemand(id);
  const perSecond = 1_000 / delayMs;
  total += perSecond;
  const paced = pacedDelay(delayMs, total, Math.random);
  wanted.set(id, { perSecond, at: now + paced });
  for (const [oldest, { at }] of wanted) {
    if (now - at < LOST_MS) break;
    clearDemand(oldest);
  }
  return paced;
}

/** The session polls no more, or somebody waits for it. */
export function clearDemand(id: string): void {
  total -= wanted.get(id)?.perSecond ?? 0;
  wanted.delete(id);
  // Sums of fractions drift.
  if (wanted.size === 0) total = 0;
}

/** Whether a session's poll may have been planned for later than by its schedule. */
export function isPaced(id: string): boolean {
  return wanted.has(id);
}
