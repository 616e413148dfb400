/** Collects what was measured and sends it. What cannot be sent is lost: nothing is kept for a collector that does not answer. */
import type { Context } from '@opentelemetry/api';
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { AggregationTemporality, MetricReader } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';
import { MAX_SERIES } from './instruments.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** How long a collector may take. */
const EXPORT_LIMIT_MS = 5_000;
/** How many spans wait to be sent at most; further ones are dropped. */
const MAX_WAITING_SPANS = 1_000;

/**
 * Read by hand: the readers of the SDK set timers, and a timer belongs to the request that set it.
 *
 * Each export has what came since the one before. Isolates come and go, and nobody could tell the sum of one that ended from a counter
 * that was set back.
 */
export class DeltaReader extends MetricReader {
  constructor() {
    super({
      aggregationTemporalitySelector: () => AggregationTemporality.DELTA,
      cardinalitySelector: () => MAX_SERIES,
    });
  }

  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Keeps ended spans until they are sent. */
export class SpanBuffer implements SpanProcessor {
  #waiting: ReadableSpan[] = [];

  onStart(_span: Span, _parent: Context): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting.length < MAX_WAITING_SPANS) this.#waiting.push(span);
  }

  take(): ReadableSpan[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

/** Sends everything that waits. Never throws. */
export async function sendTelemetry(
  settings: TelemetrySettings,
  reader: DeltaReader,
  spans: SpanBuffer,
): Promise<void> {
  const ended = spans.take();
  try {
    const { resourceMetrics } = await reader.collect();
    await Promise.all([
      resourceMetrics.scopeMetrics.length > 0 &&
        post(settings, 'metrics', JsonMetricsSerializer.serializeRequest(resourceMetrics)),
      ended.length > 0 && post(settings, 'traces', JsonTraceSerializer.serializeRequest(ended)),
    ]);
  } catch (error) {
    logLost('metrics', error instanceof Error ? error.name : 'unknown');
  }
}

async function post(
  { endpoint, headers }: TelemetrySettings,
  signalName: 'metrics' | 'traces',
  body: Uint8Array | undefined,
): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), EXPORT_LIMIT_MS);
  try {
    const answer = await fetch(`${endpoint}/v1/${signalName}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: body ?? null,
      redirect: 'manual',
      signal: limit.signal,
    });
    await answer.body?.cancel();
    if (!answer.ok) logLost(signalName, `status ${answer.status}`);
  } catch {
    // What a runtime says of a failed request may quote its address.
    logLost(signalName, limit.signal.aborted ? 'timeout' : 'unreachable');
  } finally {
    clearTimeout(timer);
  }
}

function logLost(signal: string, reason: string): void {
  console.warn(JSON.stringify({ level: 'warn', message: 'telemetry_lost', signal, reason }));
}
