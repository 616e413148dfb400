/** Metrics and traces of one isolate, by OpenTelemetry. */
import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { DeltaReader, SpanBuffer, sendTelemetry } from './exporter.ts';
import { createInstruments } from './instruments.ts';
import { namedProperties } from './named-properties.ts';
import { type EndedCall, parentOf, type RequestTrace, requestTrace, spanOfCall } from './request-trace.ts';
import { parseTelemetrySettings, type TelemetrySettings, type TelemetryVariables } from './telemetry-settings.ts';
import { VERSION } from './version.ts';

/** How far apart two exports of one isolate are at least. */
const FLUSH_INTERVAL_MS = 10_000;

/** Keeps work alive that nobody waits for. */
type WaitUntil = (work: Promise<unknown>) => void;

/** A request that has been answered. `route`: the pattern, never the path. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Asked every few seconds by the launcher or a monitor: at a quiet hotel these would be nearly all traces. */
  readonly isRoutine?: boolean;
}

/** A call to the payment service that has ended. */
export interface UpstreamCallAttributes {
  readonly operation: string;
  readonly status?: number | undefined;
  /** One of core's error codes, when the call failed. */
  readonly code?: string | undefined;
  readonly durationMs: number;
  /** Id of the session, charge or reversal that it was for. */
  readonly resource?: string | undefined;
  /** What it was made for, if that is being followed. */
  readonly traceparent?: string | undefined;
}

/** An attempt to deliver an event that has ended. */
export interface WebhookAttemptAttributes {
  readonly property: string;
  readonly outcome: 'accepted' | 'failed' | 'given_up' | 'disabled';
  readonly status: number | undefined;
  readonly durationMs: number;
  /** From the event to now, of an event that was accepted and not sent again by hand. */
  readonly lagMs: number | undefined;
  readonly eventId: string;
  readonly host: string;
}

/** Why a key does not open a call, and which key, as far as that is known: a wrong one has no name. */
export interface KeyRefusal {
  readonly reason: 'wrong' | 'expired' | 'address' | 'property' | 'scope' | 'page';
  /** Of a platform’s key `platform/key`. */
  readonly key?: string;
  /** Whose key it is, or the hotel that a platform’s key was used for. */
  readonly property?: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export class Telemetry {
  readonly #settings: TelemetrySettings;
  readonly #nameOf: (property: string) => string;
  readonly #reader = new DeltaReader();
  readonly #spans = new SpanBuffer();
  readonly #instruments: ReturnType<typeof createInstruments>;
  readonly #tracer: Tracer;
  #nextFlushAt = 0;
  /** The flush that somebody waits for already. */
  #plannedFor = 0;

  constructor(settings: TelemetrySettings, nameOf: (property: string) => string) {
    this.#settings = settings;
    this.#nameOf = nameOf;
    const resource = resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': VERSION,
      // Whoever adds up the figures of several isolates must be able to tell them apart.
      'service.instance.id': crypto.randomUUID(),
    });
    const meters = new MeterProvider({ resource, readers: [this.#reader] });
    this.#instruments = createInstruments(meters.getMeter('innkeep', VERSION));
    const root = new TraceIdRatioBasedSampler(settings.sampledShare);
    const sampler = new ParentBasedSampler({ root });
    this.#tracer = new TracerProvider({ resource, sampler, spanProcessors: [this.#spans] }).getTracer(
      'innkeep',
      VERSION,
    );
  }

  /** Begins to follow a request. `end` measures it, too. */
  beginRequest(traceparent: string | undefined): RequestTrace & { end(request: AnsweredRequest): void } {
    const span = this.#tracer.startSpan('request', { kind: SpanKind.SERVER }, parentOf(traceparent));
    return {
      ...requestTrace(this.#tracer, span),
      end: ({ method: given, route, status, durationMs, isRoutine }) => {
        const method = METHODS.has(given) ? given : '_OTHER';
        const common = { 'http.request.method': method, 'http.route': route };
        const statusClass = `${Math.floor(status / 100)}xx`;
        this.#instruments.requests.record(durationMs / 1_000, { ...common, 'innkeep.status_class': statusClass });
        if (traceparent === undefined && isRoutine) return;
        span.updateName(`${method} ${route}`).setAttributes({ ...common, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  upstreamCall({ operation, status, code, durationMs, resource, traceparent }: UpstreamCallAttributes): void {
    const outcome = { 'innkeep.operation': operation, 'innkeep.outcome': code ?? 'ok' };
    this.#instruments.upstreamCalls.record(durationMs / 1_000, outcome);
    this.#addSpan(traceparent, {
      name: operation,
      durationMs,
      isFailure: code !== undefined,
      attributes: {
        ...outcome,
        ...(status !== undefined && { 'http.response.status_code': status }),
        ...(resource !== undefined && { 'innkeep.resource': resource }),
      },
    });
  }

  /** A poll that the alarm began so much later than planned. */
  latePoll(lateMs: number): void {
    this.#instruments.latePolls.record(Math.max(0, lateMs) / 1_000);
  }

  unknownOutcome(kind: 'checkout_session' | 'charge' | 'reversal', property: string): void {
    this.#instruments.unknownOutcomes.add(1, { 'innkeep.kind': kind, 'innkeep.property': property });
    // Somebody has to hear of it, and the isolate may have nothing more to do.
    this.flush(undefined, { isWaitedFor: true });
  }

  /** How many outcomes of a hotel are unknown now. */
  unresolvedOutcomes(kind: 'checkout_session' | 'charge' | 'reversal', property: string, count: number): void {
    this.#instruments.unresolvedOutcomes.record(count, { 'innkeep.kind': kind, 'innkeep.property': property });
    this.flush(undefined, { isWaitedFor: true });
  }

  webhookAttempt(attempt: WebhookAttemptAttributes): void {
    const { property, outcome, status, durationMs, lagMs, eventId, host } = attempt;
    const common = { 'innkeep.outcome': outcome };
    // The only one that every event of every hotel counts: hotels of the directory are one series.
    this.#instruments.webhookAttempts.add(1, { ...common, 'innkeep.property': this.#nameOf(property) });
    if (lagMs !== undefined) this.#instruments.webhookLag.record(Math.max(0, lagMs) / 1_000);
    this.#addSpan(undefined, {
      name: 'webhook',
      durationMs,
      isFailure: outcome !== 'accepted',
      attributes: {
        ...common,
        'innkeep.event': eventId,
        'server.address': host,
        ...(status !== undefined && { 'http.response.status_code': status }),
      },
    });
  }

  endpointChange(change: 'paused' | 'resumed' | 'disabled', property: string): void {
    this.#instruments.endpointChanges.add(1, { 'innkeep.change': change, 'innkeep.property': property });
    this.flush(undefined, { isWaitedFor: true });
  }

  keyRefusal({ reason, key, property }: KeyRefusal): void {
    this.#instruments.keyRefusals.add(1, {
      'innkeep.reason': reason,
      ...(key !== undefined && { 'innkeep.key': key }),
      ...(property !== undefined && { 'innkeep.property': property }),
    });
  }

  upstreamReport(state: 'up' | 'unresolved' | 'down' | 'refused', property: string): void {
    this.#instruments.upstreamReports.add(1, { 'innkeep.state': state, 'innkeep.property': property });
    this.flush(undefined, { isWaitedFor: state === 'down' || state === 'refused' });
  }

  /**
   * Sends what was measured, unless that was done less than ten seconds ago. Nobody waits for it.
   * @param waitUntil not needed in an object, which lives as long as something is under way
   * @param isWaitedFor whether what was measured just now is sent even if nothing more happens in this isolate
   */
  flush(waitUntil: WaitUntil = () => undefined, { isWaitedFor = false } = {}): void {
    const now = Date.now();
    const leftMs = this.#nextFlushAt - now;
    // More than an interval: the clock was set back.
    if (leftMs <= 0 || leftMs > FLUSH_INTERVAL_MS) {
      this.#nextFlushAt = now + FLUSH_INTERVAL_MS;
      waitUntil(sendTelemetry(this.#settings, this.#reader, this.#spans));
    } else if (isWaitedFor && this.#plannedFor !== this.#nextFlushAt) {
      this.#plannedFor = this.#nextFlushAt;
      waitUntil(scheduler.wait(leftMs).then(() => this.flush(waitUntil)));
    }
  }

  #addSpan(traceparent: string | undefined, call: EndedCall): void {
    spanOfCall(this.#tracer, parentOf(traceparent), call);
  }
}

// Each object may be given an environment of its own; what has the same settings is measured together.
const shared = new Map<string, Telemetry>();

/** The telemetry of an environment; null when its settings are wrong. */
export function createTelemetry(environment: TelemetryVariables): Telemetry | null {
  const settings = parseTelemetrySettings(environment);
  if (settings === undefined) return null;
  if ('issue' in settings) {
    const { issue } = settings;
    console.error(JSON.stringify({ level: 'error', message: 'telemetry_unavailable', issue }));
    return null;
  }
  const key = JSON.stringify(settings);
  const telemetry = shared.get(key) ?? new Telemetry(settings, namedProperties(environment));
  shared.set(key, telemetry);
  return telemetry;
}
