/** What stops an element, and the page's own part in it. */
import type { CheckoutError } from '@innkeep/core/checkout';
import type { PayErrorDetail } from '../events/pay-events.ts';
import type { RememberedSession } from './session-memory.ts';

/** A fault, as `pay-error` reports it. */
export type PayFault = Pick<PayErrorDetail, 'code' | 'message' | 'recoverable' | 'traceId' | 'param'>;

/** How long a page may take to give a session, and its server to make one. */
export const WAIT_LIMIT_MS = 10_000;

/** For a property that a library has set wrongly. */
export const NOT_A_FUNCTION =
  '`getClientSecret` is no function. jQuery’s `.prop` calls functions: set `$("pay-widget")[0].getClientSecret`.';

/** The session that the page's own function gives. @throws `secret_failed`, `secret_missing` */
export async function askForSession(
  { endpoint, getClientSecret }: { endpoint: string | undefined; getClientSecret: (() => Promise<string>) | undefined },
  signal: AbortSignal,
): Promise<RememberedSession> {
  if (getClientSecret && typeof getClientSecret !== 'function') throw toError('configuration', NOT_A_FUNCTION);
  let clientSecret: unknown;
  let what = 'threw an error';
  let waitLimit: ReturnType<typeof setTimeout> | undefined;
  try {
    // A site that never answers must not keep a window open that nobody waits for.
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', reject);
      waitLimit = setTimeout(() => {
        what = `did not answer within ${WAIT_LIMIT_MS / 1000} s`;
        reject();
      }, WAIT_LIMIT_MS);
    });
    clientSecret = await Promise.race([getClientSecret?.(), givenUp]);
  } catch {
    // The site's error may quote its own secrets, so none of it is passed on.
    throw toError('secret_failed', `\`getClientSecret\` ${what}. Check its call to your server.`, true);
  } finally {
    clearTimeout(waitLimit);
  }
  signal.throwIfAborted();
  if (!clientSecret || typeof clientSecret !== 'string')
    throw toError('secret_missing', '`getClientSecret` must resolve with the `clientSecret` of a session.');
  if (!endpoint) throw missing(endpoint);
  return { endpoint, clientSecret: clientSecret.trim() };
}

/** A fault that the elements find themselves. */
export function toError(code: string, message: string, recoverable = false): Error & PayFault {
  return Object.assign(new Error(message), { code, recoverable });
}

/** The fault of an element that was not given a session. */
export function missing(endpoint: string | undefined): Error & PayFault {
  const message = endpoint
    ? 'There is no session: set `client-secret` or `getClientSecret`. On a return page your server makes a further client secret.'
    : 'There is no `endpoint`: set it to the address of your payment proxy.';
  return Object.assign(toError('secret_missing', message), { param: endpoint ? 'clientSecret' : 'endpoint' });
}

/** Whatever was thrown; errors of core carry a code, and those of the proxy what its problem document says. */
export function toFault(
  error: unknown,
): Partial<PayFault> & Pick<Partial<CheckoutError>, 'status'> & { path?: string } {
  // The message of any other error may say anything.
  return Object(error).code ? Object(error) : {};
}

/** Whether the proxy has refused: asking again cannot change these answers. */
export function isRefused(error: unknown): boolean {
  return [400, 401, 403, 404, 409].includes(toFault(error).status ?? 0);
}

/** What the page is told of whatever was thrown. */
export function describeFault(error: unknown): PayFault {
  const { code = 'internal', message = '', recoverable, traceId, path, param } = toFault(error);
  const canPass = code !== 'configuration' && !isRefused(error);
  return { code, message, recoverable: recoverable ?? canPass, traceId, param: param ?? (path || undefined) };
}
