/** How long what is stored of a payment is kept. */
import type { InvalidProperty, Property } from '../properties/configured-properties.ts';

const DAY_MS: number = 24 * 60 * 60_000;
/** How long keys, amounts, states and transaction ids are kept at least. */
export const RECORD_RETENTION_MS: number = 400 * DAY_MS;
/** The longest that a hotel can keep them. */
export const MAX_RETENTION_MS: number = 1_100 * DAY_MS;

/** Whether a hotel was removed for good: nobody knows any more how long it kept its payments. */
export function isGone(property: Property | InvalidProperty | undefined): boolean {
  return property === undefined || (property.invalid && property.isRemoved);
}

/** What a record's time counts from, in milliseconds: the later of both. */
export interface RecordTimes {
  readonly createdAt: number;
  readonly completedAt?: number | null;
}
