/** Options for calls to the payment service: the property's present settings, and what a resource has kept of them. */
import { type ClientOptions, createContext } from '@innkeep/core/context';
import { login } from '@innkeep/core/operations/login';
import type { Redacted } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { healthOf } from '../policy/upstream-health.ts';
import { type HotelSnapshot, hotelSnapshot } from '../records/session-record.ts';
import type { UpstreamCallFacts } from '../telemetry/telemetry.ts';
import { logUpstreamCall } from './upstream-log.ts';

/** How long one call may take, body included. */
export const UPSTREAM_TIMEOUT_MS = 30_000;

/** A call that has ended, as far as it is measured. */
export type EndedUpstreamCall = Pick<UpstreamCallFacts, 'operation' | 'status' | 'durationMs' | 'code'>;

/**
 * Core's options, without credentials. `resource`: an id for the log. `onHealth`: whether a call has found the upstream up. `onEnd`
 * measures.
 */
export function upstreamOptions(
  property: Property,
  {
    hotel,
    resource,
    onHealth,
    onEnd,
    timeoutMs = UPSTREAM_TIMEOUT_MS,
  }: {
    readonly hotel: HotelSnapshot;
    readonly resource?: string;
    readonly onHealth: (isUp: boolean) => void;
    readonly onEnd?: ((call: EndedUpstreamCall) => void) | undefined;
    readonly timeoutMs?: number;
  },
): Omit<ClientOptions, 'credentials' | 'accessToken'> {
  const { hotelID, hotelIDType, user, timeZone } = hotel;
  return {
    baseUrl: property.baseUrl,
    customerId: hotel.customerId,
    hotel: { hotelID, hotelIDType, user, timeZone },
    providers: { direct: property.providerDirect, hosted: property.providerHosted },
    amountUnit: hotel.amountUnit,
    uncertainReturnCodes: property.uncertainReturnCodes,
    expiresInUnit: property.expiresInUnit,
    allowedOrigins: property.allowedOrigins,
    viewOrigins: property.viewOrigins,
    timeoutMs,
    maxNetworkRetries: 0,
    onResponse: (view) => {
      const { operation, status, durationMs, code } = view;
      logUpstreamCall({ operation, property: property.id, resource, status, durationMs, code });
      onEnd?.({ operation, status, durationMs, code });
      // Not its value, which is redacted for whoever reads it.
      const isUp = healthOf({ operation, status, code, isJson: 'body' in view });
      if (isUp !== undefined) onHealth(isUp);
    },
  };
}

/** Logs in with a property's own credentials. One retry: nothing moves. */
export function loginToUpstream(
  property: Property,
  onHealth: (isUp: boolean) => void,
  { onEnd }: { readonly onEnd?: (call: EndedUpstreamCall) => void } = {},
): Promise<{ accessToken: Redacted; expiresAt: Date }> {
  const { username, password } = property;
  return login(
    createContext({
      ...upstreamOptions(property, { hotel: hotelSnapshot(property), onHealth, onEnd }),
      credentials: { username, password },
      maxNetworkRetries: 1,
    }),
  );
}
