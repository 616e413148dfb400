/**
 * Schemas of what a guest's page and the proxy say to each other, for the proxy and for tests. The browser client has
 * the same shapes as plain types and no schema library.
 *
 * Import path: `@innkeep/core/checkout/contract`.
 *
 * @module
 */
import * as v from 'valibot';
import { currencyExponent } from '../values/currencies.ts';
import type { MoneyJson } from '../values/money.ts';
import type {
  CheckoutReceipt,
  CheckoutSurcharge,
  CheckoutView,
  Problem,
  StartCheckout,
  StartedCheckout,
} from './view.ts';

export type {
  CheckoutErrorCode,
  CheckoutKind,
  CheckoutPresentation,
  CheckoutReceipt,
  CheckoutStatus,
  CheckoutSurcharge,
  CheckoutView,
  Problem,
  StartCheckout,
  StartedCheckout,
} from './view.ts';
export type { MoneyJson };

/** Money in JSON: a non-negative safe integer of minor units and an ISO 4217 code. */
export const MoneySchema: v.GenericSchema<unknown, MoneyJson> = v.strictObject({
  value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  currency: v.pipe(
    v.string(),
    v.check((code) => currencyExponent(code) !== undefined, 'Not an ISO 4217 currency code.'),
  ),
});

const TimestampSchema = v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z'));

const SurchargeSchema: v.GenericSchema<unknown, CheckoutSurcharge> = v.strictObject({
  amount: MoneySchema,
  percent: v.pipe(v.number(), v.finite(), v.minValue(0)),
});

const ReceiptSchema: v.GenericSchema<unknown, CheckoutReceipt> = v.strictObject({
  base: v.nullable(MoneySchema),
  surcharge: v.nullable(SurchargeSchema),
  total: v.nullable(MoneySchema),
  maskedCard: v.nullable(v.string()),
  completedAt: TimestampSchema,
});

const viewEntries = {
  id: v.pipe(v.string(), v.startsWith('cs_')),
  kind: v.picklist(['payment', 'card']),
  status: v.picklist(['open', 'pending', 'succeeded', 'failed', 'canceled', 'expired', 'unknown']),
  final: v.boolean(),
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  livemode: v.boolean(),
  amount: v.nullable(MoneySchema),
  surcharge: v.boolean(),
  hotelName: v.string(),
  reference: v.string(),
  description: v.nullable(v.string()),
  receipt: v.nullable(ReceiptSchema),
  error: v.nullable(
    v.strictObject({
      code: v.picklist([
        'upstream_failed',
        'canceled_by_guest',
        'amount_mismatch',
        'amount_unit_mismatch',
        'record_mismatch',
        'record_unreadable',
      ]),
    }),
  ),
  expiresAt: TimestampSchema,
  nextPollMs: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
};

/** Guest view, answer of `GET /v1/checkout`. */
export const CheckoutViewSchema: v.GenericSchema<unknown, CheckoutView> = v.strictObject(viewEntries);

/** Guest view and address, answer of `POST /v1/checkout/start`. */
export const StartedCheckoutSchema: v.GenericSchema<unknown, StartedCheckout> = v.strictObject({
  ...viewEntries,
  viewUrl: v.pipe(v.string(), v.url()),
});

/** Request of `POST /v1/checkout/start`. */
export const StartCheckoutSchema: v.GenericSchema<unknown, StartCheckout> = v.strictObject({
  presentation: v.picklist(['redirect', 'tab']),
});

/** Failure document, `application/problem+json`. Open: gateway failures add fields. */
export const ProblemSchema: v.GenericSchema<unknown, Problem> = v.looseObject({
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  code: v.string(),
  detail: v.string(),
  param: v.optional(v.string()),
  resource: v.optional(v.string()),
  traceId: v.string(),
});
