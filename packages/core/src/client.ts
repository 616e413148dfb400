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
  /** See `operations/login`. */
  login(options?: CallOptions): Promise<LoginResult>;
  /** See `operations/create-token`. Takes card data. */
  createToken(input: CreateTokenInput, options?: CallOptions): Promise<CreateTokenResult>;
  /** See `operations/pay`. Moves money; never retried. */
  pay(input: PayInput, options?: CallOptions): Promise<PayResult>;
  /** See `operations/reversal`. Moves money; never retried. */
  reversal(input: ReversalInput, options?: CallOptions): Promise<ReversalResult>;
  /** See `operations/initpay-no-iframe`. */
  initpayNoIframe(input: InitpayNoIframeInput, options?: CallOptions): Promise<InitResult>;
  /** See `operations/init-create-token-no-iframe`. */
  initCreateTokenNoIframe(input: InitCreateTokenNoIframeInput, options?: CallOptions): Promise<InitResult>;
  /** See `operations/paystatus`. */
  paystatus(input: PaystatusInput, options?: CallOptions): Promise<PaystatusResult>;
  /** See `operations/transaction`. */
  transaction(input: TransactionInput, options?: CallOptions): Promise<TransactionRecord>;
  /** See `operations/call`. Never retried. */
  call(operation: string, body: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Json>;
  /** Yields the state of a hosted request until it is final. Failed looks are made again. */
  watch(init: PaystatusInput, options?: WatchOptions): AsyncGenerator<PaystatusResult, void, undefined>;
  /** Waits for a hosted request to end and checks its record. */
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
