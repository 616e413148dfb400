/** Where metrics and traces go, read from the names that OpenTelemetry gave these settings. */
import { isLoopbackHost, parseHttpUrl } from '@innkeep/core/values';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';

/** The settings of a deployment that telemetry reads. */
export type TelemetryVariables = Readonly<
  Partial<
    Record<
      'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG',
      string | null
    >
  >
>;

export interface TelemetrySettings {
  /** The collector's address, without a trailing slash. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** From 0 to 1. */
  readonly sampledShare: number;
}

/** Reads the settings; undefined when there is no collector. An issue names the setting that is wrong and never its value. */
export function parseTelemetrySettings(
  variables: TelemetryVariables,
): TelemetrySettings | { readonly issue: string } | undefined {
  const endpoint = textOf(variables.OTEL_EXPORTER_OTLP_ENDPOINT);
  if (endpoint === '') return undefined;
  const url = parseHttpUrl(endpoint);
  const isAllowed = url !== undefined && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
  if (!isAllowed || url.search !== '' || url.hash !== '') {
    return {
      issue:
        'OTEL_EXPORTER_OTLP_ENDPOINT must be an https address without user, query or fragment (http only for this machine)',
    };
  }
  const pairs = textOf(variables.OTEL_EXPORTER_OTLP_HEADERS)
    .split(',')
    .filter((pair) => pair.trim() !== '');
  const headers = parseKeyPairsIntoRecord(pairs.join());
  // What cannot be read is left out there, and the collector would refuse everything.
  const isWhole = pairs.every((pair) => Object.keys(parseKeyPairsIntoRecord(pair)).length === 1);
  if (!isWhole || !Object.entries(headers).every(isHeader)) {
    return { issue: 'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, separated by commas' };
  }
  const share = textOf(variables.OTEL_TRACES_SAMPLER_ARG);
  const sampledShare = share === '' ? 1 : Number(share);
  if (!(sampledShare >= 0 && sampledShare <= 1)) {
    return { issue: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1' };
  }
  return {
    endpoint: url.href.replace(/\/+$/, ''),
    headers,
    serviceName: textOf(variables.OTEL_SERVICE_NAME) || 'innkeep-proxy',
    sampledShare,
  };
}

/** A Worker's variable can also be a number. */
function textOf(value: string | null | undefined): string {
  return String(value ?? '').trim();
}

function isHeader([name, value]: readonly [string, string]): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value);
}
