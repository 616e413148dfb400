/** Who measures. The SDK is in a module of its own, which is loaded only where there is a collector. */
import type { Telemetry } from './telemetry.ts';
import type { TelemetryVariables } from './telemetry-settings.ts';

let createTelemetry: typeof import('./telemetry.ts')['createTelemetry'] | undefined;

/** Loads what measures, if there is a collector. Before that nobody is given it. */
export async function loadTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: TelemetryVariables): Promise<void> {
  if (endpoint) ({ createTelemetry } = await import('./telemetry.ts'));
}

const known = new WeakMap<object, Telemetry | null>();

/** The telemetry of an environment; undefined when no collector is configured. */
export function telemetryOf(environment: TelemetryVariables): Telemetry | undefined {
  if (!environment.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  let telemetry = known.get(environment);
  if (telemetry === undefined) {
    telemetry = createTelemetry?.(environment) ?? null;
    known.set(environment, telemetry);
  }
  return telemetry ?? undefined;
}
