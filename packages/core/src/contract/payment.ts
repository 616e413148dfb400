/** A hotel’s payments as staff read them: a line per payment over sessions, charges and reversals, and all that is known of one. */
import * as v from 'valibot';
import { CARD_BRANDS } from '../values/card-brand.ts';
import { isDate } from '../values/local-date-time.ts';
import { AUTHOR_EXAMPLE, AuthorSchema } from './author.ts';
import { ChargeReasonSchema } from './charge.ts';
import { CheckoutErrorSchema, RecordedFiguresSchema, SurchargeSchema } from './checkout-attempt.ts';
import { AttemptStatusSchema } from './checkout-status.ts';
import { component, openPicklist } from './component.ts';
import {
  AttemptNumberSchema,
  CountSchema,
  idOf,
  isHarmless,
  MAX_ATTEMPTS,
  RedactedAtSchema,
  TimestampSchema,
  textOrNothing,
} from './fields.ts';
import { LimitSchema, pageOf } from './list.ts';
import { MoneySchema } from './money.ts';
import { MoneyOperationErrorSchema } from './money-operation.ts';
import { RecordedResolutionSchema, RecordedSessionResolutionSchema } from './resolution.ts';
import { ReversalReasonSchema } from './reversal.ts';

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

/** A card, as far as it may be shown. */
export const PaymentCardSchema = component(
  'PaymentCard',
  v.object({
    /** Null when its first digits do not tell. */
    brand: v.nullable(v.picklist(CARD_BRANDS)),
    /** Last four digits; null when they are not known. */
    last4: v.nullable(v.string()),
    /** Until when a stored card can be charged here, RFC 3339 UTC; null for a card that is not stored, or no longer. */
    chargeableUntil: v.nullable(TimestampSchema),
  }),
  { description: 'A card, as far as it may be shown.' },
);

/** A card, as far as it may be shown. @interface */
export type PaymentCard = v.InferOutput<typeof PaymentCardSchema>;

const NO_MONEY = { value: 0, currency: 'EUR' } as const;
const CARD_EXAMPLE: PaymentCard = { brand: 'visa', last4: '4242', chargeableUntil: null };

/** What a line and a payment have in common. */
const commonEntries = {
  /** What it comes from; of a reversal, what its payment comes from. */
  type: v.picklist(PAYMENT_TYPES),
  status: PaymentStatusSchema,
  /** False while another outcome can still arrive. */
  final: v.boolean(),
  /** Whether real money moves. */
  livemode: v.boolean(),
  /** Reservation reference; null once it was redacted. */
  reference: v.nullable(v.string()),
  /** What it is for, in the hotel’s words; null for a charge. */
  description: v.nullable(v.string()),
  /** Amount asked for; of a reversal, to be refunded. Null for a card that is to be stored. */
  amount: v.nullable(MoneySchema),
  /** Money taken, surcharge included; null while there is none, and of a reversal. */
  taken: v.nullable(MoneySchema),
  /** Money refunded for certain; null while nothing was taken. */
  reversed: v.nullable(MoneySchema),
  /** Money being refunded, or of which nobody knows; null while nothing was taken. */
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
  /** What a person should look at. */
  flags: v.array(openPicklist(PAYMENT_FLAGS)),
  redactedAt: RedactedAtSchema,
};

const NO_FLAGS: PaymentFlag[] = [];
const COMMON_EXAMPLE = {
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
    /** `card`: a card that is to be charged later. `reversal`: money refunded of a payment that is not in the range. */
    kind: v.picklist(PAYMENT_LINE_KINDS),
    /** `cs_…` or `ch_…`; `rv_…` of a reversal. With `attempt` it is different from that of any other line. */
    id: v.union([idOf('cs'), idOf('ch'), idOf('rv')]),
    /** Number of the session’s attempt; null for a session that was not paid, and for a charge. A session that was paid twice has two lines. */
    attempt: v.nullable(AttemptNumberSchema),
    /** `cs_…` or `ch_…`: the payment itself, or the one that a reversal refunds. */
    payment: v.union([idOf('cs'), idOf('ch')]),
    ...commonEntries,
    /** The instant by which lines are sorted: `paidAt`, or `createdAt` of what was not paid. */
    happenedAt: TimestampSchema,
    /** What the line adds to the totals of the range: what was taken and what was refunded in it. Null without money. */
    counted: v.nullable(v.object({ taken: MoneySchema, reversed: MoneySchema })),
  }),
  {
    description:
      'A line of the list of payments: a payment, a stored card, or a reversal of a payment that is not in the range.',
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
     * open one, and for a search.
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
export type PaymentPage = v.InferOutput<typeof PaymentListSchema>;

/** One attempt to pay, without what only the hotel’s server may read. */
export const PaymentAttemptSchema = component(
  'PaymentAttempt',
  v.object({
    /** 1, 2, 3 … in the order in which they began. */
    number: AttemptNumberSchema,
    status: AttemptStatusSchema,
    /** Why it ended without money, or is unknown; null otherwise. */
    error: v.nullable(CheckoutErrorSchema),
    /** Amount asked for; null for a card that is to be stored. */
    amount: v.nullable(MoneySchema),
    /** Money taken, surcharge included; null while there is none. */
    taken: v.nullable(MoneySchema),
    /** What the payment service added; null without. */
    surcharge: v.nullable(SurchargeSchema),
    /** Id at the payment service; null while there is none. */
    transactionId: v.nullable(v.string()),
    /** Null while no card is known. */
    card: v.nullable(PaymentCardSchema),
    /** When the hosted page was opened, RFC 3339 UTC. */
    startedAt: TimestampSchema,
    /** When its outcome was known, or when it was abandoned; null while it is pending or unknown. */
    endedAt: v.nullable(TimestampSchema),
    /** It succeeded after it had been reported as declined, canceled, failed or abandoned. */
    late: v.boolean(),
    /** What a record said that contradicts what was asked for; null when none did. */
    recorded: v.nullable(RecordedFiguresSchema),
    /** Who ended an uncertain outcome by hand, and why; null otherwise. */
    resolution: v.nullable(RecordedSessionResolutionSchema),
    /** Money refunded for certain; null while nothing was taken. */
    reversed: v.nullable(MoneySchema),
    /** Money being refunded, or of which nobody knows; null while nothing was taken. */
    reversing: v.nullable(MoneySchema),
    /** What is left to refund; null while nothing was taken. */
    reversible: v.nullable(MoneySchema),
  }),
  { description: 'One attempt to pay, or to store a card.' },
);

/** One attempt to pay. @interface */
export type PaymentAttempt = v.InferOutput<typeof PaymentAttemptSchema>;

/** Money of a payment refunded, or to be. */
export const PaymentReversalSchema = component(
  'PaymentReversal',
  v.object({
    /** `rv_…`. */
    id: idOf('rv'),
    status: PaymentStatusSchema,
    /** False while another outcome can still arrive. */
    final: v.boolean(),
    /** Amount refunded. */
    amount: MoneySchema,
    /** Number of the attempt that it refunds; null for a charge. */
    attempt: v.nullable(AttemptNumberSchema),
    /** Why it was refunded; null when nobody said. */
    reason: v.nullable(ReversalReasonSchema),
    /** Why, in the caller’s words; null without. */
    note: v.nullable(v.string()),
    /** Id at the payment service; null while there is none. */
    transactionId: v.nullable(v.string()),
    /** Why it did not succeed; null otherwise. */
    error: v.nullable(MoneyOperationErrorSchema),
    /** Who ended an unknown outcome by hand, and why; null otherwise. */
    resolution: v.nullable(RecordedResolutionSchema),
    /** Who refunded it. */
    by: AuthorSchema,
    /** When it was made, RFC 3339 UTC. */
    createdAt: TimestampSchema,
    /** When its outcome was known; null until then. */
    completedAt: v.nullable(TimestampSchema),
  }),
  { description: 'Money of a payment refunded, or to be.' },
);

/** Money of a payment refunded, or to be. @interface */
export type PaymentReversal = v.InferOutput<typeof PaymentReversalSchema>;

/** All that staff read of one payment. */
export const PaymentSchema = component(
  'Payment',
  v.object({
    /** Kind of resource. */
    object: v.literal('payment'),
    /** `card`: a card that is to be charged later. */
    kind: v.picklist(['payment', 'card']),
    /** `cs_…` or `ch_…`. */
    id: v.union([idOf('cs'), idOf('ch')]),
    /** Id of the hotel at the proxy. */
    property: v.string(),
    ...commonEntries,
    /** Whether other terms were wanted while the guest was paying, or after; false for a charge. */
    outdated: v.boolean(),
    /** Why a card was charged; null for a session. */
    reason: v.nullable(ChargeReasonSchema),
    /** Why a card was charged, in the caller’s words; null without. */
    note: v.nullable(v.string()),
    /** Id of a charge at the payment service; null while there is none. Of a session its attempts have them. */
    transactionId: v.nullable(v.string()),
    /** Why a charge did not succeed; null otherwise. Of a session its attempts have it. */
    error: v.nullable(MoneyOperationErrorSchema),
    /** Who ended the unknown outcome of a charge by hand, and why; null otherwise. Of a session its attempts have it. */
    resolution: v.nullable(RecordedResolutionSchema),
    /** When the outcome of a charge was known; when a session was paid. Null until then. */
    completedAt: v.nullable(TimestampSchema),
    /** Every attempt of a session, in the order in which they began; none for a charge. */
    attempts: v.pipe(v.array(PaymentAttemptSchema), v.maxLength(MAX_ATTEMPTS)),
    /** All reversals, the oldest first. */
    reversals: v.array(PaymentReversalSchema),
    /** Ids of the other payments that make it a duplicate; the payment itself, when its session was paid twice. */
    duplicates: v.array(v.union([idOf('cs'), idOf('ch')])),
    /** Position of the hotel’s event feed when this was read. */
    position: CountSchema,
  }),
  {
    description:
      'All that staff read of one payment: without tokens, metadata and return addresses. As its lists have it, so it may be seconds behind.',
    example: {
      object: 'payment',
      kind: 'payment',
      id: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
      property: 'aurora',
      ...COMMON_EXAMPLE,
      outdated: false,
      reason: null,
      note: null,
      transactionId: null,
      error: null,
      resolution: null,
      completedAt: '2026-09-01T10:04:37.000Z',
      attempts: [
        {
          number: 1,
          status: 'succeeded',
          error: null,
          amount: { value: 33_000, currency: 'EUR' },
          taken: { value: 33_000, currency: 'EUR' },
          surcharge: null,
          transactionId: '4711',
          card: CARD_EXAMPLE,
          startedAt: '2026-09-01T10:02:11.000Z',
          endedAt: '2026-09-01T10:04:37.000Z',
          late: false,
          recorded: null,
          resolution: null,
          reversed: { value: 2_000, currency: 'EUR' },
          reversing: NO_MONEY,
          reversible: { value: 31_000, currency: 'EUR' },
        },
      ],
      reversals: [
        {
          id: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
          status: 'succeeded',
          final: true,
          amount: { value: 2_000, currency: 'EUR' },
          attempt: 1,
          reason: 'service',
          note: 'The sauna was closed',
          transactionId: '4713',
          error: null,
          resolution: null,
          by: AUTHOR_EXAMPLE,
          createdAt: '2026-09-01T16:00:00.000Z',
          completedAt: '2026-09-01T16:00:01.000Z',
        },
      ],
      duplicates: [],
      position: 42,
    },
  },
);

/** All that staff read of one payment. @interface */
export type Payment = v.InferOutput<typeof PaymentSchema>;

/** Not before this millennium, and not behind the next one. */
function isDay(text: string): boolean {
  return text.startsWith('2') && isDate(text);
}

// @__NO_SIDE_EFFECTS__
function day(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(description),
      v.examples(['2026-09-01']),
      v.check(isDay, 'Must be a day such as 2026-09-01'),
    ),
  );
}

const rangeEntries = {
  /** One day of the hotel, `YYYY-MM-DD`, or `today`. */
  day: v.optional(
    v.pipe(
      v.string(),
      v.description('One day of the hotel, or `today`. Instead of `from` and `to`.'),
      v.examples(['today']),
      v.check((text) => text === 'today' || isDay(text), 'Must be a day such as 2026-09-01, or today'),
    ),
  ),
  /** First day of the hotel, `YYYY-MM-DD`, included. */
  from: day('First day of the hotel, included.'),
  /** Last day of the hotel, `YYYY-MM-DD`, not included. */
  to: day('Last day of the hotel, not included.'),
  /** Only those in this state. */
  status: v.optional(PaymentStatusSchema),
  /** Only lines of this kind. */
  kind: v.optional(
    v.pipe(
      v.picklist(PAYMENT_LINE_KINDS),
      v.description(
        'Only lines of this kind. `reversal` lists every reversal, that of a payment in the same range, too.',
      ),
    ),
  ),
};

/** Query of `GET /v1/payments`: days, a status, a kind and a place in the list, or `q` alone. */
export const ListPaymentsSchema = v.strictObject({
  ...rangeEntries,
  /**
   * A reference or its beginning in any case, an amount as people write it, the last four digits of a card, or the id of a session or a
   * charge. Alone; at most 50 lines.
   */
  q: v.optional(
    v.pipe(
      textOrNothing(64),
      v.description(
        'A reference or its beginning in any case, an amount as people write it, the last four digits of a card, or an id. Alone; at most 50 lines.',
      ),
      v.examples(['res-12', '330,00', '4242']),
      v.check((text) => text.trim() !== '', 'Must not be empty'),
      v.check(isHarmless, 'Must not hold a card number: search for its last four digits'),
    ),
  ),
  limit: LimitSchema,
  /** `nextCursor` of the page before. */
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200), v.description('`nextCursor` of the page before.'))),
});

/** Days, status and place of a list of payments; or a search. */
export interface ListPayments extends Omit<v.InferInput<typeof ListPaymentsSchema>, 'limit'> {
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
}

/** How the cells of a table can be separated. */
export const CSV_SEPARATORS = ['comma', 'semicolon'] as const;

/** Query of `GET /v1/payments.csv`. */
export const PaymentsCsvSchema = v.strictObject({
  ...rangeEntries,
  /** @default 'comma' */
  separator: v.optional(
    v.pipe(
      v.picklist(CSV_SEPARATORS),
      v.description(
        '`semicolon`: with decimal commas and a byte order mark, as spreadsheets in German and most of Europe read it.',
      ),
    ),
    'comma',
  ),
});

/** A range of the hotel’s days, at most a year, and how the table is to be written. */
export type PaymentsCsv = v.InferInput<typeof PaymentsCsvSchema>;
