/** What a status of `refusalStatuses` must be. */
export const REFUSAL_STATUS_RULE = 'must be a status from 400 to 499 other than 401, 403, 408 and 429';

/** Whether a setting may say that a status refuses a call that was not executed. */
export function isRefusalStatus(status: unknown): boolean {
  // 401 and 403 always mean that nothing was executed; 408 and 429 never do.
  return typeof status === 'number' && /^4(?!0[138]|29)\d\d$/.test(`${status}`);
}
