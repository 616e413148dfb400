/** 401 and 403 always say that nothing was executed, 408 and 429 never do. */
const NOT_TO_BE_CHOSEN: readonly unknown[] = [401, 403, 408, 429];

/** What a status of `refusalStatuses` must be. */
export const REFUSAL_STATUS_RULE = 'must be a status from 400 to 499 other than 401, 403, 408 and 429';

/** Whether somebody may say of a status that it refuses a call that was not executed. */
export function isRefusalStatus(status: unknown): boolean {
  return (
    Number.isInteger(status) && Number(status) >= 400 && Number(status) < 500 && !NOT_TO_BE_CHOSEN.includes(status)
  );
}
