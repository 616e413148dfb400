/** Core's context for the calls of one session, charge or reversal. */
import type { Context } from '@innkeep/core/context';
import { UntrustedUrlError } from '@innkeep/core/errors';
import { REDACTED } from '@innkeep/core/values';
import type { Property } from '../properties/configured-properties.ts';
import { type HotelSnapshot, isOfService } from '../properties/hotel-snapshot.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import { type AccessTokenBindings, accessTokenSource, healthReporter, startReporter } from './access-token-source.ts';
import { loadCalls } from './load-calls.ts';
import { callReporter, hotelOptions, UPSTREAM_TIMEOUT_MS, upstreamOptions } from './upstream-options.ts';

/** Making a context checks every setting, and parses each address: once for a property is enough. */
const contexts = new WeakMap<Property, Context>();

/**
 * The context of one caller. What a resource keeps of its hotel was checked when it began.
 * @throws `untrusted_url` when that was at an address that the property does not trust any more
 */
export async function upstreamContext(
  bindings: AccessTokenBindings,
  property: Property,
  caller: {
    readonly id: string;
    readonly hotel: HotelSnapshot;
    readonly timeoutMs?: number;
    /** What the calls are made for. */
    readonly traceparent?: string | undefined;
  },
): Promise<Context> {
  const { id, hotel, timeoutMs = UPSTREAM_TIMEOUT_MS, traceparent } = caller;
  if (!isOfService(hotel, property)) throw new UntrustedUrlError('baseUrl', 'It was made at another address.');
  const telemetry = telemetryOf(bindings);
  return {
    ...(await contextOf(property)),
    ...hotelOptions(hotel),
    timeoutMs,
    onResponse: callReporter(property, {
      resource: id,
      onHealth: healthReporter(bindings, property, id),
      onStart: startReporter(bindings, property, id),
      onEnd: telemetry && ((call) => telemetry.upstreamCall({ ...call, resource: id, traceparent })),
    }),
    tokens: { get: accessTokenSource(bindings, property, traceparent) },
  };
}

async function contextOf(property: Property): Promise<Context> {
  const known = contexts.get(property);
  if (known !== undefined) return known;
  const { createContext } = await loadCalls();
  // Each caller has its own source.
  const context = createContext({ ...upstreamOptions(property), accessToken: () => Promise.reject(new Error()) });
  contexts.set(property, context);
  return context;
}

/**
 * The id of a payment or a provider; null for a blank, or one of which core had to replace something: it names nothing, and nothing is
 * sent with it.
 */
export function keptId(id = ''): string | null {
  return id.trim() === '' || id.includes(REDACTED) || id.includes('\ufffd') ? null : id;
}
