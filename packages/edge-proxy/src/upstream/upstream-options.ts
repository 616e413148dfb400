/** Options for calls to the payment service: the property's present settings, and what a resource has kept of them. */
import type { ClientOptions, ResponseView } from '@innkeep/core/context';
import type { Redacted } from '@innkeep/core/values';
import type { Property } from '../properties/configured-properties.ts';
import { type HotelSnapshot, hotelSnapshot } from '../properties/hotel-snapshot.ts';
import type { UpstreamCallAttributes } from '../telemetry/telemetry.ts';
import { loadCalls } from './load-calls.ts';
import { healthOf, isTakenStart } from './upstream-health.ts';
import { logUpstreamCall } from './upstream-log.ts';

/** How long one call may take, body included. */
export const UPSTREAM_TIMEOUT_MS = 30_000;

/** A call that has ended, as far as it is measured. */
export type EndedUpstreamCall = Pick<UpstreamCallAttributes, 'operation' | 'status' | 'durationMs' | 'code'>;

/** Core's options for a property as it is configured now, without credentials. */
export function upstreamOptions(property: Property): Omit<ClientOptions, 'credentials' | 'accessToken'> {
  return {
    baseUrl: property.baseUrl,
    ...hotelOptions(hotelSnapshot(property)),
    providers: { direct: property.providerDirect, hosted: property.providerHosted },
    uncertainReturnCodes: property.uncertainReturnCodes,
    refusalStatuses: property.refusalStatuses,
    expiresInUnit: property.expiresInUnit,
    allowedOrigins: property.allowedOrigins,
    viewOrigins: property.viewOrigins,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    // A session's schedule is the retry of its reads.
    maxNetworkRetries: 0,
  };
}

/** The part of them that a session, a charge or a reversal keeps from its beginning. */
export function hotelOptions(kept: HotelSnapshot): Pick<ClientOptions, 'customerId' | 'hotel' | 'amountUnit'> {
  const { customerId, amountUnit, hotelID, hotelIDType, user, timeZone } = kept;
  return { customerId, amountUnit, hotel: { hotelID, hotelIDType, user, timeZone } };
}

/**
 * Logs each call. `resource`: an id for the log. `onHealth`: whether a call has found the upstream up. `onStart`: whether a start was
 * taken. `onEnd` measures.
 */
export function callReporter(
  property: Property,
  {
    resource,
    onHealth,
    onStart,
    onEnd,
  }: {
    readonly resource?: string;
    readonly onHealth: (isUp: boolean) => void;
    readonly onStart?: (isTaken: boolean) => void;
    readonly onEnd?: ((call: EndedUpstreamCall) => void) | undefined;
  },
): (view: ResponseView) => void {
  return (view) => {
    const { operation, status, durationMs, code, path: field } = view;
    logUpstreamCall({ operation, property: property.id, resource, status, durationMs, code, field });
    onEnd?.({ operation, status, durationMs, code });
    const isTaken = isTakenStart(view);
    if (isTaken !== undefined) onStart?.(isTaken);
    // Not its value, which is redacted for whoever reads it.
    const isUp = healthOf({ operation, status, code, isJson: 'body' in view });
    if (isUp !== undefined) onHealth(isUp);
  };
}

/** Logs in with a property's own credentials. One retry: nothing moves. */
export async function loginToUpstream(
  property: Property,
  onHealth: (isUp: boolean) => void,
  { onEnd }: { readonly onEnd?: (call: EndedUpstreamCall) => void } = {},
): Promise<{ accessToken: Redacted; expiresAt: Date }> {
  const { username, password } = property;
  const { createContext, login } = await loadCalls();
  return login(
    createContext({
      ...upstreamOptions(property),
      onResponse: callReporter(property, { onHealth, onEnd }),
      credentials: { username, password },
      maxNetworkRetries: 1,
    }),
  );
}
