/**
 * What is measured. Attributes are words of ours from short lists: never an id, a reference, an address or a text from outside.
 * `docs/guides/observe.md` says what each metric means; the dashboard and the alert rules name them.
 */
import type { Meter } from '@opentelemetry/api';

/** No instrument has more series than this in one isolate; what is more becomes one series, `otel.metric.overflow`. */
export const MAX_SERIES = 500;

const FAST_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SLOW_S = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400];

/** Makes every instrument. The names of OpenTelemetry's conventions where there are any. */
export function createInstruments(meter: Meter) {
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } });
  const counter = (name: string, unit: string, description: string) => meter.createCounter(name, { unit, description });
  return {
    requests: seconds('http.server.request.duration', 'Requests to the proxy', FAST_S),
    upstreamCalls: seconds('http.client.request.duration', 'Calls to the payment service', FAST_S),
    latePolls: seconds('innkeep.poll.lateness', 'How late the alarm polled a payment', SLOW_S),
    webhookLag: seconds('innkeep.webhook.lag', 'Time from an event to its delivery', SLOW_S),
    unknownOutcomes: counter('innkeep.outcome.unknown', '{outcome}', 'Payments whose outcome became unknown'),
    unresolvedOutcomes: meter.createGauge('innkeep.outcome.unresolved', {
      unit: '{outcome}',
      description: 'Payments whose outcome is unknown now',
    }),
    webhookAttempts: counter('innkeep.webhook.attempts', '{attempt}', 'Attempts to deliver an event'),
    keyRefusals: counter('innkeep.key.refusals', '{request}', 'Requests whose key was refused'),
    endpointChanges: counter(
      'innkeep.webhook.endpoint.changes',
      '{change}',
      'Webhook endpoints that were paused, resumed or disabled',
    ),
    upstreamReports: counter(
      'innkeep.upstream.reports',
      '{report}',
      'State of the payment service after a call that failed, or after the first that succeeded',
    ),
  };
}
