/** Core's contexts for the calls of sessions, charges and reversals. */
import { type Context, createContext } from '@innkeep/core/context';
import type { Property } from '../config/properties.ts';
import { CALL_LIMIT_MS } from '../policy/money-timing.ts';
import type { HotelSnapshot } from '../records/session-record.ts';
import { type AccessTokenBindings, accessTokenSource } from './access-token-source.ts';
import { healthReporter } from './upstream-health-report.ts';
import { upstreamOptions } from './upstream-options.ts';

/** Whose calls a context is for. */
export interface Caller {
  readonly id: string;
  readonly hotel: HotelSnapshot;
}

/** Context for the calls of one session. Reads are not retried here: the session's schedule is the retry. */
export function sessionContext(bindings: AccessTokenBindings, property: Property, session: Caller): Context {
  return contextOf(bindings, property, session);
}

/** Context for the one call of a charge or a reversal. */
export function moneyContext(bindings: AccessTokenBindings, property: Property, operation: Caller): Context {
  return contextOf(bindings, property, { ...operation, timeoutMs: CALL_LIMIT_MS });
}

function contextOf(
  bindings: AccessTokenBindings,
  property: Property,
  { id, hotel, timeoutMs }: Caller & { readonly timeoutMs?: number },
): Context {
  return createContext({
    ...upstreamOptions(property, {
      hotel,
      resource: id,
      onHealth: healthReporter(bindings, property, id),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
    accessToken: accessTokenSource(bindings, property),
  });
}
