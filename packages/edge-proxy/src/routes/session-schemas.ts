/** Request schemas of the merchant's session routes. The OpenAPI document is generated from them. */
import type { StartCheckout } from '@innkeep/core/contract';
import * as v from 'valibot';
import type { MoneyValue } from '../policy/payment-limits.ts';
import type { SessionStatus } from '../policy/session-machine.ts';

/** Body of `POST /v1/checkout-sessions`, defaults filled in. */
export type CreateCheckoutSession = {
  reference: string;
  description?: string | undefined;
  returnUrl?: string | undefined;
  metadata: Record<string, string>;
  expiresInSeconds: number;
} & ({ kind: 'payment'; amount: MoneyValue; surcharge: boolean } | { kind: 'card' });

/** Body of `POST …/{id}/resolve` of a charge or a reversal. */
export interface Resolve {
  status: 'succeeded' | 'failed';
  evidence: string;
  transactionId?: string | undefined;
}

/** Body of `POST /v1/checkout-sessions/{id}/resolve`. */
export interface ResolveCheckoutSession extends Resolve {
  amount?: MoneyValue | undefined;
}

/** Query of `GET /v1/checkout-sessions`. */
export interface ListCheckoutSessions {
  status?: SessionStatus | undefined;
  reference?: string | undefined;
  completedFrom?: number | undefined;
  completedTo?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

const NO_CONTROL = /^[^\p{Cc}]*$/u;

/** An amount above zero. */
export const MoneySchema: v.GenericSchema<unknown, MoneyValue> = v.strictObject({
  value: v.pipe(
    v.number('Must be an integer of minor units'),
    v.safeInteger('Must be an integer of minor units'),
    v.minValue(1, 'Must be above zero'),
  ),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code in capitals')),
});

/** A text of limited length without control characters. `message`: what to say instead of quoting what came. */
export function text(maxLength: number, message?: string): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string(message ?? 'Must be a text'),
    v.minLength(1, 'Must not be empty'),
    v.maxLength(maxLength, `Must have at most ${maxLength} characters`),
    v.regex(NO_CONTROL, 'Must not hold control characters'),
  );
}

/** The booking's reference. */
export const ReferenceSchema: v.GenericSchema<unknown, string> = text(64);

const commonEntries = {
  reference: ReferenceSchema,
  description: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200, 'Must have at most 200 characters'),
      v.regex(NO_CONTROL, 'Must not hold control characters'),
    ),
  ),
  returnUrl: v.optional(v.pipe(v.string(), v.maxLength(2_000, 'Must have at most 2000 characters'))),
  metadata: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.minLength(1), v.maxLength(40, 'A name must have at most 40 characters')),
        v.pipe(v.string(), v.maxLength(500, 'Must have at most 500 characters')),
      ),
      v.check((metadata) => Object.keys(metadata).length <= 20, 'Must have at most 20 names'),
    ),
    {},
  ),
  expiresInSeconds: v.optional(
    v.pipe(
      v.number(),
      v.integer('Must be an integer'),
      v.minValue(60, 'Must be 60 at least'),
      v.maxValue(2_592_000, 'Must be 2592000 at most'),
    ),
    1_800,
  ),
};

/** Body of `POST /v1/checkout-sessions` for a payment. */
export const CreatePaymentSessionSchema: v.GenericSchema<unknown, CreateCheckoutSession> = v.strictObject({
  kind: v.literal('payment'),
  amount: MoneySchema,
  surcharge: v.optional(v.boolean(), false),
  ...commonEntries,
});

/** Body of `POST /v1/checkout-sessions` for a card. */
export const CreateCardSessionSchema: v.GenericSchema<unknown, CreateCheckoutSession> = v.strictObject({
  kind: v.literal('card'),
  ...commonEntries,
});

/** Body of `POST /v1/checkout-sessions`: `kind` says which of the two it must be. */
export const CreateCheckoutSessionSchema: v.GenericSchema<unknown, CreateCheckoutSession> = v.lazy((body) =>
  (body as { kind?: unknown } | null)?.kind === 'card' ? CreateCardSessionSchema : CreatePaymentSessionSchema,
);

const resolveEntries = {
  status: v.picklist(['succeeded', 'failed']),
  evidence: v.pipe(
    v.string(),
    v.transform((text) => text.trim()),
    v.minLength(1, 'Must say what is known'),
    v.maxLength(500, 'Must have at most 500 characters'),
  ),
  transactionId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
};

/** Body of `POST …/{id}/resolve` of a charge or a reversal. */
export const ResolveSchema: v.GenericSchema<unknown, Resolve> = v.strictObject(resolveEntries);

/** Body of `POST /v1/checkout-sessions/{id}/resolve`. */
export const ResolveCheckoutSessionSchema: v.GenericSchema<unknown, ResolveCheckoutSession> = v.strictObject({
  ...resolveEntries,
  amount: v.optional(MoneySchema),
});

/** Body of `POST /v1/checkout-sessions/{id}/client-secret`. */
export const CreateClientSecretSchema: v.GenericSchema<unknown, { revokeOthers: boolean }> = v.strictObject({
  revokeOthers: v.optional(v.boolean(), false),
});

/**
 * Body of `POST /v1/checkout/start`. The same as core's contract says; that module would bring the schemas of all views
 * into the bundle.
 */
export const StartCheckoutSchema: v.GenericSchema<unknown, StartCheckout> = v.strictObject({
  presentation: v.picklist(['redirect', 'tab']),
});

/** Body of the calls that take none. */
export const EmptySchema: v.GenericSchema<unknown, Record<never, never>> = v.strictObject({});

/** `limit` of a list. */
export const LimitSchema: v.GenericSchema<unknown, number> = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,3}$/, 'Must be 1 to 100'),
    v.transform(Number),
    v.minValue(1, 'Must be 1 to 100'),
    v.maxValue(100, 'Must be 1 to 100'),
  ),
  '20',
);

/** A day or an instant of a query, in milliseconds. */
export const InstantSchema: v.GenericSchema<unknown, number> = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/,
    'Must be a day such as 2026-03-01 or an instant such as 2026-03-01T00:00:00Z, both UTC',
  ),
  v.transform((instant) => Date.parse(instant)),
  v.check((ms) => Number.isFinite(ms), 'Must be a day that exists'),
);

/** Query of `GET /v1/checkout-sessions`. */
export const ListCheckoutSessionsSchema: v.GenericSchema<unknown, ListCheckoutSessions> = v.strictObject({
  status: v.optional(v.picklist(['open', 'pending', 'succeeded', 'failed', 'canceled', 'expired', 'unknown'])),
  reference: v.optional(v.pipe(v.string(), v.maxLength(64))),
  completedFrom: v.optional(InstantSchema),
  completedTo: v.optional(InstantSchema),
  limit: LimitSchema,
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
});

/** Query of `GET /v1/events`. */
export const ListEventsSchema: v.GenericSchema<unknown, { after: number; limit: number }> = v.strictObject({
  after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'Must be a feed position'), v.transform(Number)), '0'),
  limit: LimitSchema,
});
