import { expect, test } from 'vitest';
import { parseTelemetrySettings } from './telemetry-settings.ts';

const ENDPOINT = 'https://otel.test';

test.each([
  ['nothing is set', {}],
  ['it is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['the runtime has no such variable', { OTEL_EXPORTER_OTLP_ENDPOINT: null, OTEL_SERVICE_NAME: null }],
])('there is no collector when %s', (_when, variables) => {
  expect(parseTelemetrySettings(variables)).toBeUndefined();
});

test('an address is enough', () => {
  const settings = { endpoint: ENDPOINT, headers: {}, serviceName: 'innkeep-proxy', sampledShare: 1 };
  expect(parseTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/` })).toEqual(settings);
});

test('the rest is read as OpenTelemetry writes it', () => {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.test/tenants/1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant = inn,x-tenant=hotel, ',
    OTEL_SERVICE_NAME: 'pay',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  expect(parseTelemetrySettings(variables)).toEqual({
    endpoint: 'https://otel.test/tenants/1',
    headers: { authorization: 'Bearer a,b', 'x-tenant': 'hotel' },
    serviceName: 'pay',
    sampledShare: 0.25,
  });
});

test('a number is read as its text: the variables of a Worker are JSON', () => {
  const variables = JSON.parse(`{"OTEL_EXPORTER_OTLP_ENDPOINT": "${ENDPOINT}", "OTEL_TRACES_SAMPLER_ARG": 0.1}`);
  expect(parseTelemetrySettings(variables)).toMatchObject({ sampledShare: 0.1 });
});

test.each(['http://localhost:4318', 'http://127.0.0.1:4318', 'http://[::1]:4318'])('%s needs no TLS', (endpoint) => {
  expect(parseTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toMatchObject({ endpoint });
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://otel.test/marker'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', `https://user:${'marker'}@otel.test`],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://otel.test/?key=marker'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'otel.test:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x y=marker'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=marker%0d%0aHost:x'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'marker'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=marker%ZZ'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'b=1,a='],
  ['OTEL_EXPORTER_OTLP_HEADERS', '=marker'],
  ['OTEL_TRACES_SAMPLER_ARG', 'marker'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-1'],
])('%s=%s is complained about by its name, never by its value', (name, value) => {
  const parsed = parseTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, [name]: value });
  expect(parsed).toEqual({ issue: expect.stringMatching(new RegExp(`^${name} must be `)) });
  expect(JSON.stringify(parsed)).not.toMatch(/marker|1\.5/);
});
