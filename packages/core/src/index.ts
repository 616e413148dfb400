/**
 * Client of a hotel payment API.
 *
 * Import path: `@innkeep/core`.
 *
 * @module
 */
export { type Client, createClient } from './client.ts';
export {
  type CallOptions,
  type ClientOptions,
  type Context,
  type Credentials,
  createContext,
  type HotelSettings,
  type LoginResult,
  type ProviderSettings,
  type RequestView,
  type ResponseView,
} from './context.ts';
export { InnkeepError, type InnkeepErrorCode, isInnkeepError } from './errors.ts';
export {
  type AwaitedInit,
  type HostedOutcome,
  type WaitForResultOptions,
  waitForResult,
} from './flows/wait-for-result.ts';
export { type WatchOptions, watch } from './flows/watch.ts';
export type { HostedRequest } from './hosted/hosted-request.ts';
export type { InitResult } from './hosted/init-answer.ts';
export { call } from './operations/call.ts';
export { type CreateTokenInput, type CreateTokenResult, createToken } from './operations/create-token.ts';
export {
  type InitCreateTokenNoIframeInput,
  initCreateTokenNoIframe,
} from './operations/init-create-token-no-iframe.ts';
export { type InitpayNoIframeInput, initpayNoIframe } from './operations/initpay-no-iframe.ts';
export { login } from './operations/login.ts';
export { type PayInput, type PayResult, pay } from './operations/pay.ts';
export { type PaystatusInput, type PaystatusResult, paystatus } from './operations/paystatus.ts';
export { type ReversalInput, type ReversalResult, reversal } from './operations/reversal.ts';
export { type TransactionInput, transaction } from './operations/transaction.ts';
export type { Surcharge, TransactionRecord } from './schemas/transaction-record.ts';
export { Money } from './values/money.ts';
