/** Alarms that were moved: by the launcher of a self-hosted proxy, so that not all that is overdue runs as it starts, or by an older version. */

/** How far after the start an alarm may have been moved. */
export const ALARMS_MOVED_WITHIN_MS: number = 5 * 60_000;

/** An older version moves alarms to a full minute, which tells them from others. */
const FULL_MS = 60_000;
const OLDER_VERSION_DELAY_MS = 5 * FULL_MS;

/** When the alarm comes again of an object that only a newer version can read. */
export function alarmForNewer(now: number): number {
  return Math.ceil((now + OLDER_VERSION_DELAY_MS) / FULL_MS) * FULL_MS;
}

/**
 * The time for which the object itself set the alarm; undefined when that cannot be told, because it may have been moved.
 * Then everything counts as due that is stored so.
 * @param settings `STARTED_AT` as the launcher sets it
 */
export function alarmSetFor(
  info: { readonly scheduledTime: number } | undefined,
  { STARTED_AT }: { readonly STARTED_AT?: string | null },
): number | undefined {
  const movedUntil = STARTED_AT ? Number(STARTED_AT) + ALARMS_MOVED_WITHIN_MS : 0;
  if (info === undefined || info.scheduledTime % FULL_MS === 0) return undefined;
  return info.scheduledTime > movedUntil ? info.scheduledTime : undefined;
}
