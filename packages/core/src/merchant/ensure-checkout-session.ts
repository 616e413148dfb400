/**
 * The one session of a booking. Each try is a session under a key of its own, `key-1`, `key-2` and so on, and a try is only
 * made when the one before can no longer be paid: however many servers ask at once, at most one of them is open.
 */
import type { ClientSecret } from '../contract/checkout-access.ts';
import type { CheckoutSession, CreateCheckoutSession, CreatedCheckoutSession } from '../contract/checkout-session.ts';
import type { Page } from '../contract/list.ts';
import { InvalidInputError, isProblemError } from '../errors.ts';
import { requireObject } from '../values/check-text.ts';
import type { MerchantCallOptions } from './merchant-transport.ts';

/** A session as `checkoutSessions.create` takes it, and the key of what is to be paid once. */
export type EnsureCheckoutSession = CreateCheckoutSession & {
  /**
   * Names what is to be paid once, such as `RES-1234-deposit`: 1 to 240 visible ASCII characters, never of something that
   * changes. Two keys are two payments.
   */
  key: string;
};

/** What the guest of an {@link EnsuredCheckoutSession} can do. */
export type EnsuredOutcome =
  /** Pay: the session waits for its guest. */
  | 'open'
  /** Finish paying: the guest is on the payment page. Ask again once the webhook has come. */
  | 'under_way'
  /** Nothing more: it is paid, or the card is stored. */
  | 'succeeded'
  /** Nothing for now: money may have moved, and nobody knows yet. */
  | 'unknown'
  /** Nothing more with this key: 100 tries have ended without money. Let a person look. */
  | 'too_many_tries';

/** The one session of a booking. */
export interface EnsuredCheckoutSession {
  outcome: EnsuredOutcome;
  session: CheckoutSession;
  /** For the guest’s page, whatever the outcome: the element shows it. The same one for each call. */
  clientSecret: string;
  /** True when the session was made with another price or text and could not be replaced: it is under way, paid or unknown. */
  isOutdated: boolean;
}

/** What of the merchant client it needs. */
interface SessionCalls {
  create(
    body: CreateCheckoutSession,
    options: MerchantCallOptions & { idempotencyKey: string },
  ): Promise<CreatedCheckoutSession>;
  retrieve(id: string, options: MerchantCallOptions): Promise<CheckoutSession>;
  list(query: { idempotencyKey: string }, options: MerchantCallOptions): Promise<Page<CheckoutSession>>;
  expire(id: string, options: MerchantCallOptions): Promise<CheckoutSession>;
  refresh(id: string, options: MerchantCallOptions): Promise<CheckoutSession>;
  createClientSecret(id: string, body: undefined, options: MerchantCallOptions): Promise<ClientSecret>;
}

interface Try {
  readonly session: CheckoutSession;
  readonly isOutdated: boolean;
  readonly clientSecret?: string | undefined;
  /** The proxy said so, although the session may have changed since. */
  readonly isBeingPaid?: boolean;
}

/** What somebody could pay is never left behind, so each further try costs two calls: a guest cannot make them many more. */
const MAX_TRIES = 100;

/** Finds, replaces or makes the session; see `MerchantClient.ensureCheckoutSession`. */
export async function ensureCheckoutSession(
  calls: SessionCalls,
  wanted: EnsureCheckoutSession,
  options: MerchantCallOptions = {},
): Promise<EnsuredCheckoutSession> {
  const { key, ...body } = requireObject(wanted, 'body');
  if (typeof key !== 'string' || !/^[!-~]{1,240}$/.test(key)) {
    throw new InvalidInputError('key', 'key must be 1 to 240 visible ASCII characters.');
  }
  const keyOf = (attempt: number): string => `${key}-${attempt}`;

  /** Makes the try, or reads what it was made as. */
  async function open(attempt: number): Promise<Try> {
    try {
      const { clientSecret, ...session } = await calls.create(body, { ...options, idempotencyKey: keyOf(attempt) });
      return { session, isOutdated: false, clientSecret };
    } catch (error) {
      if (!isProblemError(error) || error.code !== 'idempotency_mismatch' || error.resource === undefined) throw error;
      return { session: await calls.retrieve(error.resource, options), isOutdated: true };
    }
  }

  /** The session of a try that was made before. */
  async function find(attempt: number): Promise<CheckoutSession | undefined> {
    return (await calls.list({ idempotencyKey: keyOf(attempt) }, options)).data[0];
  }

  /** Makes sure that nobody can begin to pay this try any more, neither here nor through a payment link. */
  async function end({ session, isOutdated }: Try, isRepeated = false): Promise<Try> {
    try {
      const ended = await calls.expire(session.id, options);
      if (session.status === 'open' || isRepeated) return { session: ended, isOutdated };
      // Its links are closed now. Asked once more, the proxy names the last try that they led to.
      return end({ session, isOutdated }, true);
    } catch (error) {
      if (!isProblemError(error)) throw error;
      if (error.code !== 'payment_in_progress' && error.code !== 'session_not_open') throw error;
      const last = await calls.retrieve(error.resource ?? session.id, options);
      return { session: last, isOutdated, isBeingPaid: error.code === 'payment_in_progress' };
    }
  }

  /** Ends what was tried after an end that turned out not to be one. What has money in it by then is the better answer. */
  async function endLaterTries(found: Try, attempt: number): Promise<Try> {
    let best = found;
    for (let later = attempt + 1; later <= MAX_TRIES; later++) {
      const session = await find(later);
      if (session === undefined) break;
      const ended = await end({ session, isOutdated: false });
      if (best.session.status === 'unknown' && ended.session.status === 'succeeded')
        best = { ...ended, isOutdated: true };
    }
    return best;
  }

  async function answer(found: Try): Promise<EnsuredCheckoutSession> {
    const { session, isOutdated, isBeingPaid = false } = found;
    const clientSecret =
      found.clientSecret ?? (await calls.createClientSecret(session.id, undefined, options)).clientSecret;
    return { outcome: outcomeOf(session, isBeingPaid), session, clientSecret, isOutdated };
  }

  for (let attempt = 1; ; attempt++) {
    let tried = await open(attempt);
    if (tried.isOutdated && (tried.session.status === 'open' || isUncertainEnd(tried.session)))
      tried = await end(tried);
    if (isOver(tried) && attempt < MAX_TRIES && (await find(attempt + 1)) === undefined) {
      // The next one is made only after a last look: the guest may have paid after all.
      if (tried.session.status !== 'expired') {
        tried = { ...tried, session: await calls.refresh(tried.session.id, options) };
        if (isOver(tried)) tried = await end(tried);
      }
    }
    if (!isOver(tried) || attempt === MAX_TRIES) {
      const { status, late } = tried.session;
      const wasOver = status === 'unknown' || (status === 'succeeded' && late === true);
      return answer(wasOver ? await endLaterTries(tried, attempt) : tried);
    }
  }
}

/** Whether it is certain enough that this try was not paid, and that it cannot be. */
function isOver({ session, isBeingPaid = false }: Try): boolean {
  return session.final && session.status !== 'succeeded' && !isBeingPaid;
}

/** Whether its time has passed while the guest was on the payment page. */
function isUncertainEnd({ status, final }: CheckoutSession): boolean {
  return status === 'expired' && !final;
}

function outcomeOf(session: CheckoutSession, isBeingPaid: boolean): EnsuredOutcome {
  const { status } = session;
  if (status === 'succeeded' || status === 'unknown') return status;
  if (isBeingPaid || status === 'pending') return 'under_way';
  if (isUncertainEnd(session)) return 'unknown';
  return status === 'open' ? 'open' : 'too_many_tries';
}
