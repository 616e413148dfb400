import * as v from 'valibot';
import { AUTHOR_EXAMPLE } from './author.ts';
import { component, type WithShared } from './component.ts';
import { idOf, isHarmless, NoteSchema, ReferenceSchema, text, typed } from './fields.ts';
import { pageOf } from './list.ts';
import { AmountSchema, MoneySchema } from './money.ts';
import { type MoneyOperationFields, moneyOperationEntries } from './money-operation.ts';

/** Why a stored card can be charged. */
export const CHARGE_REASONS = ['deposit', 'no_show', 'late_charge', 'balance', 'other'] as const;

/** Why a stored card is charged. */
export type ChargeReason = (typeof CHARGE_REASONS)[number];

/** Why a stored card is charged. */
export const ChargeReasonSchema = component('ChargeReason', v.picklist(CHARGE_REASONS), {
  description: 'Why a stored card is charged.',
});

/** Which flow can have made a stored-card token. */
export const TOKEN_SOURCES = ['hosted', 'moto'] as const;

/** A charge worth reading. */
export const CHARGE_EXAMPLE = {
  object: 'charge',
  id: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  property: 'aurora',
  livemode: true,
  status: 'succeeded',
  final: true,
  seq: 3,
  amount: { value: 12_000, currency: 'EUR' },
  transactionId: '4712',
  error: null,
  by: AUTHOR_EXAMPLE,
  note: null,
  createdAt: '2026-09-02T08:00:00.000Z',
  completedAt: '2026-09-02T08:00:01.000Z',
  reference: 'RES-1234',
  reason: 'no_show',
  maskedCard: '424242......4242',
  reversed: { value: 0, currency: 'EUR' },
  reversing: { value: 0, currency: 'EUR' },
} as const;

/** A charge as the hotel's server sees it. */
export const ChargeSchema = component(
  'Charge',
  v.object({
    /** Kind of resource. */
    object: v.literal('charge'),
    /** `ch_…`. */
    id: idOf('ch'),
    ...moneyOperationEntries,
    /** Reservation reference; null once it was redacted. */
    reference: v.nullable(v.string()),
    /** Why the card was charged. */
    reason: ChargeReasonSchema,
    /** Masked card number; null while it is not known. */
    maskedCard: v.nullable(v.string()),
    /** Money refunded for certain. */
    reversed: MoneySchema,
    /** Money being refunded, or whose refund is unknown. */
    reversing: MoneySchema,
  }),
  {
    description: 'A charge of a stored card. `unknown`: money may have moved; look it up, never repeat it.',
    example: CHARGE_EXAMPLE,
  },
);

/** A charge of a stored card. @interface */
export type Charge = WithShared<v.InferOutput<typeof ChargeSchema>, MoneyOperationFields>;

/** Answer of `GET /v1/charges`. */
export const ChargeListSchema = component('ChargeList', pageOf(ChargeSchema), {
  description: 'A page of charges.',
  example: { object: 'list', data: [CHARGE_EXAMPLE], nextCursor: null },
});

/** Body of `POST /v1/charges`. */
export const CreateChargeSchema = component(
  'CreateCharge',
  v.pipe(
    v.strictObject({
      // A token is as good as money: its text must not come back in a message.
      /** Stored-card token. Treat it like a password. Either this or `card`. */
      token: v.optional(
        v.pipe(
          text(500, 'Must be a stored-card token'),
          v.regex(/\S/, 'Must not be empty'),
          v.check(isHarmless, 'Must be a stored-card token, not a card number'),
        ),
      ),
      /** The session of kind `card` that stored the card, `cs_…`: the proxy opens its token itself while it keeps that. */
      card: v.optional(v.pipe(v.string(), v.maxLength(40, 'Must be the id of a session'))),
      /** What made the token: `hosted`, a hosted page, or `moto`, staff who keyed the card in. Not needed with `card`. @default 'hosted' */
      tokenFrom: v.optional(v.picklist(TOKEN_SOURCES, 'Must be hosted or moto'), 'hosted'),
      /** Amount to charge, above zero. */
      amount: AmountSchema,
      /** Reservation reference, 1 to 64 characters. Without a number that a card network issues; dates with the year first are fine. */
      reference: ReferenceSchema,
      /** Why the card is charged. A charge with the same reason, reference and amount can be refused: see `allowDuplicate`. */
      reason: ChargeReasonSchema,
      /** What the payment service records after id, reason and reference, all together cut at 100 characters. */
      text: v.optional(typed('The text', text(200))),
      /** Why, in words that stay with the charge here; at most 500 characters. */
      note: v.optional(NoteSchema),
      /**
       * Charge although one with the same reference, reason and amount is under way or unknown, or has succeeded within ten minutes.
       * @default false
       */
      allowDuplicate: v.optional(v.boolean(), false),
    }),
    v.forward(
      v.check(({ token, card }) => token !== undefined || card !== undefined, 'Must be given, unless "card" is'),
      ['token'],
    ),
    v.forward(
      v.check(({ token, card }) => token === undefined || card === undefined, 'Must not be combined with "token"'),
      ['card'],
    ),
    v.forward(
      v.check(
        ({ tokenFrom, card }) => tokenFrom === 'hosted' || card === undefined,
        'Must not be combined with "card"',
      ),
      ['tokenFrom'],
    ),
  ),
  { description: 'A charge of a stored card.' },
);

type ChargeInput = v.InferInput<typeof CreateChargeSchema>;

/** Body of `charges.create`: with the token of a stored card, or with the session that stored it. */
export type CreateCharge = Omit<ChargeInput, 'token' | 'card' | 'tokenFrom'> &
  (
    | (Required<Pick<ChargeInput, 'token'>> & Pick<ChargeInput, 'tokenFrom'> & { card?: undefined })
    | {
        /** The session of kind `card` that stored the card, `cs_…`. */
        card: string;
        token?: undefined;
        tokenFrom?: undefined;
      }
  );
