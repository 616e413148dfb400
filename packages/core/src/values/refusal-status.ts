/** What a status of `refusalStatuses` must be. */
export const REFUSAL_STATUS_RULE = 'must be a status from 400 to 499 other than 401, 403, 408 and 429';

/** Whether somebody may say of a status that it refuses a call that was not executed. */
export function isRefusalStatus(status: unknown): boolean {
  // 401 and 403 say by themselves that nothing was executed, 408 and 429 never do.
  return typeof status === 'number' && /^4(?!0[138]|29)\d\d$/.test(`${status}`);
}
