/**
 * The hotel server's side of payments: what a booking means in terms of the proxy's merchant API. Every call that moves
 * money carries a key made before the first try, so that sending a form twice charges once.
 */
import type {
  Charge,
  ChargeReason,
  CheckoutSession,
  MerchantClient,
  Resolution,
  Reversal,
} from '@innkeep/core/merchant';
import { type Booking, dueNow, type Price } from './booking/booking.ts';
import type { Bookings } from './booking/bookings.ts';
import { formatNights } from './booking/format.ts';

/** The part of the merchant client that the demo hotel uses. */
export type DemoMerchant = Pick<MerchantClient, 'checkoutSessions' | 'charges' | 'reversals' | 'gateway'>;

/** Everything the front desk knows about the money of one booking. */
export interface Account {
  readonly session: CheckoutSession | null;
  readonly charges: readonly Charge[];
  readonly reversals: readonly Reversal[];
}

/** Payments of the demo hotel's bookings. */
export class Payments {
  readonly #merchant: DemoMerchant;
  readonly #bookings: Bookings;
  readonly #publicUrl: string;

  constructor(dependencies: { merchant: DemoMerchant; bookings: Bookings; publicUrl: string }) {
    this.#merchant = dependencies.merchant;
    this.#bookings = dependencies.bookings;
    this.#publicUrl = dependencies.publicUrl;
  }

  /** Creates the checkout session of a booking. Amount and reference come from here, never from the page. */
  async startCheckout(booking: Booking): Promise<void> {
    const amount = dueNow(booking);
    const session = await this.#merchant.checkoutSessions.create({
      ...(amount === null ? { kind: 'card' as const } : { kind: 'payment' as const, amount, surcharge: true }),
      reference: booking.reference,
      description: `${booking.room.name}, ${formatNights(booking.nights)}`,
      returnUrl: `${this.#publicUrl}/bookings/${booking.id}/confirmation`,
      expiresInSeconds: 24 * 60 * 60,
    });
    if (session.clientSecret === undefined) throw new Error('The proxy created a session without a client secret.');
    this.#bookings.setCheckout(booking.id, { sessionId: session.id, clientSecret: session.clientSecret });
  }

  /** Another try, only once the last one is known to have ended without money moving. */
  async retryCheckout(booking: Booking): Promise<void> {
    const session = await this.readSession(booking);
    if (session === null || (session.final && session.status !== 'succeeded')) await this.startCheckout(booking);
  }

  async readSession(booking: Booking): Promise<CheckoutSession | null> {
    return booking.checkout === null ? null : this.#merchant.checkoutSessions.retrieve(booking.checkout.sessionId);
  }

  async readAccount(booking: Booking): Promise<Account> {
    const [session, charges, reversals] = await Promise.all([
      this.readSession(booking),
      Promise.all(booking.chargeIds.map((id) => this.#merchant.charges.retrieve(id))),
      Promise.all(booking.reversalIds.map((id) => this.#merchant.reversals.retrieve(id))),
    ]);
    return { session, charges, reversals };
  }

  /** A link and QR code that pay the booking's session from any phone. */
  async createLink(booking: Booking): Promise<{ url: string; qrUrl: string; expiresAt: string } | null> {
    if (booking.checkout === null) return null;
    return this.#merchant.checkoutSessions.createLink(booking.checkout.sessionId);
  }

  /** Charges the card the guest left. The token is read when it is needed and kept nowhere here. */
  async chargeCard(
    booking: Booking,
    order: { amount: Price; reason: ChargeReason; key: string },
  ): Promise<Charge | null> {
    const session = await this.readSession(booking);
    const token = session?.result != null && 'token' in session.result ? session.result.token : undefined;
    if (token === undefined) return null;
    const charge = await this.#merchant.charges.create(
      { token, amount: order.amount, reference: booking.reference, reason: order.reason },
      { idempotencyKey: order.key },
    );
    this.#bookings.addCharge(booking.id, charge.id);
    return charge;
  }

  /** Gives money back; without an amount, all that is left. */
  async reverse(booking: Booking, order: { payment: string; amount?: Price; key: string }): Promise<Reversal> {
    const { payment, amount, key } = order;
    const body = amount === undefined ? { payment } : { payment, amount };
    const reversal = await this.#merchant.reversals.create(body, { idempotencyKey: key });
    this.#bookings.addReversal(booking.id, reversal.id);
    return reversal;
  }

  /** Ends an unknown outcome with what the front desk found out. */
  async resolve(id: string, resolution: Resolution): Promise<void> {
    if (id.startsWith('ch_')) await this.#merchant.charges.resolve(id, resolution);
    else if (id.startsWith('rv_')) await this.#merchant.reversals.resolve(id, resolution);
    else await this.#merchant.checkoutSessions.resolve(id, resolution);
  }

  /** Asks the property-management system who stays in a room. The answer is XML, as the system sends it. */
  async lookUpRoom(room: string): Promise<string> {
    const bytes = new TextEncoder().encode(
      new URLSearchParams({ transno: '1', roomreq: room, extraInfo: '', mandator: '1' }).toString(),
    );
    const answer = await this.#merchant.gateway.send('RMS', 'roomreq', {
      contentType: 'application/x-www-form-urlencoded',
      bytes,
    });
    return new TextDecoder('windows-1252').decode(answer.bytes);
  }
}
