/** The only file that makes core's contexts: today's credentials and trust, the session's own snapshot. */
import { type ClientOptions, type Context, createContext } from '@innkeep/core/context';
import { login } from '@innkeep/core/operations/login';
import type { Redacted } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { type AccessTokenBindings, accessTokenSource } from './access-token-source.ts';
import type { HostedRequestRecord } from './session-record.ts';
import { logUpstreamCall } from './upstream-log.ts';

/** How long one call may take, body included. */
export const UPSTREAM_TIMEOUT_MS = 30_000;

/** What a hosted request keeps using, whatever is edited meanwhile. */
export type HotelSnapshot = Pick<
  HostedRequestRecord,
  'customerId' | 'hotelID' | 'hotelIDType' | 'user' | 'timeZone' | 'amountUnit'
>;

/** A property's present settings in the form a session keeps them. */
export function hotelSnapshot(property: Property): HotelSnapshot {
  const { customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = property;
  return { customerId, hotelID, hotelIDType, user, timeZone, amountUnit };
}

/** Context for the calls of one session. Reads are not retried here: the session's schedule is the retry. */
export function sessionContext(
  bindings: AccessTokenBindings,
  property: Property,
  session: { readonly id: string; readonly hotel: HotelSnapshot },
): Context {
  return createContext({
    ...sharedOptions(property, session.hotel, session.id),
    accessToken: accessTokenSource(bindings, property),
  });
}

/** Logs in with a property's own credentials. One retry: nothing moves. */
export function loginToUpstream(property: Property): Promise<{ accessToken: Redacted; expiresAt: Date }> {
  const { username, password } = property;
  return login(
    createContext({
      ...sharedOptions(property, hotelSnapshot(property)),
      credentials: { username, password },
      maxNetworkRetries: 1,
    }),
  );
}

function sharedOptions(
  property: Property,
  hotel: HotelSnapshot,
  resource?: string,
): Omit<ClientOptions, 'credentials' | 'accessToken'> {
  const { hotelID, hotelIDType, user, timeZone } = hotel;
  return {
    baseUrl: property.baseUrl,
    customerId: hotel.customerId,
    hotel: { hotelID, hotelIDType, user, timeZone },
    providers: { direct: property.providerDirect, hosted: property.providerHosted },
    amountUnit: hotel.amountUnit,
    expiresInUnit: property.expiresInUnit,
    allowedOrigins: property.allowedOrigins,
    viewOrigins: property.viewOrigins,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    maxNetworkRetries: 0,
    onResponse: ({ operation, status, durationMs, code }) => {
      logUpstreamCall({ operation, property: property.id, resource, status, durationMs, code });
    },
  };
}
