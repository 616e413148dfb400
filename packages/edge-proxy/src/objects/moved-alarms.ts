/** Alarms that the launcher of a self-hosted proxy has moved, so that not all that is overdue runs as it starts. */

/** How far after the start an alarm may have been moved. */
export const ALARMS_MOVED_WITHIN_MS: number = 5 * 60_000;

/**
 * The time for which the object itself set the alarm; undefined when that cannot be told, because the launcher may have moved it.
 * Then everything counts as due that is stored so.
 * @param settings `STARTED_AT` as the launcher sets it
 */
export function alarmSetFor(
  info: { readonly scheduledTime: number } | undefined,
  { STARTED_AT }: { readonly STARTED_AT?: string | null },
): number | undefined {
  const movedUntil = STARTED_AT ? Number(STARTED_AT) + ALARMS_MOVED_WITHIN_MS : 0;
  return info !== undefined && info.scheduledTime > movedUntil ? info.scheduledTime : undefined;
}
