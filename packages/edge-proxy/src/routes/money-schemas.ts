/** Request schemas of charges and reversals. The OpenAPI document is generated from them. */
import * as v from 'valibot';
import { MONEY_STATES, type MoneyState } from '../policy/money-machine.ts';
import type { MoneyValue } from '../policy/payment-limits.ts';
import { CHARGE_REASONS, type ChargeReason } from '../records/money-record.ts';
import { InstantSchema, LimitSchema, MoneySchema, ReferenceSchema, text } from './session-schemas.ts';

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
  completedFrom?: number | undefined;
  completedTo?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Query of `GET /v1/export.csv`: instants in milliseconds, the end not included. */
export interface ExportRange {
  from?: number | undefined;
  to?: number | undefined;
  completedFrom?: number | undefined;
  completedTo?: number | undefined;
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
  completedFrom: v.optional(InstantSchema),
  completedTo: v.optional(InstantSchema),
  limit: LimitSchema,
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
});

/** Query of `GET /v1/export.csv`: one of the two ranges, whole. */
export const ExportRangeSchema: v.GenericSchema<unknown, ExportRange> = v.strictObject({
  from: v.optional(InstantSchema),
  to: v.optional(InstantSchema),
  completedFrom: v.optional(InstantSchema),
  completedTo: v.optional(InstantSchema),
});
