/** What a payment passes through. Every start of the worker loads it. */
import { charges } from '../money/charge-routes.ts';
import { reversals } from '../money/reversal-routes.ts';
import { checkout } from '../sessions/guest-routes.ts';
import { checkoutSessions, sessionsByKey } from '../sessions/session-routes.ts';
import type { Resources } from './app.ts';
import { service } from './service-routes.ts';

/** Sessions, charges and reversals. */
export const PAYMENT_RESOURCES: Resources = [
  ['/v1/checkout-sessions/by-key', sessionsByKey],
  ['/v1/checkout-sessions', checkoutSessions],
  ['/v1/checkout', checkout],
  ['/v1/charges', charges],
  ['/v1/reversals', reversals],
  ['/', service],
];

const OTHERS = /^\/(?:desk|v1)(?:\/|$)/;
const NAMES = PAYMENT_RESOURCES.flatMap(([path]) => /^\/v1\/([\w-]+)$/.exec(path)?.[1] ?? []);
const OWN = new RegExp(`^/v1/(?:cards|${NAMES.join('|')})(?:/|$)`);

/** Whether an address is one of the back office's, or one at which there is nothing. */
export function isOfBackOffice(path: string): boolean {
  return OTHERS.test(path) && !OWN.test(path);
}
