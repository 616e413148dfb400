/**
 * Client of a hotel payment API.
 *
 * Import path: `@innkeep/core`.
 *
 * @module
 */
export { type Client, createClient } from './client.ts';
export { type ClientOptions, createContext } from './context.ts';
export type { AwaitedInit, HostedOutcome, WaitForResultOptions } from './flows/wait-for-result.ts';
export type { WatchOptions } from './flows/watch.ts';
export type {
  CallOptions,
  Context,
  HotelSettings,
  LoginResult,
  ProviderSettings,
  RequestView,
  ResponseView,
} from './http/context.ts';
export type { InitResult } from './http/init-answer.ts';
export { initCreateTokenNoIframe } from './operations/init-create-token-no-iframe.ts';
export { initpayNoIframe } from './operations/initpay-no-iframe.ts';
export { login } from './operations/login.ts';
export { paystatus } from './operations/paystatus.ts';
export { transaction } from './operations/transaction.ts';
