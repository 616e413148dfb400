/** Core's context for the calls of one session, charge or reversal. */
import { type Context, createContext } from '@innkeep/core/context';
import { REDACTED } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import type { HotelSnapshot } from '../records/session-record.ts';
import { telemetryOf } from '../telemetry/telemetry.ts';
import { type AccessTokenBindings, accessTokenSource } from './access-token-source.ts';
import { healthReporter } from './upstream-health-report.ts';
import { UPSTREAM_TIMEOUT_MS, upstreamOptions } from './upstream-options.ts';

/** Reads are not retried here: a session's schedule is the retry. */
export function upstreamContext(
  bindings: AccessTokenBindings,
  property: Property,
  caller: {
    readonly id: string;
    readonly hotel: HotelSnapshot;
    readonly timeoutMs?: number;
    /** What the calls are made for. */
    readonly traceparent?: string | undefined;
  },
): Context {
  const { id, hotel, timeoutMs = UPSTREAM_TIMEOUT_MS, traceparent } = caller;
  const telemetry = telemetryOf(bindings);
  const onHealth = healthReporter(bindings, property, id);
  return createContext({
    ...upstreamOptions(property, {
      hotel,
      resource: id,
      onHealth,
      timeoutMs,
      onEnd: telemetry && ((call) => telemetry.upstreamCall({ ...call, resource: id, traceparent })),
    }),
    accessToken: accessTokenSource(bindings, property, traceparent),
  });
}

/** The id of a payment; null for one of which core had to blank something, so that it names nothing and nothing is sent with it. */
export function keptId(id: string | undefined): string | null {
  return id === undefined || id.includes(REDACTED) ? null : id;
}
