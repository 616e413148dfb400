import * as v from 'valibot';
import { currencyCodes, currencyExponent } from '../values/currencies.ts';
import { component, type TypeOf } from './component.ts';

const money = v.object({
  /** Integer minor units, for example cents. */
  value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** ISO 4217 alphabetic code, upper case. */
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
});

export interface MoneyType extends TypeOf<typeof money> {}

/** Money in answers: integer minor units and an ISO 4217 code. */
export const MoneySchema: MoneyType = component('Money', money, {
  description: 'Integer minor units and an ISO 4217 code.',
  example: { value: 12_000, currency: 'EUR' },
});

export type { MoneyJson } from '../values/money.ts';

/** A currency in requests. Its type is any text: a union of all codes would refuse every variable. */
export const CurrencySchema = component(
  'Currency',
  v.picklist(currencyCodes().sort(), 'Must be an ISO 4217 code in capitals'),
  { description: 'ISO 4217 alphabetic code.', example: 'EUR' },
);

/** Largest amounts by currency, in minor units. */
export const AmountLimitsSchema = v.record(
  v.pipe(
    v.string(),
    v.check((code) => currencyExponent(code) !== undefined, 'must be an ISO 4217 code'),
  ),
  v.pipe(
    v.number(),
    v.safeInteger('must be an integer of minor units'),
    v.minValue(1, 'must be above zero, in minor units'),
  ),
);

const amount = v.strictObject({
  /** Integer minor units, for example cents. */
  value: v.pipe(
    v.number('Must be an integer of minor units'),
    v.safeInteger('Must be an integer of minor units'),
    v.minValue(1, 'Must be above zero'),
  ),
  /** ISO 4217 alphabetic code, upper case. */
  currency: CurrencySchema,
});

export interface AmountType extends TypeOf<typeof amount> {}

/** Money in requests: above zero, and nothing but its two fields. */
export const AmountSchema: AmountType = component('Amount', amount, {
  description: 'What to move: integer minor units above zero, and an ISO 4217 code.',
  example: { value: 12_000, currency: 'EUR' },
});
