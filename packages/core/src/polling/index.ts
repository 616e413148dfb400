/**
 * Polling without knowledge of what is polled: an async iterator, a pure backoff schedule and a wait.
 *
 * Import path: `@innkeep/core/polling`. Knows neither operations nor secrets.
 *
 * @module
 */
export { type BackoffOptions, backoffSchedule, type Schedule } from './backoff.ts';
export { type PollOptions, poll } from './poll.ts';
export { type WaitOptions, type Wake, wait } from './wait.ts';
