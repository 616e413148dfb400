/** What the MOTO build takes. It stands apart from the route so that the description can be made without a runtime. */
import * as v from 'valibot';

/** Body of `POST /v1/cards`. */
export interface CreateCard {
  cardNo: string;
  valid: string;
  cvc?: string | undefined;
  cardText?: string | undefined;
}

/** Body of `POST /v1/cards`. Every message is ours: the library's own would quote what came. */
export const CreateCardSchema: v.GenericSchema<unknown, CreateCard> = v.strictObject(
  {
    cardNo: v.pipe(v.string('Must be digits'), v.regex(/^\d{12,19}$/, 'Must be 12 to 19 digits without spaces')),
    valid: v.pipe(
      v.string('Must be a date'),
      v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be a date YYYY-MM-DD, usually the last day of the month'),
    ),
    cvc: v.optional(v.pipe(v.string('Must be digits'), v.regex(/^\d{3,4}$/, 'Must be 3 or 4 digits'))),
    cardText: v.optional(v.pipe(v.string('Must be a text'), v.maxLength(100, 'Must have at most 100 characters'))),
  },
  'Must be an object with cardNo, valid and, if known, cvc and cardText',
);
