/** Schemas of charges and reversals as the proxy answers them. They are in no bundle. */
import * as v from 'valibot';
import { MONEY_STATES } from '../src/policy/money-machine.ts';
import { CHARGE_REASONS } from '../src/records/money-record.ts';
import { Money, Resolution, Seq, Timestamp } from './common-schemas.ts';

const MoneyError = v.strictObject({ code: v.string(), message: v.string(), returnCode: v.optional(v.string()) });

const commonEntries = {
  property: v.string(),
  livemode: v.boolean(),
  status: v.picklist(MONEY_STATES),
  final: v.boolean(),
  seq: Seq,
  amount: Money,
  transactionId: v.nullable(v.string()),
  error: v.nullable(MoneyError),
  createdAt: Timestamp,
  completedAt: v.nullable(Timestamp),
  resolution: v.optional(Resolution),
};

/** A charge as its merchant sees it. */
export const Charge = v.pipe(
  v.strictObject({
    object: v.literal('charge'),
    id: v.pipe(v.string(), v.regex(/^ch_[0-9A-HJKMNP-TV-Z]{26}$/)),
    ...commonEntries,
    reference: v.string(),
    reason: v.picklist(CHARGE_REASONS),
    maskedCard: v.nullable(v.string()),
    reversed: Money,
    reversing: Money,
  }),
  v.description('A charge of a stored card. `unknown`: money may have moved; look it up, never repeat it.'),
);

/** A reversal as its merchant sees it. */
export const Reversal = v.pipe(
  v.strictObject({
    object: v.literal('reversal'),
    id: v.pipe(v.string(), v.regex(/^rv_[0-9A-HJKMNP-TV-Z]{26}$/)),
    ...commonEntries,
    payment: v.string(),
  }),
  v.description('Money given back, of a hosted payment or of a charge.'),
);

/** A page of charges. */
export const ChargeList = listOf(Charge);

/** A page of reversals. */
export const ReversalList = listOf(Reversal);

function listOf<Item extends v.GenericSchema>(item: Item) {
  return v.strictObject({ object: v.literal('list'), data: v.array(item), nextCursor: v.nullable(v.string()) });
}
