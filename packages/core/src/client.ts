import { type ClientOptions, createContext } from './context.ts';
import {
  type AwaitedInit,
  type HostedOutcome,
  type WaitForResultOptions,
  waitForResult,
} from './flows/wait-for-result.ts';
import { type WatchOptions, watch } from './flows/watch.ts';
import type { CallOptions, Context, LoginResult } from './http/context.ts';
import type { InitResult } from './http/init-answer.ts';
import {
  type InitCreateTokenNoIframeInput,
  initCreateTokenNoIframe,
} from './operations/init-create-token-no-iframe.ts';
import { type InitpayNoIframeInput, initpayNoIframe } from './operations/initpay-no-iframe.ts';
import { login } from './operations/login.ts';
import { type PaystatusInput, type PaystatusResult, paystatus } from './operations/paystatus.ts';
import { type TransactionInput, transaction } from './operations/transaction.ts';
import type { TransactionRecord } from './schemas/transaction-record.ts';

/** Every operation, bound to one context. */
export interface Client {
  /** For the operation functions themselves. */
  readonly context: Context;
  /** See `operations/login`. */
  login(options?: CallOptions): Promise<LoginResult>;
  /** See `operations/initpay-no-iframe`. */
  initpayNoIframe(input: InitpayNoIframeInput, options?: CallOptions): Promise<InitResult>;
  /** See `operations/init-create-token-no-iframe`. */
  initCreateTokenNoIframe(input: InitCreateTokenNoIframeInput, options?: CallOptions): Promise<InitResult>;
  /** See `operations/paystatus`. */
  paystatus(input: PaystatusInput, options?: CallOptions): Promise<PaystatusResult>;
  /** See `operations/transaction`. */
  transaction(input: TransactionInput, options?: CallOptions): Promise<TransactionRecord>;
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
export function createClient(options: ClientOptions): Client {
  const context = createContext(options);
  return {
    context,
    login: (call) => login(context, call),
    initpayNoIframe: (input, call) => initpayNoIframe(context, input, call),
    initCreateTokenNoIframe: (input, call) => initCreateTokenNoIframe(context, input, call),
    paystatus: (input, call) => paystatus(context, input, call),
    transaction: (input, call) => transaction(context, input, call),
    watch: (init, call) => watch(context, init, call),
    waitForResult: (init, call) => waitForResult(context, init, call),
  };
}
