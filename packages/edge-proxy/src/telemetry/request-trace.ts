/** The span of a request, and the spans below it. A trace is handed on by value, as a W3C `traceparent`. */
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** A request that is being followed. */
export interface RequestTrace {
  readonly traceId: string;
  /** For the objects that work for this request. */
  readonly traceparent: string;
  follow<Answer>(method: string, call: Promise<Answer>): Promise<Answer>;
}

export interface EndedCall {
  readonly name: string;
  readonly durationMs: number;
  readonly isFailure: boolean;
  readonly attributes: Attributes;
}

/** A `traceparent` as the parent of spans. One that is absent or wrong begins a new trace. */
export function parentOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** Makes the span of a call to somebody else, after its end. */
export function spanOfCall(tracer: Tracer, parent: Context, call: EndedCall): void {
  const { name, durationMs, isFailure, attributes } = call;
  const now = Date.now();
  const startTime = new Date(now - durationMs);
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, parent);
  if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(new Date(now));
}

/** A request's trace, by its span. */
export function requestTrace(tracer: Tracer, span: Span): RequestTrace {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const context = trace.setSpan(ROOT_CONTEXT, span);
  const isRecorded = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`,
    async follow(method, call) {
      if (!isRecorded) return call;
      const startedAt = Date.now();
      let isFailure = true;
      try {
        const answer = await call;
        isFailure = false;
        return answer;
      } finally {
        const attributes = { 'rpc.method': method };
        spanOfCall(tracer, context, {
          name: `object ${method}`,
          durationMs: Date.now() - startedAt,
          isFailure,
          attributes,
        });
      }
    },
  };
}
