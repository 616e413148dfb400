/**
 * How far apart polls are that nobody waits for: those of sessions whose guests have gone away. One isolate may have thousands of
 * such sessions, and its one thread serves guests as well. Pure.
 */

/** Polls that one isolate makes in a second for guests who have gone away. */
const MOST_PER_SECOND = 50;
/** No interval becomes longer than this. */
const LONGEST_MS: number = 10 * 60_000;
/** Part of a longer interval that is left to chance, so that sessions that began together do not poll together. */
const SPREAD = 1 / 2;

/**
 * Milliseconds until the next poll: as the schedule says, as long as that makes no more polls than there should be; then longer in
 * proportion.
 * @param wantedPerSecond how many polls all such sessions would make by their schedules
 */
export function pacedDelay(delayMs: number, wantedPerSecond: number, random: () => number): number {
  const stretch = wantedPerSecond / MOST_PER_SECOND;
  if (stretch <= 1) return delayMs;
  const spread = 1 + (random() - 1 / 2) * SPREAD;
  return Math.round(Math.max(delayMs, Math.min(LONGEST_MS, delayMs * stretch * spread)));
}
