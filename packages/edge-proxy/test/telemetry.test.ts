/** What a collector is told: metrics with few series, traces that follow a request to the payment service, and no secret. */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { createWorker } from '../src/runtime/worker-app.ts';
import { MAX_SERIES } from '../src/telemetry/instruments.ts';
import { telemetryOf } from '../src/telemetry/telemetry-of.ts';
import { VERSION } from '../src/telemetry/version.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import { createSession, merchant, retrieve, send, startAttempt, startSession } from '../test-support/client.ts';
import { runAlarmsSetForNow, stopClock } from '../test-support/clock.ts';
import { KEYS, TEST_ENVIRONMENT, WEBHOOK_SECRETS } from '../test-support/environment.ts';
import { configureCollector, FakeCollector, OTEL_ENVIRONMENT } from '../test-support/fake-collector.ts';
import { useFakes } from '../test-support/harness.ts';
import { answerMoney, charge, postReversal } from '../test-support/money.ts';
import { passSeconds, runLedgerAlarm, runSessionAlarm } from '../test-support/objects.ts';

await configureCollector();
const fakes = useFakes();
let collector: FakeCollector;
let bookings = 0;
let lines: string[];

beforeEach(async () => {
  collector = new FakeCollector(fakes.upstream);
  answerMoney(fakes.upstream);
  lines = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line)));
  }
  await runAlarmsSetForNow();
  await collector.clear();
  stopClock();
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const followed = (flags = '01') => ({ traceparent: `00-${TRACE}-${CALLER}-${flags}` });
const booking = () => {
  bookings += 1;
  return { reference: `RES-TELEMETRY-${bookings}` };
};

describe('requests', () => {
  test('are measured by the pattern of their route, never by their path', async () => {
    const { id } = await createSession(booking());
    await retrieve(id);
    await merchant('/v1/checkout-sessions/cs_unknown');
    await send(`/nothing/at/${id}`);
    await collector.flush();
    const name = 'http.server.request.duration';
    const route = { 'http.request.method': 'GET', 'http.route': '/v1/checkout-sessions/:id' };
    expect(collector.count(name, { ...route, 'innkeep.status_class': '2xx' })).toBe(1);
    expect(collector.count(name, { ...route, 'innkeep.status_class': '4xx' })).toBe(1);
    const [point] = collector.points.filter(({ metric }) => metric === name);
    expect(point).toMatchObject({ unit: 's', type: 'histogram', temporality: 1 });
    expect(JSON.stringify(collector.points)).not.toContain(id);
  });

  test('of made-up methods share one series', async () => {
    for (const method of ['LOCK', 'MKCOL', 'SEARCH']) await send('/healthz', { method });
    await collector.flush();
    const seen = collector.points
      .filter(({ metric }) => metric === 'http.server.request.duration')
      .map(({ attributes }) => attributes['http.request.method']);
    expect(new Set(seen)).toEqual(new Set(['HEAD', '_OTHER']));
  });

  test('are exported every ten seconds at most, and the last of a burst without another one', async () => {
    const { wait } = scheduler;
    let isOver = false;
    const waits = vi.spyOn(scheduler, 'wait').mockImplementation(async () => {
      while (!isOver) await wait.call(scheduler, 5);
    });
    await Promise.all(Array.from({ length: 20 }, () => send('/healthz')));
    passSeconds(10);
    isOver = true;
    await expect.poll(() => collector.count('http.server.request.duration')).toBe(20);
    expect(collector.requests.filter(({ operation }) => operation === 'metrics').length).toBeLessThanOrEqual(2);
    expect(waits.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test('are sent while the runtime is told to wait, the last of a burst, too', async () => {
    const { wait } = scheduler;
    vi.spyOn(scheduler, 'wait').mockImplementation(async (ms) => {
      passSeconds(ms / 1_000);
      // Whatever else waits over and over must not keep everything from going on.
      await wait.call(scheduler, 1);
    });
    let taken = 0;
    fakes.upstream.overrides.metrics = async () => {
      await wait.call(scheduler, 1);
      taken += 1;
      return Response.json({});
    };
    const waitedFor: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => void waitedFor.push(work) } as unknown as ExecutionContext;
    const own = { ...env, OTEL_SERVICE_NAME: 'waited-for' };
    const worker = createWorker();
    for (const _ of [1, 2]) await worker.fetch(new Request('https://proxy.test/healthz'), own, context);
    for (let work = waitedFor.shift(); work !== undefined; work = waitedFor.shift()) await work;
    expect([taken, collector.count('http.server.request.duration', {}, 'waited-for')]).toEqual([2, 2]);
  });

  test('reach the collector with its headers, and under the name of the deployment', async () => {
    await collector.flush();
    const [first] = collector.requests;
    expect(first?.url.href).toBe('https://otel.test/base/v1/metrics');
    expect(Object.fromEntries(first?.headers ?? [])).toMatchObject({
      authorization: 'Bearer collector-secret-marker',
      'x-tenant': 'hotel',
      'content-type': 'application/json',
    });
    const { resourceMetrics } = JSON.parse(first?.body ?? '') as {
      resourceMetrics: { resource: { attributes: { key: string; value: { stringValue: string } }[] } }[];
    };
    const resource = resourceMetrics[0]?.resource.attributes.map(({ key, value }) => [key, value.stringValue]);
    expect(Object.fromEntries(resource ?? [])).toEqual({
      'service.name': 'the-proxy',
      'service.version': VERSION,
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

describe('a trace', () => {
  const inTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => {
    const found = inTrace().filter((span) => span.name === name);
    expect(found, `spans called ${name}`).toHaveLength(1);
    return found[0];
  };
  const someCharge = () => ({ amount: { value: 100, currency: 'EUR' }, reason: 'no_show', ...booking() });
  const post = (path: string, body: object, trace = followed()): Promise<Response> =>
    merchant(`/v1/${path}`, { body, headers: { 'idempotency-key': `${path}-${bookings}`, ...trace } });

  test('follows a start from its caller to the payment service, and the request keeps its id', async () => {
    const { clientSecret } = await createSession(booking());
    const headers = { origin: 'https://aurora.test', ...followed() };
    const body = { presentation: 'redirect', terms: 1 };
    const answer = await merchant('/v1/checkout/start', { key: clientSecret, headers, body });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, TRACE]);
    await merchant('/v1/events', { key: KEYS.broken, headers: followed() });
    await collector.flush();
    const server = named('POST /v1/checkout/start');
    const attributes = { 'http.route': '/v1/checkout/start', 'http.response.status_code': 200 };
    expect(server).toMatchObject({ parentSpanId: CALLER, kind: 2, status: { code: 0 }, attributes });
    expect(named('GET /v1/events')).toMatchObject({ status: { code: 2 } });
    expect(named('object start')).toMatchObject({ parentSpanId: server?.spanId, kind: 3 });
    expect(named('initpayNoIframe')).toMatchObject({ parentSpanId: server?.spanId, kind: 3 });
  });

  test('has every object that a route asks, and every call of the payment service, from an alarm, too', async () => {
    const { id: card } = await startSession({ kind: 'card', amount: undefined, ...booking() });
    fakes.upstream.pay(card);
    await merchant(`/v1/checkout-sessions/${card}/refresh`, { method: 'POST', headers: followed() });
    const charged = await post('charges', { card, ...someCharge() });
    const { id: payment } = await charged.json<{ id: string }>();
    await post('reversals', { payment });
    await merchant('/v1/charges', { headers: followed() });
    fakes.upstream.overrides.keepalivereq = () => new Response('<ok/>');
    const headers = { 'content-type': 'text/xml', ...followed() };
    const answer = await merchant('/v1/gateway/RMS/keepalivereq', { headers, body: '<r/>' });
    expect(answer.status).toBe(200);
    await collector.flush();
    const answered = { 'http.response.status_code': 200, 'innkeep.outcome': 'ok' };
    for (const [call, route, attributes] of [
      ['paystatus', 'POST /v1/checkout-sessions/:id/refresh', { 'innkeep.resource': card, ...answered }],
      ['object cardToken', 'POST /v1/charges', {}],
      ['object charge', 'POST /v1/charges', {}],
      ['pay', 'POST /v1/charges', {}],
      ['reversal', 'POST /v1/reversals', {}],
      ['object list', 'GET /v1/charges', {}],
      ['gateway', 'POST /v1/gateway/:protocol/:method', answered],
    ] as const) {
      expect(named(call)).toMatchObject({ parentSpanId: named(route)?.spanId, attributes });
    }
  });

  test('has the login that a call needs', async () => {
    const borealis = parseProperty('borealis', TEST_ENVIRONMENT.PROPERTY_BOREALIS) as Property;
    const object = env.ACCESS_TOKENS.getByName(await accessTokenObjectName(borealis));
    const answer = await object.getToken('borealis', null);
    await object.getToken('borealis', answer.ok ? answer.token : '', followed().traceparent);
    await collector.flush();
    expect(named('login')).toMatchObject({ parentSpanId: CALLER, attributes: { 'innkeep.outcome': 'ok' } });
  });

  test('that its caller does not record is not recorded here either, nor in the objects', async () => {
    const answer = await post('charges', { token: 'TOKEN', ...someCharge() }, followed('00'));
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([201, TRACE]);
    await collector.flush();
    expect(collector.count('http.client.request.duration', { 'innkeep.operation': 'pay' })).toBe(1);
    expect(collector.spans.filter(({ name, traceId }) => traceId === TRACE || name === 'pay')).toEqual([]);
  });

  test.each([
    ['with a share of 0', '0', '/nowhere', '/*'],
    ['of a question for its health', '1', '/healthz', '/healthz'],
  ])('%s is recorded only for a caller who records', async (_what, share, path, route) => {
    const none = { ...env, OTEL_TRACES_SAMPLER_ARG: share, OTEL_SERVICE_NAME: `unsampled-${share}` };
    const worker = createWorker();
    const ask = (headers: Record<string, string>, method = 'GET') =>
      worker.fetch(new Request(`https://proxy.test${path}`, { method, headers }), none, {
        waitUntil: () => undefined,
      } as unknown as ExecutionContext);
    await ask({});
    await ask(followed());
    passSeconds(11);
    // As some monitors do.
    await ask({}, 'HEAD');
    const asked = () => collector.count('http.server.request.duration', {}, none.OTEL_SERVICE_NAME);
    await expect.poll(() => asked()).toBe(3);
    const recorded = () => collector.spans.filter(({ name }) => name.endsWith(` ${route}`));
    await expect.poll(() => recorded().map(({ traceId }) => traceId)).toEqual([TRACE]);
  });
});

describe('what an operator has to hear of', () => {
  test('an outcome that became unknown, once, by its kind', async () => {
    fakes.upstream.overrides.pay = () => Promise.reject(new TypeError('Network connection lost.'));
    expect(await charge(`unknown-${bookings}`, booking())).toMatchObject({ status: 'unknown' });
    const { id } = await startSession(booking());
    fakes.upstream.pay(id, { amount: 1 });
    for (let poll = 0; poll < 8; poll++) {
      passSeconds(60);
      await runSessionAlarm(id);
    }
    expect(await retrieve(id)).toMatchObject({ status: 'unknown' });
    await collector.flush();
    const name = 'innkeep.outcome.unknown';
    expect(collector.count(name, { 'innkeep.kind': 'charge', 'innkeep.property': 'aurora' })).toBe(1);
    expect(collector.count(name, { 'innkeep.kind': 'checkout_session', 'innkeep.property': 'aurora' })).toBe(1);
    expect(collector.count(name)).toBe(2);
  });

  test('a key that is refused, by its name and why', async () => {
    await merchant('/v1/charges', { key: KEYS.auroraEvents });
    await collector.flush();
    const attributes = { 'innkeep.reason': 'scope', 'innkeep.key': 'books', 'innkeep.property': 'aurora' };
    expect(collector.count('innkeep.key.refusals', attributes)).toBe(1);
  });

  test('a poll that came late', async () => {
    const { id } = await startSession(booking());
    passSeconds(121);
    await runSessionAlarm(id);
    await collector.flush();
    const late = collector.points.filter(({ metric }) => metric === 'innkeep.poll.lateness');
    expect(late.reduce((sum, point) => sum + point.sum, 0)).toBeGreaterThan(90);
  });

  test('webhooks: how they end, how long they took, and an endpoint that was paused', async () => {
    await runLedgerAlarm();
    await collector.flush();
    const accepted = { 'innkeep.outcome': 'accepted', 'innkeep.property': 'aurora' };
    const before = collector.count('innkeep.webhook.attempts', accepted);
    fakes.upstream.webhookStatus = 500;
    for (let n = 0; n < 5; n++) {
      const { id } = await startSession(booking());
      fakes.upstream.pay(id);
      passSeconds(2_000);
      await runSessionAlarm(id);
      await runLedgerAlarm();
    }
    fakes.upstream.webhookStatus = 204;
    passSeconds(7_200);
    await runLedgerAlarm();
    await runLedgerAlarm();
    await collector.flush();
    expect(collector.count('innkeep.webhook.attempts', { ...accepted, 'innkeep.outcome': 'failed' })).toBeGreaterThan(
      4,
    );
    expect(collector.count('innkeep.webhook.attempts', accepted)).toBeGreaterThan(before);
    const changes = (change: string) =>
      collector.count('innkeep.webhook.endpoint.changes', { 'innkeep.change': change, 'innkeep.property': 'aurora' });
    expect([changes('paused'), changes('resumed')]).toEqual([1, 1]);
    const lags = collector.points.filter(({ metric }) => metric === 'innkeep.webhook.lag');
    expect(lags.reduce((sum, point) => sum + point.sum, 0)).toBeGreaterThan(7_000);
  });
});

test('a call of the payment service is told with what is known of it, and no more', async () => {
  const telemetry = telemetryOf({ ...OTEL_ENVIRONMENT, OTEL_SERVICE_NAME: 'calls' });
  const call = { operation: 'told', ...followed() };
  telemetry?.upstreamCall({ ...call, durationMs: 1_500 });
  telemetry?.upstreamCall({ ...call, durationMs: 500, code: 'network', status: 500, resource: 'ch_1' });
  telemetry?.latePoll(3_000);
  telemetry?.latePoll(-1);
  telemetry?.flush();
  const told = () => collector.spans.filter(({ name }) => name === 'told');
  await expect.poll(told).toHaveLength(2);
  const operation = { 'innkeep.operation': 'told' };
  expect(told().map(({ attributes, status }) => [attributes, status.code])).toEqual([
    [{ ...operation, 'innkeep.outcome': 'ok' }, 0],
    [
      {
        ...{ ...operation, 'innkeep.outcome': 'network' },
        ...{ 'http.response.status_code': 500, 'innkeep.resource': 'ch_1' },
      },
      2,
    ],
  ]);
  const seconds = (metric: string) =>
    collector.points
      .filter((point) => point.service === 'calls' && point.metric === metric)
      .reduce((total, { sum }) => total + sum, 0);
  expect([seconds('http.client.request.duration'), seconds('innkeep.poll.lateness')]).toEqual([2, 3]);
});

test.each([
  ['a service that is down', 'down', 1],
  ['a refused login', 'refused', 1],
  ['a service that is up', 'up', 0],
  ['a call without an answer', 'unresolved', 0],
] as const)('%s is told without another request: %s, %i', (_case, state, waits) => {
  const telemetry = telemetryOf({ ...OTEL_ENVIRONMENT, OTEL_SERVICE_NAME: `waits ${state}` });
  telemetry?.flush();
  const wait = vi.spyOn(scheduler, 'wait').mockReturnValue(new Promise(() => undefined));
  telemetry?.upstreamReport(state, 'aurora');
  telemetry?.upstreamReport(state, 'aurora');
  expect(wait).toHaveBeenCalledTimes(waits);
  telemetry?.unresolvedOutcomes('charge', 'aurora', 1);
  expect(wait).toHaveBeenCalledTimes(1);
});

describe('a collector', () => {
  test.each([
    ['is dead', () => Promise.reject(new TypeError('connect https://otel.test/?key=marker')), 'unreachable'],
    ['refuses', () => new Response('collector-secret-marker', { status: 503 }), 'status 503'],
    ['redirects', () => Response.redirect('https://elsewhere.test', 302), 'status 302'],
  ])('that %s loses figures and nothing else', async (_case, answer, reason) => {
    await collector.flush();
    fakes.upstream.overrides.metrics = answer;
    fakes.upstream.overrides.traces = answer;
    const lost = () =>
      lines.filter((line) => line.includes('telemetry_lost')).map((line) => JSON.parse(line) as { signal: string });
    // Again if need be: what an earlier test has planned may have taken this interval's turn.
    await vi.waitFor(async () => {
      passSeconds(11);
      expect((await send('/openapi.json')).status).toBe(200);
      const isLost = () => expect(new Set(lost().map(({ signal }) => signal))).toEqual(new Set(['metrics', 'traces']));
      await vi.waitFor(isLost, { timeout: 500 });
    }, PATIENT);
    expect(lost()).toContainEqual({ level: 'warn', message: 'telemetry_lost', signal: 'metrics', reason });
    expect(lines.join('\n')).not.toMatch(/marker|otel\.test/);
    collector = new FakeCollector(fakes.upstream);
    const asked = () => collector.count('http.server.request.duration', { 'http.request.method': 'GET' });
    const before = asked();
    await collector.flush();
    // The request that was lost is not counted later: a figure is sent once.
    expect(asked()).toBe(before);
  });

  test('that never answers keeps no request waiting', async () => {
    const held = ['metrics', 'traces'].map((signal) => fakes.upstream.hold(signal, () => Response.json({})));
    expect(await charge(`hang-${bookings}`, booking())).toMatchObject({ status: 'succeeded' });
    for (let request = 0; request < 3; request++) {
      passSeconds(11);
      expect((await send('/healthz')).status).toBe(200);
    }
    for (const { release } of held) release();
  });

  test('that is not configured makes nothing', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...bare } = env as typeof env & typeof OTEL_ENVIRONMENT;
    expect(telemetryOf(bare)).toBeUndefined();
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: null })).toBeUndefined();
    const answer = await createWorker().fetch(new Request('https://proxy.test/healthz'), bare, {} as ExecutionContext);
    expect(answer.status).toBe(200);
    expect(collector.requests).toEqual([]);
  });

  test('whose address is wrong is named in the log, and nothing is measured', () => {
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.test/secret-marker' })).toBeUndefined();
    expect(lines.join('')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT must be an https address');
    expect(lines.join('')).not.toContain('marker');
  });
});

test('the number of series stays below the bound, whatever is measured', async () => {
  const telemetry = telemetryOf({ ...OTEL_ENVIRONMENT, ...env, OTEL_SERVICE_NAME: 'bounds' });
  for (let n = 0; n < 3 * MAX_SERIES; n++) {
    telemetry?.unknownOutcome('charge', `hotel_${n}`);
    telemetry?.upstreamReport('down', `hotel_${n}`);
    telemetry?.endpointChange('paused', `hotel_${n}`);
    telemetry?.upstreamCall({ operation: `operation_${n}`, durationMs: 1 });
    const attempt = { status: 500, durationMs: 1, lagMs: undefined, eventId: 'ev_1', host: 'h' };
    telemetry?.webhookAttempt({ ...attempt, outcome: 'failed', property: `hotel_${n}` });
    telemetry?.beginRequest(undefined).end({ method: 'GET', route: `/${n}`, status: 200, durationMs: 1 });
  }
  passSeconds(11);
  telemetry?.flush();
  const points = () => collector.points.filter(({ service }) => service === 'bounds');
  await expect.poll(() => points().length).toBeGreaterThan(MAX_SERIES);
  const seriesOf = Map.groupBy(points(), ({ metric }) => metric);
  for (const [metric, series] of seriesOf) {
    const { size } = new Set(series.map(({ attributes }) => JSON.stringify(attributes)));
    expect([metric, size <= MAX_SERIES]).toEqual([metric, true]);
  }
  // Where an outage is told, hotels have series of their own. What is beyond the bound is one series, which is named.
  for (const metric of ['innkeep.outcome.unknown', 'innkeep.upstream.reports', 'innkeep.webhook.endpoint.changes']) {
    const rest = seriesOf.get(metric)?.filter(({ attributes }) => !('innkeep.property' in attributes));
    expect(rest?.map(({ attributes, count }) => [metric, Object.keys(attributes), count])).toEqual([
      [metric, ['otel.metric.overflow'], 2 * MAX_SERIES + 1],
    ]);
  }
  const names = seriesOf.get('innkeep.webhook.attempts')?.map(({ attributes }) => attributes['innkeep.property']);
  expect(new Set(names)).toEqual(new Set(['other']));
});

test('nothing that is exported holds a secret, a token, a card number, a reference or an address', async () => {
  const created = await createSession({
    ...booking(),
    description: 'DESCRIPTION-MARKER',
    metadata: { note: 'METADATA-MARKER' },
  });
  const { viewUrl } = await (await startAttempt(created)).json<{ viewUrl: string }>();
  const { id: payment } = await charge(`markers-${bookings}`, booking());
  await postReversal(`markers-r-${bookings}`, { payment });
  const back = fakes.upstream.returnPath(created.id, 'success');
  fakes.upstream.pay(created.id, { returnText: '4111111111111111' });
  await send(back, { headers: followed() });
  passSeconds(10);
  await runSessionAlarm(created.id);
  await runLedgerAlarm();
  await merchant('/v1/charges?token=QUERY-MARKER', { method: 'POST', key: 'sk_test_WRONG-KEY' });
  const card = await startSession({ kind: 'card', amount: undefined, ...booking() });
  fakes.upstream.pay(card.id);
  passSeconds(10);
  await runSessionAlarm(card.id);
  fakes.upstream.overrides.paystatus = () => new Response('4111 1111 1111 1111', { status: 500 });
  await collector.flush();
  const exported = collector.requests.map(({ body }) => body).join('\n');
  expect(collector.spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['initpayNoIframe', 'paystatus', 'transaction', 'pay', 'webhook']),
  );
  const [, nonce = 'no nonce'] = /\/return\/[^/]+\/([^/]+)\//.exec(back) ?? [];
  const secrets = [
    created.clientSecret,
    card.clientSecret,
    viewUrl,
    nonce,
    ...Object.values(KEYS),
    ...WEBHOOK_SECRETS,
    'MARKER',
    'marker',
    'sk_test_WRONG-KEY',
    'TOKEN-SECRET-9876',
    'token-1',
    'RES-TELEMETRY',
    'aurora-user',
    '41111111',
    '4111 1111',
    '://',
    TEST_ENVIRONMENT.SEALING_KEYS,
  ];
  expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
});
