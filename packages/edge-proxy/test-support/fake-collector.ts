/** A collector behind the fake payment service: it takes whatever is exported and answers what was measured. */
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { loadTelemetry } from '../src/telemetry/telemetry-of.ts';
import { send } from './client.ts';
import type { FakeUpstream, SeenRequest } from './fake-upstream.ts';
import { passSeconds } from './objects.ts';

/** Where the collector is. A secret is in the headers. */
export const OTEL_ENVIRONMENT = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.test/base/',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret-marker,x-tenant=hotel',
  OTEL_SERVICE_NAME: 'the-proxy',
};

/** Configures the collector for every object and for the worker of a file. Call it before anything has run. */
export function configureCollector(): Promise<void> {
  return loadTelemetry(Object.assign(env, OTEL_ENVIRONMENT));
}

/** No test asks for it in this way: what the collector asks itself can be told from the rest. */
const [OWN_METHOD, OWN_PATH] = ['HEAD', '/openapi.json'];
/** Of half a second: a busy machine takes its time. */
const MOST_TRIES = 40;
/** When something was last exported in this file, by the latest of its tests' clocks. */
let exportedAt = 0;

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number };
type KeyValues = readonly { readonly key: string; readonly value: Value }[];
type Attributes = Record<string, string | number>;

interface WirePoint {
  readonly attributes: KeyValues;
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: KeyValues;
  readonly status: { readonly code: number };
}

interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly aggregationTemporality: number; readonly dataPoints: readonly WirePoint[] };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly aggregationTemporality: number; readonly dataPoints: readonly WirePoint[] };
}

interface WireExport {
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  }[];
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
}

/** One series of one export. */
export interface Point {
  /** Whose it is: objects of the proxy export in the middle of a test that measures something else. */
  readonly service: string | number | undefined;
  readonly metric: string;
  readonly unit: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly temporality: number;
  readonly attributes: Attributes;
  /** Of a histogram: how many values. */
  readonly count: number;
  /** Of a histogram: their sum. */
  readonly sum: number;
}

export type ExportedSpan = Omit<WireSpan, 'attributes'> & { readonly attributes: Attributes };

/** Everything that was exported since it was made. */
export class FakeCollector {
  readonly #upstream: FakeUpstream;

  constructor(upstream: FakeUpstream) {
    this.#upstream = upstream;
    for (const signal of ['metrics', 'traces']) {
      upstream.overrides[signal] = ({ at }) => {
        exportedAt = Math.max(exportedAt, at);
        return Response.json({});
      };
    }
  }

  get requests(): SeenRequest[] {
    return this.#upstream.requests.filter(({ url }) => url.hostname === 'otel.test');
  }

  get points(): Point[] {
    const metrics = this.#exports().flatMap(({ resourceMetrics = [] }) =>
      resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
        const service = toAttributes(resource.attributes)['service.name'];
        return scopeMetrics.flatMap((scope) => scope.metrics.map((metric) => ({ ...metric, service })));
      }),
    );
    return metrics.flatMap(({ name, unit, sum, gauge, histogram, service }) => {
      const type = sum ? 'counter' : gauge ? 'gauge' : 'histogram';
      const temporality = (sum ?? histogram)?.aggregationTemporality ?? 0;
      const points = (sum ?? gauge ?? histogram)?.dataPoints ?? [];
      return points.map((point) => ({
        ...{ service, metric: name, unit, type, temporality },
        attributes: toAttributes(point.attributes),
        count: point.count ?? point.asDouble ?? 0,
        sum: point.sum ?? 0,
      }));
    });
  }

  get spans(): ExportedSpan[] {
    const spans = this.#exports().flatMap(({ resourceSpans = [] }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    return spans.map((span) => ({ ...span, attributes: toAttributes(span.attributes) }));
  }

  /** How often a thing was measured, in the series of a service that have these attributes at least. */
  count(metric: string, attributes: Attributes = {}, service = OTEL_ENVIRONMENT.OTEL_SERVICE_NAME): number {
    return this.points
      .filter((point) => point.metric === metric && point.service === service)
      .filter((point) => Object.entries(attributes).every(([name, value]) => point.attributes[name] === value))
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** Lets everything measured so far be exported, and waits for it: an export ends long after the request that caused it. */
  async flush(): Promise<void> {
    const before = this.#ownCounts();
    // The clock was set back since the last export, between two tests.
    vi.setSystemTime(Math.max(Date.now(), exportedAt));
    // Again if need be: an object has exported just before.
    for (let asked = 1; ; asked++) {
      passSeconds(11);
      await send(OWN_PATH, { method: OWN_METHOD });
      const isExported = () => expect(this.#ownCounts()).toEqual(before.map((count) => count + asked));
      if (asked === MOST_TRIES) return isExported();
      const isDone = await vi.waitFor(isExported, { timeout: 500 }).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  /** Forgets everything, what was measured and not exported yet included. */
  async clear(): Promise<void> {
    await this.flush();
    this.#upstream.requests.length = 0;
  }

  #ownCounts(): number[] {
    const counted = this.count('http.server.request.duration', { 'http.request.method': OWN_METHOD });
    return [counted, this.spans.filter(({ name }) => name === `${OWN_METHOD} ${OWN_PATH}`).length];
  }

  #exports(): WireExport[] {
    return this.requests.map(({ body }) => JSON.parse(body) as WireExport);
  }
}

function toAttributes(list: KeyValues): Attributes {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? '']),
  );
}
