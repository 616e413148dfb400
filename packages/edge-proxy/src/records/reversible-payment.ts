/** A payment, as its reversals need it: a session's attempt and a charge are both one. */
import type { MoneyJson } from '@innkeep/core/contract';
import { currencyExponent } from '@innkeep/core/values';
import type { Outcome } from '../http/problem.ts';
import type { HotelSnapshot } from '../properties/hotel-snapshot.ts';
import type { AllocationRequest, Settlement } from './shares.ts';

/** What a reversal gets from its payment along with its share. Plain data, because it crosses an object boundary. */
export interface ReservedReversal {
  /** Number of the attempt that was paid; null for a charge. */
  readonly attempt: number | null;
  readonly amount: MoneyJson;
  /** The payment's reference, so that a booking's reversals are found with its payments. */
  readonly reference: string | null;
  /** When its words were erased: those of the reversal are never kept. */
  readonly redactedAt?: number;
  /** The upstream's id of the payment. */
  readonly paymentTransactionId: string;
  readonly serviceProvider: string;
  readonly hotel: HotelSnapshot;
}

/** What a reversal is made with, before its share is known. */
export interface ReversiblePayment extends Omit<ReservedReversal, 'amount' | 'redactedAt'> {
  /** What was charged, surcharge included. */
  readonly total: MoneyJson;
  /** The payment service has read its request in the other unit than `hotel` says. */
  readonly isInOtherUnit?: boolean;
}

/** Whether what was taken is what was asked for in the other unit: a surcharge may add up to half to it. */
export function isInOtherUnit(asked: MoneyJson, taken: MoneyJson): boolean {
  const scale = 10 ** (currencyExponent(asked.currency) ?? 0);
  if (taken.currency !== asked.currency || scale === 1) return false;
  const isWithSurcharge = (sum: number, base: number) => base <= sum && sum * 2 <= base * 3;
  return isWithSurcharge(taken.value, asked.value * scale) || isWithSurcharge(taken.value * scale, asked.value);
}

/** The object of a payment, as a reversal calls it. */
export interface ReversibleObject extends Rpc.DurableObjectBranded {
  reserveReversal(property: string, asked: AllocationRequest): Promise<Outcome<ReservedReversal>>;
  settleReversal(property: string, id: string, settlement: Settlement, epoch: number): Promise<Outcome<null>>;
}
