/**
 * The guest's side of a checkout, for a page in a browser: start it, read it, watch it. Plain fetch, no schema library,
 * nothing that knows the payment API.
 *
 * Import path: `@innkeep/core/checkout`.
 *
 * @module
 */
import type { CheckoutPresentation, CheckoutView, StartedCheckout } from '../contract/guest-view.ts';
import { CheckoutError, InvalidResponseError, isInnkeepError, NetworkError, TimeoutError } from '../errors.ts';
import { backoffMs } from '../polling/backoff.ts';
import { poll } from '../polling/poll.ts';
import { LONGEST_TIMER_MS } from '../polling/wait.ts';
import { parseObject, problemDetails } from '../values/answers.ts';
import { badSetting } from '../values/settings.ts';

export type { CheckoutSurcharge } from '../contract/checkout-attempt.ts';
export type { CheckoutErrorCode, CheckoutKind, CheckoutStatus } from '../contract/checkout-status.ts';
export type {
  CheckoutPresentation,
  CheckoutReceipt,
  CheckoutView,
  StartCheckout,
  StartedCheckout,
} from '../contract/guest-view.ts';
export type { Problem } from '../contract/problem.ts';
export { CheckoutError } from '../errors.ts';

/** Settings of {@link createCheckout}. */
export interface CheckoutOptions {
  /** Address of the proxy; a path prefix is kept. */
  endpoint: string | URL;
  /** `cs_…_…`, from the hotel's server. */
  clientSecret: string;
  /** What sends the requests. @default globalThis.fetch */
  fetch?: typeof fetch | undefined;
}

/** Settings of one call. */
export interface CheckoutCallOptions {
  /** Aborting rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Limit of one request in milliseconds. @default 10_000, and 40_000 for a start */
  timeoutMs?: number | undefined;
}

/** Settings of {@link Checkout.watch}. */
export interface WatchOptions extends CheckoutCallOptions {
  /**
   * Largest share of the proxy's interval that chance adds to a pause, 0 to 1, so that pages opened together do not keep asking together.
   * @default 0
   */
  jitter?: number | undefined;
}

/** Client of one checkout session. */
export interface Checkout {
  /**
   * Asks for the hosted page: a new attempt, or while one is pending its address again. Safe to repeat.
   *
   * `terms`: the terms of the view that the guest was shown. If they have changed since, read the session and show it again.
   *
   * @throws {@link CheckoutError} with the proxy's code, for example `terms_changed`, `session_not_open`; `network`, `timeout`
   */
  start(options: CheckoutCallOptions & { presentation: CheckoutPresentation; terms: number }): Promise<StartedCheckout>;
  /** Reads the session. @throws {@link CheckoutError}, `network`, `timeout`, `invalid_response` */
  read(options?: CheckoutCallOptions): Promise<CheckoutView>;
  /**
   * Yields the first view and then each one whose version or status is new, until there is nothing to wait for: while the
   * session is open, which only a start ends, and once it is final. Failed reads are repeated; only a refusal (401, 403,
   * 404) throws.
   */
  watch(options?: WatchOptions): AsyncGenerator<CheckoutView, void, undefined>;
}

const READ_TIMEOUT_MS = 10_000;
// The proxy itself answers a start after 30 seconds at the latest.
const START_TIMEOUT_MS = 40_000;

/**
 * Makes the client of one checkout session.
 *
 * @throws `configuration` when the endpoint is not an http(s) address or the secret is missing
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  const base = String(options?.endpoint).replace(/\/{1,9}$/, '');
  if (!/^https?:\/\/[^?#]+$/.test(base) || !URL.canParse(`${base}/`))
    throw badSetting('endpoint', 'must be an http(s) address');
  const secret = options.clientSecret ?? '';
  if (!/^\S+$/.test(secret)) throw badSetting('clientSecret', 'is missing');
  if (/^(sk|pk|whsec)_/.test(secret)) {
    throw badSetting('clientSecret', 'is a secret of your server, on a public page. Replace it now');
  }
  if (/^cs_[^_]{26}$/.test(secret)) throw badSetting('clientSecret', 'is the id of a session. Give its `clientSecret`');

  async function request(path: string, call: CheckoutCallOptions, start?: object): Promise<unknown> {
    const { signal, timeoutMs = start ? START_TIMEOUT_MS : READ_TIMEOUT_MS } = call;
    signal?.throwIfAborted();
    const timeLimit = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), LONGEST_TIMER_MS));
    const stop = AbortSignal.any([timeLimit, ...(signal ? [signal] : [])]);
    const exchange = async (): Promise<[Response, string]> => {
      const answer = await (options.fetch ?? fetch)(base + path, {
        method: start ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${secret}`,
          ...(start && { 'content-type': 'application/json' }),
        },
        ...(start && { body: JSON.stringify(start) }),
        redirect: 'manual',
        signal: stop,
      });
      return [answer, await answer.text()];
    };
    // Raced, because an injected fetch may ignore its signal.
    const stopped = new Promise<never>((_, reject) => stop.addEventListener('abort', reject));
    const [response, text] = await Promise.race([exchange(), stopped]).catch((thrown: unknown) => {
      signal?.throwIfAborted();
      if (timeLimit.aborted) throw new TimeoutError('No answer from the payment proxy in time.');
      // An injected fetch may quote its request.
      const cause = new Error(`${thrown}`.replaceAll(secret, '[redacted]'));
      throw new NetworkError('The connection to the payment proxy failed.', { cause });
    });
    const body = parseObject(text);
    if (!response.ok) {
      const { code, detail } = body ?? {};
      const message = code
        ? `The payment proxy answered ${response.status}${detail ? `: ${detail}` : '.'}`
        : `Something other than the payment proxy answered ${response.status}. Check host, port and path of the endpoint.`;
      throw new CheckoutError(String(code ?? 'upstream_status'), message, problemDetails(body ?? {}, response));
    }
    // Enough to distinguish the view from a captive portal, and from another session's in the cache of a page's service worker.
    for (const field of ['id', 'status', ...(start ? ['viewUrl'] : [])]) {
      if (typeof body?.[field] !== 'string' || !secret.startsWith(`${body.id}`)) {
        throw new InvalidResponseError(
          body ? field : '',
          'Something other than the payment proxy answered. Check host, port and path of the endpoint.',
        );
      }
    }
    return body;
  }

  const read: Checkout['read'] = async (call = {}) => (await request('/v1/checkout', call)) as CheckoutView;

  return {
    read,
    async start({ presentation, terms, ...call }) {
      return (await request('/v1/checkout/start', call, { presentation, terms })) as StartedCheckout;
    },
    async *watch({ signal, timeoutMs, jitter = 0 } = {}) {
      let last: CheckoutView | undefined;
      const looks = poll((stop) => read({ signal: stop, timeoutMs }), {
        isFinal: (view) => view.final || view.nextPollMs === null,
        schedule: (_, view) => (view.nextPollMs || 5000) * (1 + jitter * Math.random()),
        onFailure: retryDelayMs,
        signal,
      });
      for await (const view of looks) {
        if (view.seq === last?.seq && view.status === last.status && view.returned === last.returned) continue;
        last = view;
        yield view;
      }
    },
  };
}

function retryDelayMs(error: unknown, failures: number): number | undefined {
  const { status = 0, retryAfterSeconds = 0 } = error as Partial<CheckoutError>;
  if ((status >= 401 && status <= 404) || !isInnkeepError(error)) return undefined;
  return Math.max(retryAfterSeconds * 1000, backoffMs(failures));
}
