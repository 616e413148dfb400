/** The hotel's side of the proxy: one hotel, by its own key or by a platform's. */
import type { AuditEntry, ListAudit } from '../contract/audit.ts';
import type { Card, CreateCard } from '../contract/card.ts';
import type { Charge, CreateCharge } from '../contract/charge.ts';
import type { ClientSecret, CreateClientSecret, PaymentLink } from '../contract/checkout-access.ts';
import type { CheckoutSession, CreateCheckoutSession, CreatedCheckoutSession } from '../contract/checkout-session.ts';
import type { CheckoutStatus } from '../contract/checkout-status.ts';
import type {
  CreateDeskPage,
  CreateDeskSession,
  CreatedDeskPage,
  CreatedDeskSession,
  DeskSession,
  ListDeskSessions,
} from '../contract/desk-session.ts';
import type { WebhookEvent } from '../contract/event.ts';
import type { ExportRange, ListQuery } from '../contract/list.ts';
import type { MoneyOperationStatus } from '../contract/money-operation.ts';
import type { PaymentLine, PaymentPage } from '../contract/payment.ts';
import type { Payment } from '../contract/payment-details.ts';
import type { ListPayments, PaymentsCsv } from '../contract/payment-query.ts';
import type { PropertyStatus } from '../contract/property-status.ts';
import type { Resolution, SessionResolution } from '../contract/resolution.ts';
import type { CreateReversal, Reversal } from '../contract/reversal.ts';
import type { WebhookEndpointList } from '../contract/webhook-endpoint.ts';
import type { RawBody } from '../transport/exchange.ts';
import type { EventFeed } from './events.ts';
import type { List } from './list.ts';
import type { MerchantCallOptions } from './merchant-transport.ts';

/** Settings of a call that makes something once, however often it is sent. */
export interface IdempotentCallOptions extends MerchantCallOptions {
  /** 1 to 255 visible ASCII characters; keep it with the booking before the first try. */
  idempotencyKey: string;
}

/** What can be done with charges, and with reversals. */
export interface MoneyOperations<Body, Resource> {
  /**
   * Charges a card, or refunds money. A decline is a resource with status `declined`, not an error. After `network`, `timeout`,
   * `invalid_response`, `upstream_status`, `idempotency_in_progress`, any status of 500 or more, or an abort call it again with the same
   * key: that never does it twice.
   *
   * @throws {@link MerchantError}, such as `possible_duplicate`; `network`, `timeout`, `invalid_response`, `upstream_status`,
   * `invalid_input`
   */
  create(body: Body, options: IdempotentCallOptions): Promise<Resource>;
  /** Reads one of them. @throws {@link MerchantError} */
  retrieve(id: string, options?: MerchantCallOptions): Promise<Resource>;
  /** Newest first, by the page or all of them. @throws {@link MerchantError} */
  list(query?: ListQuery<MoneyOperationStatus>, options?: MerchantCallOptions): List<Resource>;
  /** Records how an unknown one ended. @throws {@link MerchantError} */
  resolve(id: string, body: Resolution, options?: MerchantCallOptions): Promise<Resource>;
  /** Erases for good what names a person in a final one. Needs the scope `redact`. @throws {@link MerchantError} */
  redact(id: string, options?: MerchantCallOptions): Promise<Resource>;
}

/** Filter and place of a list of sessions; or the idempotency key of one session, which is in the list at once. */
export type ListCheckoutSessions =
  | (ListQuery<CheckoutStatus> & { idempotencyKey?: undefined })
  | ({
      /** Only the session that was made with this key. */
      idempotencyKey: string;
    } & { [Name in keyof ListQuery<CheckoutStatus>]?: undefined });

/** Client of the proxy's merchant API. Besides what a method names, each throws `network`, `timeout`, `invalid_response` and `upstream_status`. */
export interface MerchantClient {
  /** What a guest is to pay, or a card that is to be stored: made here, paid on a hosted page. */
  checkoutSessions: {
    /**
     * Makes a session. Retried only with an `idempotencyKey`, which stands for this one session, even once it has expired. For a booking's
     * page use `ensure`, whose keys are apart: the same text there is another session.
     *
     * @throws {@link MerchantError}
     */
    create(body: CreateCheckoutSession, options?: Partial<IdempotentCallOptions>): Promise<CreatedCheckoutSession>;
    /**
     * Finds or makes the one session of a booking, to be called whenever its page is shown: the same key has the same session
     * and the same client secret, on every server and in every tab. Another amount or text reaches the next attempt, never a
     * guest who is paying: `outdated` says so. An expired one is reopened. Safe to repeat after any failure.
     *
     * @throws {@link MerchantError}, `invalid_input`
     * @param key - what is to be paid once, such as `RES-1234-deposit`: 1 to 200 of `A-Z a-z 0-9 _ : -`, never of something
     * that changes. Two keys are two payments.
     *
     * @example
     * ```ts
     * import { createMerchantClient } from '@innkeep/core/merchant';
     *
     * const merchant = createMerchantClient({ endpoint: 'https://pay.hotel.example', secretKey: 'sk_…' });
     * const { status, clientSecret } = await merchant.checkoutSessions.ensure('RES-1234', {
     *   kind: 'payment',
     *   amount: { value: 33000, currency: 'EUR' },
     *   reference: 'RES-1234',
     *   returnUrl: 'https://hotel.example/bookings/RES-1234/paid',
     * });
     * console.log(status, clientSecret.length);
     * ```
     */
    ensure(key: string, body: CreateCheckoutSession, options?: MerchantCallOptions): Promise<CreatedCheckoutSession>;
    /** Reads the session of a key. @throws {@link MerchantError} */
    retrieveByKey(key: string, options?: MerchantCallOptions): Promise<CheckoutSession>;
    /** Reads one session. @throws {@link MerchantError} */
    retrieve(id: string, options?: MerchantCallOptions): Promise<CheckoutSession>;
    /** Newest first, by the page or all of them. @throws {@link MerchantError} */
    list(query?: ListCheckoutSessions, options?: MerchantCallOptions): List<CheckoutSession>;
    /** Ends an open session that nobody is paying. @throws {@link MerchantError} */
    expire(id: string, options?: MerchantCallOptions): Promise<CheckoutSession>;
    /** Polls the payment service now; answers within two seconds. @throws {@link MerchantError} */
    refresh(id: string, options?: MerchantCallOptions): Promise<CheckoutSession>;
    /** Records how an attempt with an unknown outcome ended. @throws {@link MerchantError} */
    resolve(id: string, body: SessionResolution, options?: MerchantCallOptions): Promise<CheckoutSession>;
    /**
     * The client secret, for a return page or another device: the one that `create` returned. `rotate` ends it and
     * makes a new one. Retried only with an `idempotencyKey`.
     *
     * @throws {@link MerchantError}
     */
    createClientSecret(
      id: string,
      body?: CreateClientSecret,
      options?: Partial<IdempotentCallOptions>,
    ): Promise<ClientSecret>;
    /**
     * A link and a QR code that pay the session without a page of the hotel. Retried only with an `idempotencyKey`, which returns the same
     * link, even once it was revoked.
     *
     * @throws {@link MerchantError}
     */
    createLink(id: string, options?: Partial<IdempotentCallOptions>): Promise<PaymentLink>;
    /** Revokes every link of the session. A hosted page that is open can still be paid. @throws {@link MerchantError} */
    revokeLinks(id: string, options?: MerchantCallOptions): Promise<CheckoutSession>;
    /**
     * Erases for good what names a person in a session that is final, and in its reversals; a stored card's token, too. The money
     * can still be refunded. Needs the scope `redact`.
     *
     * @throws {@link MerchantError}
     */
    redact(id: string, options?: MerchantCallOptions): Promise<CheckoutSession>;
  };
  /** Charges of stored cards. */
  charges: MoneyOperations<CreateCharge, Charge>;
  /** Money refunded, of hosted payments and of charges. */
  reversals: MoneyOperations<CreateReversal, Reversal>;
  /** Payments as staff read them, over sessions, charges and reversals, by the days of the hotel. Needs the scope `read`. */
  payments: {
    /**
     * Newest first, by the page or all of them; with `q` the best match first, at most 50. A page may have fewer lines than `limit`
     * although more follow. The first page has the totals of the range.
     *
     * @throws {@link MerchantError}
     *
     * @example
     * ```ts
     * import { createMerchantClient } from '@innkeep/core/merchant';
     *
     * const merchant = createMerchantClient({ endpoint: 'https://pay.hotel.example', secretKey: 'sk_…' });
     * const { data, totals, position } = await merchant.payments.list({ day: 'today' });
     * console.log(data.length, totals?.[0]?.net);
     * // What changes from here on, as it happens:
     * for await (const event of merchant.events.follow({ after: position })) console.log(event.type);
     * ```
     */
    list(query?: ListPayments, options?: MerchantCallOptions): List<PaymentLine, PaymentPage>;
    /** A session or a charge as staff read it: attempts, reversals, authors. @throws {@link MerchantError} */
    retrieve(id: string, options?: MerchantCallOptions): Promise<Payment>;
    /**
     * The lines of a range as CSV with a header row: of a `day`, or `from` one day `to` another, which is not included, at most a year
     * apart. Up to 64 MiB, and within `timeoutMs`.
     *
     * @throws {@link MerchantError}, `invalid_input`
     */
    csv(query: PaymentsCsv, options?: MerchantCallOptions): Promise<string>;
  };
  /** Cards that staff key in, in the MOTO build. Needs the scope `moto`. */
  cards: {
    /** Makes a token from card data. Never retried. @throws {@link MerchantError} */
    create(body: CreateCard, options?: MerchantCallOptions): Promise<Card>;
  };
  /** Messages to the property-management gateway. Needs the scope `gateway`. */
  gateway: {
    /**
     * Sends one body through the proxy's gateway and returns the gateway's own bytes. Never retried.
     *
     * @throws {@link MerchantError}
     */
    send(protocol: string, method: string, body: RawBody, options?: MerchantCallOptions): Promise<RawBody>;
  };
  /** The feed of events, which webhooks deliver as well. */
  events: EventFeed<WebhookEvent> & {
    /** Sends an event to the webhooks again. @throws {@link MerchantError} */
    redeliver(id: string, options?: MerchantCallOptions): Promise<void>;
  };
  /** What people at a reception may do from a page of yours. Needs the scope `desk`, and those of each feature. */
  deskSessions: {
    /**
     * Makes one, after your back office has signed the person in. Its `clientSecret` is shown only once: give it to the page. Never retried.
     *
     * @throws {@link MerchantError}
     */
    create(body: CreateDeskSession, options?: MerchantCallOptions): Promise<CreatedDeskSession>;
    /**
     * Makes one for the proxy's own page. Its `url` is shown only once: give it to the person, who opens it once, within a minute.
     *
     * @throws {@link MerchantError}
     */
    create(body: CreateDeskPage, options?: MerchantCallOptions): Promise<CreatedDeskPage>;
    /** Newest first, by the page or all of them. @throws {@link MerchantError} */
    list(query?: ListDeskSessions, options?: MerchantCallOptions): List<DeskSession>;
    /** Ends one at once. Repeating it changes nothing. @throws {@link MerchantError} */
    revoke(id: string, options?: MerchantCallOptions): Promise<DeskSession>;
  };
  /** Where events are sent. */
  webhookEndpoints: {
    /** Reads how each webhook endpoint is doing. Needs the scope `events` or `read`. @throws {@link MerchantError} */
    list(options?: MerchantCallOptions): List<WebhookEndpointList['data'][number], WebhookEndpointList>;
  };
  /**
   * Reads how the hotel is doing: what is uncertain, what waits, how full its ledger is. Needs the scope `events` or `read`.
   *
   * @throws {@link MerchantError}
   */
  status(options?: MerchantCallOptions): Promise<PropertyStatus>;
  /** Who did what: every write that moves money or decides, reads of tokens and exports. Needs the scope `audit`. */
  audit: {
    /** Newest first, by the page or all of it. A page may be empty although more follow. @throws {@link MerchantError} */
    list(query?: ListAudit, options?: MerchantCallOptions): List<AuditEntry>;
    /**
     * The audit of a range as CSV with a header row, oldest entry first. Days and instants are UTC, `to` is not included, and they
     * are at most a year apart.
     *
     * @throws {@link MerchantError}, `invalid_input`
     */
    csv(range: { from: string; to: string }, options?: MerchantCallOptions): Promise<string>;
  };
  /** Files for bookkeeping. */
  exports: {
    /**
     * Payments, charges and reversals created or completed in the range, as CSV with a header row, for comparing with
     * the acquirer's statement. Needs the scope `read`. Up to 64 MiB, and within `timeoutMs`: take a month rather than a year.
     *
     * @throws {@link MerchantError}, `invalid_input`
     */
    csv(range: ExportRange, options?: MerchantCallOptions): Promise<string>;
  };
}
