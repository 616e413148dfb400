/** The time limits of a charge or a reversal, in milliseconds. They only work together: each is below the next. */

/** How long an access token may take. Below the answer limit, so that a 202 means that the call has left. */
export const TOKEN_LIMIT_MS = 20_000;
/** How long the first caller waits for the outcome; until then the same key answers 409. */
export const ANSWER_LIMIT_MS = 25_000;
/** How old an operation may get before it is sent. Older ones fail: nobody expects that charge any more. */
export const CREATED_LIMIT_MS = 60_000;
/** How long the call itself may take, body included. */
export const CALL_LIMIT_MS = 90_000;
/** When the watchdog looks after a call. */
export const WATCHDOG_MS = 100_000;
