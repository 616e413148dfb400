/**
 * The hotel server's side of payments: what a booking means in terms of the proxy's merchant API. Every call that moves
 * money carries a key made before the first try, so that sending a form twice charges once.
 */
import { isInnkeepError, isProblemError } from '@innkeep/core/errors';
import type {
  CheckoutSession,
  CreateCard,
  CreatedCheckoutSession,
  CreatedDeskSession,
  MerchantClient,
} from '@innkeep/core/merchant';
import { type Booking, dueNow, type KeyedCard, noShowFee } from './booking/booking.ts';
import type { Bookings } from './booking/bookings.ts';
import { formatNights } from './booking/format.ts';
import { holdUntil } from './booking/hotel-time.ts';
import type { Employee } from './booking/staff.ts';

/** The part of the merchant client that the demo hotel uses. */
export interface DemoMerchant
  extends Pick<MerchantClient, 'checkoutSessions' | 'charges' | 'deskSessions' | 'gateway'> {
  /** Made with a key of its own that does nothing else; null where the proxy takes no keyed-in cards. */
  readonly cards: MerchantClient['cards'] | null;
}

/** How long a desk session lasts. The page asks for the next secret while somebody is signed in. */
export const DESK_SECONDS: number = 15 * 60;

// Somebody is waiting to be signed out.
const REVOKE_LIMIT_MS = 3_000;

export class Payments {
  readonly #merchant: DemoMerchant;
  readonly #bookings: Bookings;
  readonly #publicUrl: string;
  readonly #now: () => Date;

  constructor(dependencies: { merchant: DemoMerchant; bookings: Bookings; publicUrl: string; now: () => Date }) {
    this.#merchant = dependencies.merchant;
    this.#bookings = dependencies.bookings;
    this.#publicUrl = dependencies.publicUrl;
    this.#now = dependencies.now;
  }

  get takesKeyedCards(): boolean {
    return this.#merchant.cards !== null;
  }

  /**
   * The booking's one checkout session, whenever its page is shown and however many attempts it takes. Amount and reference come
   * from here, never from the page.
   */
  async openCheckout(booking: Booking): Promise<CreatedCheckoutSession> {
    const amount = dueNow(booking);
    const session = await this.#merchant.checkoutSessions.ensure(booking.id, {
      ...(amount === null ? { kind: 'card' as const } : { kind: 'payment' as const, amount, surcharge: true }),
      reference: booking.reference,
      description: `${booking.room.name}, ${formatNights(booking.nights)}`,
      returnUrl: `${this.#publicUrl}/bookings/${booking.id}/confirmation`,
      expiresInSeconds: 24 * 60 * 60,
    });
    this.#bookings.setCheckout(booking.id, { sessionId: session.id, clientSecret: session.clientSecret });
    return session;
  }

  /** Whether the room is no longer kept for a guest who has not paid. */
  isHoldOver(booking: Booking): boolean {
    return this.#now() >= holdUntil(booking);
  }

  /**
   * The booking's session as it is now. One that is open at the end of the hold is ended here, when somebody looks; one under
   * way is left alone, since its payment may still arrive.
   */
  async readSession(booking: Booking): Promise<CheckoutSession | null> {
    if (booking.checkout === null) return null;
    const { checkoutSessions } = this.#merchant;
    const session = await checkoutSessions.retrieve(booking.checkout.sessionId);
    if (session.status !== 'open' || !this.isHoldOver(booking)) return session;
    try {
      return await checkoutSessions.expire(session.id);
    } catch (error) {
      // The guest was quicker.
      if (!isProblemError(error)) throw error;
      return checkoutSessions.retrieve(session.id);
    }
  }

  /** A link that pays a session without a script. */
  async createLink(sessionId: string): Promise<{ url: string }> {
    return this.#merchant.checkoutSessions.createLink(sessionId);
  }

  /** Turns a card that staff keyed in into a token. The number is not kept, not even when this fails. */
  async keyInCard(card: CreateCard): Promise<KeyedCard> {
    if (this.#merchant.cards === null) throw new Error('This hotel takes no keyed-in cards.');
    const { token, maskedCard } = await this.#merchant.cards.create(card);
    return { token, maskedCard };
  }

  /** Charges the first night to a card that staff keyed in. With one key for a booking: once, however often it is asked for. */
  async chargeNoShow(booking: Booking, { token }: KeyedCard, person: string): Promise<void> {
    const { reference } = booking;
    await this.#merchant.charges.create(
      { token, tokenFrom: 'moto', amount: noShowFee(booking), reference, reason: 'no_show' },
      { idempotencyKey: `${booking.id}-no-show`, person },
    );
  }

  /** A desk session for one person: with its secret the desk on the page speaks to the proxy. */
  async openDesk({ id, grant }: Employee): Promise<CreatedDeskSession> {
    const session = { person: { id }, origin: this.#publicUrl, expiresInSeconds: DESK_SECONDS, ...grant };
    return this.#merchant.deskSessions.create(session);
  }

  /** Ends a desk session. Says whether it did: a failure is told in the log, since nobody has to stay signed in for it. */
  async closeDesk(id: string): Promise<boolean> {
    try {
      await this.#merchant.deskSessions.revoke(id, { timeoutMs: REVOKE_LIMIT_MS });
      return true;
    } catch (error) {
      const cause = isInnkeepError(error) ? `${error.code} ${error.message}` : String(error);
      console.error(`demo: the desk session ${id} was not revoked: ${cause}`);
      return false;
    }
  }
}
