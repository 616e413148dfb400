// A collector on this machine and the proxy as it is deployed, under workerd.
import { text } from 'node:stream/consumers';
import type { RunningProxy } from '@innkeep/edge-proxy/serve';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serveSandbox } from '../../packages/sandbox/dist/index.js';
import { freePort } from '../../scripts/launch.ts';
import { PATIENT } from '../../scripts/test-limits.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { ownFolder } from '../support/own-folder.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';
import { environment, MERCHANT_KEY, serveIn } from './support/environment.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const folder = ownFolder();
const exported: { readonly path: string; readonly key: string; readonly body: string }[] = [];
let collector: HttpServer;
let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
let proxy: RunningProxy;

beforeAll(async () => {
  collector = await serveHttp(async (request, answer) => {
    exported.push({ path: request.url ?? '', key: String(request.headers['x-key']), body: await text(request) });
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  sandbox = await serveSandbox({ port: await freePort() });
  const telemetry = `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}\nOTEL_EXPORTER_OTLP_HEADERS=x-key=known\n`;
  proxy = await serveIn(folder, `${environment(sandbox.url)}\n${telemetry}`, { clock: { offsetMs: 0 } });
});

afterAll(async () => {
  await proxy?.close();
  await sandbox?.close();
  collector?.close();
});

const bodies = (path: string): string =>
  exported
    .filter((each) => each.path === path && each.key === 'known')
    .map(({ body }) => body)
    .join('\n');

const post = (path: string, key: string, body: object): Promise<Response> =>
  askProxy(`${proxy.url}${path}`, key, { body, headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } });

async function start(): Promise<Response> {
  const payment = { kind: 'payment', amount: { value: 100, currency: 'EUR' }, reference: 'RES-OTEL' };
  const created = await post('/v1/checkout-sessions', MERCHANT_KEY, payment);
  const { clientSecret } = (await created.json()) as { clientSecret: string };
  return post('/v1/checkout/start', clientSecret, { presentation: 'tab', terms: 1 });
}

test('metrics and traces arrive, and the trace of a start goes through the objects to the payment service', async () => {
  const started = await start();
  expect([started.status, started.headers.get('x-request-id')]).toEqual([200, TRACE]);
  await proxy.moveClock(11_000);
  await fetch(`${proxy.url}/healthz`);
  await vi.waitFor(() => {
    expect(bodies('/v1/metrics')).toContain('"http.client.request.duration"');
    expect(bodies('/v1/traces')).toContain('"initpayNoIframe"');
  }, PATIENT);
  const names: unknown[] = [];
  const noteSpan = (_: string, value: unknown): unknown => {
    if (Object(value).traceId === TRACE) names.push(Object(value).name);
    return value;
  };
  for (const body of bodies('/v1/traces').split('\n')) JSON.parse(body, noteSpan);
  const routes = ['POST /v1/checkout-sessions', 'POST /v1/checkout/start'];
  expect(names).toEqual(expect.arrayContaining([...routes, 'object start', 'login', 'initpayNoIframe']));
});
