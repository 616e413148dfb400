/** A card that staff key in, and its token: only for a proxy of the MOTO build. */
import * as v from 'valibot';
import { passesLuhn } from '../values/card-mask.ts';
import { component } from './component.ts';
import { textOrNothing, typed } from './fields.ts';

/** Body of `POST /v1/cards`. Every message about a field is ours: the library's own would quote what came. */
export const CreateCardSchema = component(
  'CreateCard',
  v.strictObject({
    /** Card number, 12 to 19 digits without spaces. */
    cardNo: v.pipe(
      v.string('Must be digits'),
      v.regex(/^\d{12,19}$/, 'Must be 12 to 19 digits without spaces'),
      v.check(passesLuhn, 'Must have a valid check digit: look at the digits again'),
    ),
    /** Date until which the card is valid, `YYYY-MM-DD`; usually the last day of a month. */
    valid: v.pipe(
      v.string('Must be a date'),
      v.isoDate('Must be a date YYYY-MM-DD, usually the last day of the month'),
    ),
    /** Card verification code, 3 or 4 digits. */
    cvc: v.optional(v.pipe(v.string('Must be digits'), v.regex(/^\d{3,4}$/, 'Must be 3 or 4 digits'))),
    /** Cardholder text, at most 100 characters. */
    cardText: v.optional(typed('The cardholder text', textOrNothing(100))),
  }),
  { description: 'A card that staff key in.' },
);

/** Body of `cards.create`; card data, only for a proxy of the MOTO build. @interface */
export type CreateCard = v.InferInput<typeof CreateCardSchema>;

/** Answer of `POST /v1/cards`. */
export const CardSchema = component(
  'Card',
  v.object({
    /** Stored-card token for charges. Treat it like a password. */
    token: v.string(),
    /** Date until which the token can be charged, `YYYY-MM-DD`. */
    tokenExpiry: v.string(),
    /** Masked card number, such as `424242......4242`. */
    maskedCard: v.string(),
    /** The payment service’s numeric code of the brand, as text. */
    cardType: v.string(),
    /** The payment service’s name of the brand, such as `VISA`. */
    cardTypeCode: v.string(),
  }),
  {
    description: 'A stored card. Nothing of it is kept in the proxy.',
    example: {
      token: 'the token of the stored card',
      tokenExpiry: '2030-12-31',
      maskedCard: '424242......4242',
      cardType: '4',
      cardTypeCode: 'VISA',
    },
  },
);

/** A stored card. @interface */
export type Card = v.InferOutput<typeof CardSchema>;
