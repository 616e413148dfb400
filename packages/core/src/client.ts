import type { CallOptions, Context, LoginResult } from './context.ts';
import { type ClientOptions, createContext } from './context.ts';
import {
  type AwaitedInit,
  type HostedOutcome,
  type WaitForResultOptions,
  waitForResult,
} from './flows/wait-for-result.ts';
import { type WatchOptions, watch } from './flows/watch.ts';
import type { InitResult } from './hosted/init-answer.ts';
import { call } from './operations/call.ts';
import { type CreateTokenInput, type CreateTokenResult, createToken } from './operations/create-token.ts';
import {
  type InitCreateTokenNoIframeInput,
  initCreateTokenNoIframe,
} from './operations/init-create-token-no-iframe.ts';
import { type InitpayNoIframeInput, initpayNoIframe } from './operations/initpay-no-iframe.ts';
import { login } from './operations/login.ts';
import { type PayInput, type PayResult, pay } from './operations/pay.ts';
import { type PaystatusInput, type PaystatusResult, paystatus } from './operations/paystatus.ts';
import { type ReversalInput, type ReversalResult, reversal } from './operations/reversal.ts';
import { type TransactionInput, transaction } from './operations/transaction.ts';
import type { Json } from './schemas/parse-answer.ts';
import type { TransactionRecord } from './schemas/transaction-record.ts';

/** Every operation, bound to one context. */
export interface Client {
  /** For the operation functions themselves. */
  readonly context: Context;
  /**
   * Logs in now, to check credentials. Every other call logs in by itself. Safe to repeat.
   *
   * @throws `authentication_failed`; `configuration` when the client was made with `accessToken`; `network`, `timeout`
   */
  login(options?: Pick<CallOptions, 'signal'>): Promise<LoginResult>;
  /**
   * Makes a stored-card token from card data. Never retried.
   *
   * @throws `declined`; `outcome_unknown` when a token may exist; `network`, `authentication_failed`, `invalid_input` and
   * `configuration` only when nothing was executed
   */
  createToken(input: CreateTokenInput, options?: CallOptions): Promise<CreateTokenResult>;
  /**
   * Charges a stored card. Never retried.
   *
   * @throws `declined`; `outcome_unknown` when the guest may have been charged: find out before anything else; `network`,
   * `authentication_failed`, `upstream_status`, `invalid_input` and `configuration` only when nothing was executed
   */
  pay(input: PayInput, options?: CallOptions): Promise<PayResult>;
  /**
   * Refunds a payment, or a part of it. Never retried.
   *
   * @throws `declined`; `outcome_unknown` when the money may have gone back: find out before anything else; `network`,
   * `authentication_failed`, `upstream_status`, `invalid_input` and `configuration` only when nothing was executed
   */
  reversal(input: ReversalInput, options?: CallOptions): Promise<ReversalResult>;
  /**
   * Starts a hosted payment. No money moves until the guest pays on `viewUrl`. Not retried.
   *
   * @throws `declined`, `untrusted_url`, `invalid_input`, `invalid_response`, `upstream_status`, `network`, `timeout`
   */
  initpayNoIframe(input: InitpayNoIframeInput, options?: CallOptions): Promise<InitResult>;
  /**
   * Starts a hosted tokenization: the guest enters a card on `viewUrl`, and the record then has a token for `pay`. Not retried.
   *
   * @throws `declined`, `untrusted_url`, `invalid_input`, `invalid_response`, `upstream_status`, `network`, `timeout`
   */
  initCreateTokenNoIframe(input: InitCreateTokenNoIframeInput, options?: CallOptions): Promise<InitResult>;
  /**
   * Reads the state of a hosted request. Retried.
   *
   * @throws `untrusted_url`, `invalid_input`, `invalid_response`, `upstream_status`, `network`, `timeout`
   */
  paystatus(input: PaystatusInput, options?: CallOptions): Promise<PaystatusResult>;
  /**
   * Reads the record of a hosted request. A `returnCode` other than 0 is part of it, not an error. Retried.
   *
   * @throws `amount_unit_mismatch`, `invalid_input`, `invalid_response`, `upstream_status`, `network`, `timeout`
   */
  transaction(input: TransactionInput, options?: CallOptions): Promise<TransactionRecord>;
  /**
   * Posts a body to any other operation and returns its answer, whatever its `returnCode` is. Never retried.
   *
   * @throws `invalid_input`, `invalid_response`, `upstream_status`, `network`, `timeout`; `outcome_unknown` for a money operation
   */
  call(operation: string, body: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Json>;
  /**
   * Yields the state of a hosted request until it is final. Polls again after a failure.
   *
   * @throws `untrusted_url`, `invalid_input`, `configuration`; the signal's reason when aborted
   */
  watch(init: PaystatusInput, options?: WatchOptions): AsyncGenerator<PaystatusResult, void, undefined>;
  /**
   * Waits for a hosted request to end and checks its record.
   *
   * @throws `outcome_unknown` when the record contradicts the request or stays unreadable; `amount_unit_mismatch`,
   * `untrusted_url`, `invalid_input`, `configuration`; the signal's reason when aborted
   */
  waitForResult(init: AwaitedInit, options?: WaitForResultOptions): Promise<HostedOutcome>;
}

/**
 * Makes a client of the payment API. For one operation in a small bundle use `createContext` and the operation itself.
 *
 * @throws `configuration` with the path of the bad setting
 */
export function createClient(settings: ClientOptions): Client {
  const context = createContext(settings);
  return {
    context,
    login: (options) => login(context, options),
    createToken: (input, options) => createToken(context, input, options),
    pay: (input, options) => pay(context, input, options),
    reversal: (input, options) => reversal(context, input, options),
    initpayNoIframe: (input, options) => initpayNoIframe(context, input, options),
    initCreateTokenNoIframe: (input, options) => initCreateTokenNoIframe(context, input, options),
    paystatus: (input, options) => paystatus(context, input, options),
    transaction: (input, options) => transaction(context, input, options),
    call: (operation, body, options) => call(context, { operation, body }, options),
    watch: (init, options) => watch(context, init, options),
    waitForResult: (init, options) => waitForResult(context, init, options),
  };
}
