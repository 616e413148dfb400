/** How long what is stored of a payment is kept. */
import type { InvalidProperty, Property } from '../properties/configured-properties.ts';

const DAY_MS: number = 24 * 60 * 60_000;
/** How long keys, amounts, states and transaction ids are kept at least. */
export const RECORD_RETENTION_MS: number = 400 * DAY_MS;
/** The longest that a hotel can keep them. */
export const MAX_RETENTION_MS: number = 1_100 * DAY_MS;
/** When a record that must not be erased yet is looked at again. */
const AGAIN_MS = 7 * DAY_MS;

/** Whether a hotel was removed for good: nobody knows any more how long it kept its payments. */
export function isGone(property: Property | InvalidProperty | undefined): boolean {
  return property === undefined || (property.invalid && property.isRemoved);
}

/** How long a hotel keeps the words of its payments; undefined while nobody can tell. */
function wordRetentionMs(property: Property | InvalidProperty | undefined): number | undefined {
  if (isGone(property)) return RECORD_RETENTION_MS;
  return property === undefined || property.invalid ? undefined : property.retentionDays * DAY_MS;
}

/** What a record's time counts from, in milliseconds: the later of both. */
export interface RecordTimes {
  readonly createdAt: number;
  readonly completedAt?: number | null;
}

/**
 * When to look again at a record whose time is over but that is still needed; undefined when it can be erased.
 * @param isFinal whether its outcome, and that of each of its reversals, is certain
 */
export function keptUntil(
  { createdAt, completedAt }: RecordTimes,
  { isFinal, property }: { readonly isFinal: boolean; readonly property: Property | InvalidProperty | undefined },
): number | undefined {
  const now = Date.now();
  const until = Math.max(createdAt, completedAt ?? 0) + (wordRetentionMs(property) ?? MAX_RETENTION_MS);
  if (!isFinal) return now + AGAIN_MS;
  return until > now ? Math.min(until, now + AGAIN_MS) : undefined;
}
