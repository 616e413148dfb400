/** Request schemas of charges and reversals. The OpenAPI document is generated from them. */
import * as v from 'valibot';
import { CHARGE_REASONS, type ChargeReason } from '../durable-objects/money-record.ts';
import { MONEY_STATES, type MoneyState } from '../policy/money-machine.ts';
import type { MoneyValue } from '../policy/payment-limits.ts';
import { LimitSchema, MoneySchema, ReferenceSchema, text } from './session-schemas.ts';

/** Body of `POST /v1/charges`, defaults filled in. */
export interface CreateCharge {
  token: string;
  tokenFrom: 'hosted' | 'moto';
  amount: MoneyValue;
  reference: string;
  reason: ChargeReason;
  text?: string | undefined;
  allowDuplicate: boolean;
}

/** Body of `POST /v1/reversals`. */
export interface CreateReversal {
  payment: string;
  amount?: MoneyValue | undefined;
}

/** Query of `GET /v1/charges` and `GET /v1/reversals`. */
export interface ListMoneyOperations {
  status?: MoneyState | undefined;
  reference?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Query of `GET /v1/export.csv`: instants in milliseconds, `to` not included. */
export interface ExportRange {
  from: number;
  to: number;
}

/** Body of `POST /v1/charges`. */
export const CreateChargeSchema: v.GenericSchema<unknown, CreateCharge> = v.strictObject({
  // A token is as good as money: its text must not come back in a message.
  token: text(500, 'Must be a stored-card token'),
  tokenFrom: v.optional(v.picklist(['hosted', 'moto'], 'Must be hosted or moto'), 'hosted'),
  amount: MoneySchema,
  reference: ReferenceSchema,
  reason: v.picklist(CHARGE_REASONS),
  text: v.optional(text(200)),
  allowDuplicate: v.optional(v.boolean(), false),
});

/** Body of `POST /v1/reversals`. */
export const CreateReversalSchema: v.GenericSchema<unknown, CreateReversal> = v.strictObject({
  payment: v.pipe(v.string(), v.maxLength(40, 'Must be the id of a payment')),
  amount: v.optional(MoneySchema),
});

/** Query of `GET /v1/charges` and `GET /v1/reversals`. */
export const ListMoneyOperationsSchema: v.GenericSchema<unknown, ListMoneyOperations> = v.strictObject({
  status: v.optional(v.picklist(MONEY_STATES)),
  reference: v.optional(v.pipe(v.string(), v.maxLength(64))),
  limit: LimitSchema,
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
});

const InstantSchema = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/,
    'Must be a day such as 2026-03-01 or an instant such as 2026-03-01T00:00:00Z, both UTC',
  ),
  v.transform((instant) => Date.parse(instant)),
  v.check((ms) => Number.isFinite(ms), 'Must be a day that exists'),
);

/** Query of `GET /v1/export.csv`. */
export const ExportRangeSchema: v.GenericSchema<unknown, ExportRange> = v.strictObject({
  from: InstantSchema,
  to: InstantSchema,
});
