/** A hotel’s payments as staff read them: a line per payment over sessions, charges and reversals. */
import * as v from 'valibot';
import { CARD_BRANDS } from '../values/card-brand.ts';
import { AuthorSchema } from './author.ts';
import { component, type OutputOf, openPicklist, type TypeOf, type WithShared } from './component.ts';
import { AttemptNumberSchema, CountSchema, idOf, RedactedAtSchema, TimestampSchema } from './fields.ts';
import { type Page, pageOf } from './list.ts';
import { MoneySchema } from './money.ts';

/** States of a payment. A charge or a reversal that was made and has no outcome yet is `pending`. */
export const PAYMENT_STATUSES = [
  'open',
  'pending',
  'succeeded',
  'partly_reversed',
  'reversed',
  'declined',
  'failed',
  'unknown',
  'expired',
] as const;

/** State of a payment. `unknown` means that money may have moved; it is never a failure. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** State of a payment. */
export const PaymentStatusSchema = component('PaymentStatus', v.picklist(PAYMENT_STATUSES), {
  description:
    'State of a payment. A charge or a reversal without an outcome is `pending`. `unknown`: money may have moved; look it up, never repeat it.',
});

/** What a line can be about: a payment, a card that is to be charged later, or a reversal that stands alone. */
export const PAYMENT_LINE_KINDS = ['payment', 'card', 'reversal'] as const;

/** What a line is about. */
export type PaymentLineKind = (typeof PAYMENT_LINE_KINDS)[number];

/** What a payment can come from. */
export const PAYMENT_TYPES = ['checkout_session', 'charge'] as const;

/** What a payment comes from. */
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** What a person should look at. */
export const PAYMENT_FLAGS = [
  /** Nobody knows whether money moved. */
  'unknown',
  /** It was paid after it had been reported as not paid. */
  'late',
  /** Another payment has the same reference, or the same session was paid twice, and neither was refunded. */
  'duplicate',
] as const;

/** What a person should look at. */
export type PaymentFlag = (typeof PAYMENT_FLAGS)[number];

const paymentCard = v.object({
  /** Null when its first digits do not tell. */
  brand: v.nullable(v.picklist(CARD_BRANDS)),
  /** Last four digits; null when they are not known. */
  last4: v.nullable(v.string()),
  /** Until when a stored card can be charged here, RFC 3339 UTC; null for a card that is not stored, or no longer. */
  chargeableUntil: v.nullable(TimestampSchema),
});

export interface PaymentCardType extends TypeOf<typeof paymentCard> {}

/** A card, as far as it may be shown. */
export const PaymentCardSchema: PaymentCardType = component('PaymentCard', paymentCard, {
  description: 'A card, as far as it may be shown.',
});

/** A card, as far as it may be shown. @interface */
export type PaymentCard = v.InferOutput<typeof PaymentCardSchema>;

/** Nothing of it yet. */
export const NO_MONEY = { value: 0, currency: 'EUR' } as const;
/** A card for the examples. */
export const CARD_EXAMPLE: PaymentCard = { brand: 'visa', last4: '4242', chargeableUntil: null };

/** What a line and a payment have in common. */
export const commonEntries = {
  /** What it comes from; for a reversal, what its payment comes from. */
  type: v.picklist(PAYMENT_TYPES),
  /** State of the payment. `unknown` means that money may have moved; it is never a failure. */
  status: PaymentStatusSchema,
  /** False while another outcome can still arrive. */
  final: v.boolean(),
  /** Whether real money moves. */
  livemode: v.boolean(),
  /** Reservation reference; null once it was redacted. */
  reference: v.nullable(v.string()),
  /** What it is for, in the hotel’s words; null for a charge, when it has none, and once it was redacted. */
  description: v.nullable(v.string()),
  /** Amount asked for; for a reversal, to be refunded. Null for a card that is to be stored. */
  amount: v.nullable(MoneySchema),
  /** Money taken, surcharge included; null while there is none, and for a reversal. */
  taken: v.nullable(MoneySchema),
  /** Money refunded for certain; null while nothing was taken. */
  reversed: v.nullable(MoneySchema),
  /** Money being refunded, or whose refund is unknown; null while nothing was taken. */
  reversing: v.nullable(MoneySchema),
  /** What is left to refund; null while nothing was taken. */
  reversible: v.nullable(MoneySchema),
  /** Null while no card is known. */
  card: v.nullable(PaymentCardSchema),
  /** Who made it. */
  by: AuthorSchema,
  /** When it was made, RFC 3339 UTC. */
  createdAt: TimestampSchema,
  /** When the guest first went to the hosted page; null until then, and for a charge. */
  startedAt: v.nullable(TimestampSchema),
  /** When the money was taken, or the card stored, or a reversal succeeded; null until then. */
  paidAt: v.nullable(TimestampSchema),
  /** Until when a session can be started; null for anything else. */
  expiresAt: v.nullable(TimestampSchema),
  /**
   * What a person should look at. `unknown`: nobody knows whether money moved. `late`: paid after it had been reported as not paid.
   * `duplicate`: another payment has the same reference, or the same session was paid twice, and neither was refunded.
   */
  flags: v.array(openPicklist(PAYMENT_FLAGS)),
  /** When what names a person was erased. Absent until then. */
  redactedAt: RedactedAtSchema,
} as const;

/** What a line and a payment have in common. */
export type PaymentFields = OutputOf<typeof commonEntries>;

const NO_FLAGS: PaymentFlag[] = [];
/** What the examples of both have in common. */
export const COMMON_EXAMPLE = {
  type: 'checkout_session',
  status: 'partly_reversed',
  final: true,
  livemode: true,
  reference: 'RES-1234',
  description: 'Lake Room, 2 nights',
  amount: { value: 33_000, currency: 'EUR' },
  taken: { value: 33_000, currency: 'EUR' },
  reversed: { value: 2_000, currency: 'EUR' },
  reversing: NO_MONEY,
  reversible: { value: 31_000, currency: 'EUR' },
  card: CARD_EXAMPLE,
  by: { key: 'web', person: null, via: 'key' },
  createdAt: '2026-09-01T10:00:00.000Z',
  startedAt: '2026-09-01T10:02:11.000Z',
  paidAt: '2026-09-01T10:04:37.000Z',
  expiresAt: '2026-09-01T10:30:00.000Z',
  flags: NO_FLAGS,
} as const;

const LINE_EXAMPLE = {
  object: 'payment_line',
  kind: 'payment',
  id: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  attempt: 1,
  payment: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  ...COMMON_EXAMPLE,
  happenedAt: '2026-09-01T10:04:37.000Z',
  counted: { taken: { value: 33_000, currency: 'EUR' }, reversed: { value: 2_000, currency: 'EUR' } },
} as const;

/** A line of the list of payments. */
export const PaymentLineSchema = component(
  'PaymentLine',
  v.object({
    /** Kind of resource. */
    object: v.literal('payment_line'),
    /** `card`: a card that is to be charged later. `reversal`: a reversal that stands alone. */
    kind: v.picklist(PAYMENT_LINE_KINDS),
    /** `cs_…` or `ch_…`; `rv_…` for a reversal. No other line has the same id and `attempt`. */
    id: v.union([idOf('cs'), idOf('ch'), idOf('rv')]),
    /** Number of the session’s attempt; null for a session that was not paid, and for a charge. A session that was paid twice has two lines. */
    attempt: v.nullable(AttemptNumberSchema),
    /** `cs_…` or `ch_…`: the payment itself, or the one that a reversal refunds. */
    payment: v.union([idOf('cs'), idOf('ch')]),
    ...commonEntries,
    /** The instant by which lines are sorted: `paidAt`, or `createdAt` if it was not paid. */
    happenedAt: TimestampSchema,
    /**
     * What the line adds to the totals of the range: what was taken and what was refunded in it. Null without money, and when `livemode`
     * is not that of the hotel.
     */
    counted: v.nullable(
      v.object({
        /** What was taken in the range. */
        taken: MoneySchema,
        /** What was refunded in the range. */
        reversed: MoneySchema,
      }),
    ),
  }),
  {
    description: 'A line of the list of payments: a payment, a stored card, or a reversal that stands alone.',
    example: LINE_EXAMPLE,
  },
);

/** A line of the list of payments. @interface */
export type PaymentLine = v.InferOutput<typeof PaymentLineSchema>;

/** What was taken and refunded in a range, in one currency. */
export const PaymentTotalsSchema = component(
  'PaymentTotals',
  v.object({
    /** ISO 4217 alphabetic code. */
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    /** How many payments were taken. */
    payments: CountSchema,
    /** Minor units taken. */
    taken: CountSchema,
    /** How many times something was refunded. */
    reversals: CountSchema,
    /** Minor units refunded. */
    reversed: CountSchema,
    /** `taken` less `reversed`; may be below zero. */
    net: v.pipe(v.number(), v.safeInteger()),
  }),
  {
    description: 'What was taken and refunded for certain in a range, in one currency, in its minor units.',
    example: { currency: 'EUR', payments: 12, taken: 412_000, reversals: 1, reversed: 2_000, net: 410_000 },
  },
);

/** What was taken and refunded in a range, in one currency. @interface */
export type PaymentTotals = v.InferOutput<typeof PaymentTotalsSchema>;

const DaySchema = v.pipe(v.string(), v.isoDate());

/** Answer of `GET /v1/payments`. */
export const PaymentListSchema = component(
  'PaymentList',
  v.object({
    ...pageOf(PaymentLineSchema).entries,
    /**
     * By currency, whatever the status asked for, with the first page; null with a later one, for a range of more than 31 days, for an
     * open one, and for a search. Only of payments whose `livemode` is that of the hotel.
     */
    totals: v.nullable(v.array(PaymentTotalsSchema)),
    /** Position of the hotel’s event feed when this was read: follow `GET /v1/events?after=…` from here. */
    position: CountSchema,
    /** The hotel’s days. */
    days: v.object({
      /** IANA name of the hotel’s time zone. */
      timeZone: v.string(),
      /** When its days begin, such as `04:00`. */
      dayStartsAt: v.string(),
      /** Its day now. */
      today: DaySchema,
      /** When the range begins, included; null when it is open, and for a search. */
      from: v.nullable(TimestampSchema),
      /** When the range ends, not included; null when it is open, and for a search. */
      to: v.nullable(TimestampSchema),
    }),
  }),
  {
    description:
      'A page of payments, the newest first. A page may have fewer lines than `limit` and lead on: go on while there is a cursor.',
    example: {
      object: 'list',
      data: [LINE_EXAMPLE],
      nextCursor: null,
      totals: [{ currency: 'EUR', payments: 1, taken: 33_000, reversals: 1, reversed: 2_000, net: 31_000 }],
      position: 42,
      days: {
        timeZone: 'Europe/Vienna',
        dayStartsAt: '04:00',
        today: '2026-09-01',
        from: '2026-09-01T02:00:00.000Z',
        to: '2026-09-02T02:00:00.000Z',
      },
    },
  },
);

/** A page of payments. @interface */
export type PaymentPage = WithShared<v.InferOutput<typeof PaymentListSchema>, Page<PaymentLine>>;
