import { type Attributes, ROOT_CONTEXT, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { afterEach, expect, test, vi } from 'vitest';
import { namedProperties } from './named-properties.ts';
import { requestTrace, spanOfCall } from './request-trace.ts';

const SPAN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const spans: unknown[] = [];

/** Notes what is made of a call. */
const tracer = {
  startSpan: (name: string, { startTime, attributes }: { startTime: Date; attributes: Attributes }) => {
    let code: SpanStatusCode = SpanStatusCode.UNSET;
    return {
      setStatus: (status: { code: SpanStatusCode }) => {
        code = status.code;
      },
      end: (at: Date) => spans.push({ name, attributes, code, from: startTime.getTime(), to: at.getTime() }),
    };
  },
} as unknown as Tracer;

function traceOf(traceFlags: number) {
  return requestTrace(tracer, trace.wrapSpanContext({ ...SPAN, traceFlags }));
}

afterEach(() => {
  spans.length = 0;
});

test('a call lasts from its beginning to its end, and says whether it failed', async () => {
  vi.useFakeTimers({ now: 10_000 });
  const { follow, traceparent } = traceOf(1);
  expect(traceparent).toBe(`00-${SPAN.traceId}-${SPAN.spanId}-01`);
  const answer = follow('retrieve', new Promise((resolve) => setTimeout(() => resolve('found'), 250)));
  const failure = follow('start', new Promise((_, reject) => setTimeout(() => reject(new Error('away')), 400)));
  failure.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(400);
  expect(await answer).toBe('found');
  await expect(failure).rejects.toThrow('away');
  const span = (method: string, code: SpanStatusCode, to: number) => {
    return { name: `object ${method}`, attributes: { 'rpc.method': method }, code, from: 10_000, to };
  };
  expect(spans).toEqual([span('retrieve', SpanStatusCode.UNSET, 10_250), span('start', SpanStatusCode.ERROR, 10_400)]);
});

test('a request that is not recorded has no spans below it', async () => {
  const { follow, traceparent } = traceOf(0);
  expect(traceparent.endsWith('-00')).toBe(true);
  expect(await follow('retrieve', Promise.resolve('found'))).toBe('found');
  expect(spans).toEqual([]);
});

test('a call that has ended began as long before as it took', () => {
  vi.useFakeTimers({ now: 10_000 });
  spanOfCall(tracer, ROOT_CONTEXT, { name: 'webhook', durationMs: 300, isFailure: false, attributes: {} });
  expect(spans).toEqual([{ name: 'webhook', attributes: {}, code: SpanStatusCode.UNSET, from: 9_700, to: 10_000 }]);
});

test('the first hundred hotels of the alphabet have names in metrics, and only variables that name a hotel count', () => {
  const variables = Array.from({ length: 101 }, (_, n) => [`PROPERTY_HOTEL_${String(n).padStart(3, '0')}`, '{}']);
  const nameOf = namedProperties(Object.fromEntries(variables.toReversed()));
  expect([nameOf('hotel_000'), nameOf('hotel_099'), nameOf('hotel_100')]).toEqual(['hotel_000', 'hotel_099', 'other']);
  const other = namedProperties({
    MY_PROPERTY_A: '',
    'PROPERTY_B-1': '',
    property_c: '',
    [`PROPERTY_${'D'.repeat(41)}`]: '',
  });
  expect(['a', 'b', 'c', 'd'.repeat(40), 'd'.repeat(41)].map(other)).toEqual(Array(5).fill('other'));
});
