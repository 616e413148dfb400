/** Core's errors as the proxy's answers and log words: one place that knows both lists. */

import type { ProblemCode } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { type Refusal, refuse } from '../http/problem.ts';
import type { InvalidProperty } from '../properties/configured-properties.ts';

const REFUSALS: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  authentication_failed: ['property_unavailable', 'The payment service refuses this property’s credentials'],
  timeout: ['upstream_timeout', 'The payment service did not answer in time; try again'],
  declined: ['upstream_rejected', 'The payment service refused to open a payment page'],
  untrusted_url: ['upstream_rejected', 'The payment service answered with an address that is not trusted'],
  configuration: ['property_unavailable', 'This property’s configuration cannot be used'],
  internal: ['internal', 'Something went wrong in the proxy'],
};
const UNREADABLE = 'The payment service cannot be reached, or its answer cannot be read; try again';

/** A failed call to the payment service, as a refusal for the caller. */
export function toUpstreamRefusal(error: unknown): Refusal {
  const [code, detail] = REFUSALS[failureCode(error)] ?? ['upstream_error', UNREADABLE];
  return refuse(code, { detail, ...(isInnkeepError(error, 'configuration') ? { param: error.path } : {}) });
}

/** The refusal of a property that cannot be served. It names the wrong field. Without one, it may be read again in a moment. */
export function toPropertyRefusal({ field }: InvalidProperty): Refusal {
  const detail = 'This property’s configuration cannot be used; its operator must correct it';
  return refuse('property_unavailable', { detail, ...(field === '' ? { retryAfterSeconds: 5 } : { param: field }) });
}

/** Whether a failed call says that nobody is there to answer. A refusal is an answer. */
export function showsOutage(error: unknown): boolean {
  if (isInnkeepError(error, 'upstream_status')) return error.status >= 500 || error.status === 429;
  return ['network', 'timeout'].includes(failureCode(error));
}

/** The stable code of a failure, for logs. */
export function failureCode(error: unknown): string {
  if (isInnkeepError(error)) return error.code;
  // AbortSignal.timeout gives a TimeoutError, passed through as the signal's reason.
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  return 'internal';
}
