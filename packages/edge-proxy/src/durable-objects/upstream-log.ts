/** One line per call to the payment service. It names the operation, never the address: addresses are capabilities. */

/** What is known of a call. */
export interface UpstreamCall {
  readonly operation: string;
  readonly property: string;
  readonly resource?: string;
  readonly status?: number;
  readonly durationMs?: number;
}

/** Logs an answered call. */
export function logUpstreamCall(call: UpstreamCall): void {
  console.log(JSON.stringify({ level: 'info', message: 'upstream', ...call }));
}

/** Logs a call that failed; `code` is one of core's error codes. */
export function logUpstreamFailure(call: UpstreamCall & { readonly code: string; readonly field?: string }): void {
  console.warn(JSON.stringify({ level: 'warn', message: 'upstream_failed', ...call }));
}
