import type { Money } from '../values/money.ts';

/** Surcharge that the upstream added to a hosted payment. */
export interface Surcharge {
  /** Amount added, part of the record's `amount`. */
  amount: Money;
  /** `surchargePercentUsed`: for display only, never a base for arithmetic. */
  percent: number;
}

/**
 * Stored record of a hosted request.
 *
 * @see upstream API, section "Transaction record"
 */
export interface TransactionRecord {
  /**
   * Total including a surcharge; absent, and `surcharge` with it, when the record has no total or no currency, or when
   * one of the two is no exact amount of that currency.
   */
  amount?: Money;
  /** Reference that the init was given. */
  cardInfoRefID?: string;
  /** Hotel-local date-time. */
  creationtime?: string;
  /** ISO 4217 code. */
  currency?: string;
  /** The upstream's id of the customer. */
  customer?: string;
  /** Text that the init was given. */
  description?: string;
  /** Masked card number. */
  maskedCardNo?: string;
  /** `initpayNoIframe` or `initCreateTokenNoIframe`. */
  operation?: string;
  /** `PAYOBJID=<id>`, as it comes. */
  paymentObjID?: string;
  /** Stored-card token, tokenization only. Treat it like a password. */
  token?: string;
  /** Date, tokenization only. */
  tokenValidUntil?: string;
  /** Id of the hosted request. */
  requestID?: string;
  /** `'0'` on success. */
  returnCode: string;
  /** Provider of the hosted page. */
  serviceProvider?: string;
  /** `_done` once the request is complete. */
  status?: string;
  /** Id of the payment; `reversal` takes it. */
  transactionID?: string;
  /** Whether the upstream added a surcharge. */
  surchargeApplied?: boolean;
  /** Present only when a surcharge was applied. */
  surcharge?: Surcharge;
  /** The record as it came, unknown fields included. */
  raw: Readonly<Record<string, unknown>>;
}
