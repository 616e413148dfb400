/** One line per call to the payment service. It names the operation, never the address: addresses are capabilities. */

import { redactText } from '@innkeep/core/values';
import { log } from '../http/log.ts';

/** What is known of a call. The line leaves out what is not known. */
export interface UpstreamCall {
  readonly operation: string;
  readonly property: string;
  readonly resource?: string | undefined;
  /** HTTP status; absent when there was no answer. */
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  /** One of core's error codes, when the call failed. */
  readonly code?: string | undefined;
  /** The field of the answer that was wrong. */
  readonly field?: string | undefined;
}

/** Logs a code that no call of this property's account was answered with before, and nothing else of the answer. */
export function logFirstReturnCode(property: string, returnCode: string): void {
  log('warn', 'return_code_first_seen', { property, returnCode });
}

/** Logs that a token’s object failed: the payment service has nothing to do with it. */
export function logTokenFailure(property: string, error: unknown): void {
  log('error', 'token_failed', { property, error: redactText(String(error)) });
}

export function logUpstreamCall(call: UpstreamCall): void {
  log(call.code === undefined ? 'info' : 'warn', 'upstream', call);
}
