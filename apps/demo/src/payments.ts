/**
 * The hotel server's side of payments: what a booking means in terms of the proxy's merchant API. Every call that moves
 * money carries a key made before the first try, so that sending a form twice charges once.
 */
import { isProblemError } from '@innkeep/core/errors';
import type {
  Charge,
  ChargeReason,
  CheckoutSession,
  CreateCard,
  CreatedCheckoutSession,
  CreateReversal,
  MerchantClient,
  Reversal,
  SessionResolution,
} from '@innkeep/core/merchant';
import { type Booking, dueNow, type KeyedCard, type Price } from './booking/booking.ts';
import type { Bookings } from './booking/bookings.ts';
import { brandOf } from './booking/card-brand.ts';
import { formatNights } from './booking/format.ts';
import { holdUntil } from './booking/hotel-time.ts';

/** The part of the merchant client that the demo hotel uses. */
export interface DemoMerchant extends Pick<MerchantClient, 'checkoutSessions' | 'charges' | 'reversals' | 'gateway'> {
  /** Made with a key of its own that does nothing else; null where the proxy takes no keyed-in cards. */
  readonly cards: MerchantClient['cards'] | null;
}

/** A card that the hotel may charge. */
export interface StoredCard {
  readonly brand: string;
  readonly maskedCard: string;
  /** `YYYY-MM-DD…`, as the payment service says it. */
  readonly expires: string | null;
  readonly from: 'guest' | 'desk';
  /** RFC 3339. */
  readonly since: string | null;
}

/** Everything the front desk knows about the money of one booking. */
export interface Account {
  readonly session: CheckoutSession | null;
  readonly card: StoredCard | null;
  readonly charges: readonly Charge[];
  readonly reversals: readonly Reversal[];
}

/** What a charge is for. */
export interface ChargeOrder {
  readonly amount: Price;
  readonly reason: ChargeReason;
  readonly text: string;
  readonly key: string;
}

// Refusals whose resource is the operation that the same key, or the same order, has made already.
const NAMES_THE_OPERATION: ReadonlySet<string> = new Set([
  'idempotency_in_progress',
  'idempotency_mismatch',
  'possible_duplicate',
]);

/** Payments of the demo hotel's bookings. */
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

  /** Whether staff can key in a card here. */
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

  async readAccount(booking: Booking): Promise<Account> {
    const [session, charges, reversals] = await Promise.all([
      this.readSession(booking),
      Promise.all(booking.chargeIds.map((id) => this.#merchant.charges.retrieve(id))),
      Promise.all(booking.reversalIds.map((id) => this.#merchant.reversals.retrieve(id))),
    ]);
    return { session, card: storedCard(booking, session), charges, reversals };
  }

  /** Looks at the payment service now instead of waiting for the proxy's next look. */
  async lookAgain(booking: Booking): Promise<void> {
    if (booking.checkout !== null) await this.#merchant.checkoutSessions.refresh(booking.checkout.sessionId);
  }

  /** A link and QR code that pay the booking's session from any phone. */
  async createLink(booking: Booking): Promise<{ url: string; qrUrl: string; expiresAt: string } | null> {
    if (booking.checkout === null) return null;
    return this.#merchant.checkoutSessions.createLink(booking.checkout.sessionId);
  }

  /** Turns a card that staff keyed in into a token. The number is not kept, not even when this fails. */
  async keyInCard(card: CreateCard): Promise<KeyedCard> {
    if (this.#merchant.cards === null) throw new Error('This hotel takes no keyed-in cards.');
    const { token, maskedCard, tokenExpiry } = await this.#merchant.cards.create(card);
    return { token, maskedCard, expires: tokenExpiry };
  }

  /** Charges the booking's card. A guest's token is read when it is needed and kept nowhere here. */
  async chargeCard(booking: Booking, { amount, reason, text, key }: ChargeOrder): Promise<Charge | null> {
    const keyed = booking.keyedCard;
    const token = keyed === null ? tokenOf(await this.readSession(booking)) : keyed.token;
    if (token === undefined) return null;
    const charge = await this.#learningIds(booking, () =>
      this.#merchant.charges.create(
        {
          token,
          tokenFrom: keyed === null ? 'hosted' : 'moto',
          amount,
          reference: booking.reference,
          reason,
          ...(text === '' ? {} : { text }),
        },
        { idempotencyKey: key },
      ),
    );
    this.#bookings.addCharge(booking.id, charge.id);
    return charge;
  }

  /** Gives money back; without an amount, all that is left. */
  async reverse(booking: Booking, { key, ...order }: CreateReversal & { key: string }): Promise<Reversal> {
    const reversal = await this.#learningIds(booking, () =>
      this.#merchant.reversals.create(order, { idempotencyKey: key }),
    );
    this.#bookings.addReversal(booking.id, reversal.id);
    return reversal;
  }

  /** Ends an unknown outcome with what the front desk found out. */
  async resolve(id: string, { attempt, ...resolution }: SessionResolution): Promise<void> {
    if (id.startsWith('ch_')) await this.#merchant.charges.resolve(id, resolution);
    else if (id.startsWith('rv_')) await this.#merchant.reversals.resolve(id, resolution);
    else {
      const body = attempt === undefined ? resolution : { ...resolution, attempt };
      await this.#merchant.checkoutSessions.resolve(id, body);
    }
  }

  /** A refusal can name an operation whose answer got lost on the way here. From then on the booking knows it. */
  async #learningIds<Resource>(booking: Booking, call: () => Promise<Resource>): Promise<Resource> {
    try {
      return await call();
    } catch (error) {
      const id = isProblemError(error) && NAMES_THE_OPERATION.has(error.code) ? (error.resource ?? '') : '';
      if (id.startsWith('ch_')) this.#bookings.addCharge(booking.id, id);
      if (id.startsWith('rv_')) this.#bookings.addReversal(booking.id, id);
      throw error;
    }
  }
}

function storedCard(booking: Booking, session: CheckoutSession | null): StoredCard | null {
  if (booking.keyedCard !== null) {
    const { maskedCard, expires } = booking.keyedCard;
    return { brand: brandOf(maskedCard), maskedCard, expires, from: 'desk', since: booking.createdAt };
  }
  if (tokenOf(session) === undefined || session?.result == null || !('token' in session.result)) return null;
  const maskedCard = session.result.maskedCard ?? '';
  return {
    brand: brandOf(maskedCard),
    maskedCard,
    expires: session.result.tokenValidUntil,
    from: 'guest',
    since: session.completedAt,
  };
}

function tokenOf(session: CheckoutSession | null): string | undefined {
  return session?.result != null && 'token' in session.result ? (session.result.token ?? undefined) : undefined;
}
