/**
 * The text settings of a deployment, as every object and the front worker see them. `PROPERTY_<ID>` names are dynamic
 * and read by `properties/configured-properties.ts`.
 */
import { isLoopbackHost, parseHttpUrl } from '@innkeep/core/values';

/** Settings that are not objects. */
export interface Settings {
  /**
   * Where guests reach the proxy: an https origin without a path. Every address the proxy hands out begins with it. It may be
   * absent only when the proxy is reached through a loopback address.
   * @example https://pay.hotel.example
   */
  readonly PUBLIC_URL?: string;
  /**
   * Cloudflare only: where all objects live, one of its jurisdictions, such as `eu`. With one that the runtime cannot honor
   * nothing is served, not even the health check. Never change it once data exists: the same names would lead to other, empty
   * objects, while the existing ones go on among themselves.
   * @example eu
   */
  readonly JURISDICTION?: string;
  /**
   * Self-hosted only: the header in which the web server in front sets the caller's address. Each address, or for IPv6 each
   * /64, then has its limits, 600 guest calls and 120 refused ones a minute. Without it no header is trusted and nobody is
   * limited.
   * @example x-real-ip
   */
  readonly CLIENT_ADDRESS_HEADER?: string | null; // null is workerd's word for a variable that is not set
  /**
   * A secret: the keys by which stored tokens are sealed and client secrets derived, 32 random bytes each in Base64, the newest
   * first, separated by spaces. The first seals and derives; each opens what it has made. Live hotels need one; `innkeep-proxy`
   * makes one for test hotels, and on Cloudflare their password stands in for it. Keep them apart from the data: whoever has both
   * can read it.
   */
  readonly SEALING_KEYS?: string | null;
  /**
   * An OpenTelemetry collector, by OTLP over HTTP: metrics go to `/v1/metrics` below this address, traces to `/v1/traces`. https, or
   * http on loopback. Without it nothing is measured.
   * @example https://otel.hotel.example
   */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | null;
  /**
   * A secret: headers for the collector, as `name=value` pairs separated by commas, values percent-encoded.
   * @example authorization=Bearer%20abc
   */
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | null;
  /**
   * What this deployment is called in metrics and traces.
   * @default innkeep-proxy
   */
  readonly OTEL_SERVICE_NAME?: string | null;
  /**
   * The share of new traces that are recorded, from 0 to 1. A request that comes with a `traceparent` is recorded if its caller does.
   * @default 1
   */
  readonly OTEL_TRACES_SAMPLER_ARG?: string | null;
  /**
   * How many bytes the ledger of one hotel may take. From 95 % on its new charges are refused, from 70 % on the log warns once a
   * day. Without it 10,000,000,000, which is what Cloudflare gives; on your own disk it may be more.
   * @example 20000000000
   */
  readonly LEDGER_MAX_BYTES?: string | null;
  /** Self-hosted only, set by the launcher: when the process was started, in milliseconds since the epoch. */
  readonly STARTED_AT?: string | null;
  /** Self-hosted only, set by the launcher: how many payments may be pending at once. */
  readonly MAX_PENDING_PAYMENTS?: string | null;
}

/**
 * The proxy's own address: `PUBLIC_URL`, or what the request used when that is this machine. Never anything else a
 * `Host` header says. Undefined: `PUBLIC_URL` is missing or wrong.
 */
export function publicUrlOf(settings: Settings, requestUrl: string): URL | undefined {
  if (settings.PUBLIC_URL) return parsePublicUrl(settings.PUBLIC_URL);
  const url = parseHttpUrl(requestUrl);
  return url !== undefined && isLoopbackHost(url.hostname) ? new URL(url.origin) : undefined;
}

function parsePublicUrl(text: string): URL | undefined {
  const url = parseHttpUrl(text);
  if (url === undefined || url.pathname !== '/' || url.search !== '' || url.hash !== '') return undefined;
  return url.protocol === 'https:' || isLoopbackHost(url.hostname) ? url : undefined;
}
