/** Core's errors as the proxy's answers and log words: one place that knows both lists. */
import { InnkeepError, isInnkeepError } from '@innkeep/core/errors';
import type { BrokenProperty } from '../config/properties.ts';
import { type Refusal, refuse } from '../problem.ts';

/** A failed call to the payment service, as a refusal for the caller. */
export function toUpstreamRefusal(error: unknown): Refusal {
  switch (failureCode(error)) {
    case 'authentication_failed':
      return refuse('property_unavailable', { detail: 'The payment service refuses this property’s credentials' });
    case 'timeout':
      return refuse('upstream_timeout', { detail: 'The payment service did not answer in time; try again' });
    case 'declined':
      return refuse('upstream_rejected', { detail: 'The payment service refused to open a payment page' });
    case 'untrusted_url':
      return refuse('upstream_rejected', {
        detail: 'The payment service answered with an address that is not trusted',
      });
    case 'configuration':
      return refuse('property_unavailable', { detail: 'This property’s configuration cannot be used' });
    default:
      return refuse('upstream_error', {
        detail: 'The payment service cannot be reached, or its answer cannot be read; try again',
      });
  }
}

/** The refusal of a property that cannot be served. It names the wrong field. */
export function toPropertyRefusal(property: BrokenProperty): Refusal {
  const detail = 'This property’s configuration cannot be used; its operator has to correct it';
  return refuse('property_unavailable', { detail, ...(property.field === '' ? {} : { param: property.field }) });
}

/** The stable code of a failure, for logs. */
export function failureCode(error: unknown): string {
  if (isInnkeepError(error)) return error.code;
  // AbortSignal.timeout gives a TimeoutError, passed through as the signal's reason.
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  return 'internal';
}

/** A failure rebuilt from its code on this side of an object boundary. */
export function toUpstreamError(code: string): InnkeepError {
  return new InnkeepError(code, `No access token: ${code}`);
}
