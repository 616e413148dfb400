import { beforeEach, expect, test, vi } from 'vitest';
import { useLog } from '../../test-support/log.ts';
import { takePermits } from '../../test-support/permits.ts';
import { anotherHotel } from '../../test-support/upstream.ts';
import { type Permit, upstreamOf } from './call-budget.ts';
import { sendToGateway } from './send-to-gateway.ts';

const GATEWAY = { apiKey: 'k'.repeat(40), apiKeyIn: 'header' as const, allow: ['RMS/keepalivereq'] };
const BODY = { contentType: 'text/xml', bytes: new Uint8Array([60]) };
const MESSAGE = { protocol: 'RMS', method: 'keepalivereq', body: BODY };
let hotels = 0;
let hotel: Parameters<typeof sendToGateway>[0];
const lines = useLog('log', 'warn');

beforeEach(() => {
  hotels += 1;
  hotel = { ...anotherHotel({ baseUrl: `https://gateway-${hotels}.test` }), gateway: GATEWAY };
});

const answers = (answer: () => Response | Promise<Response>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());

const fill = (): Permit[] => takePermits('gateway', { ...upstreamOf(hotel), source: 'gateway' });

/** Sends one message and says how that ended, to its caller and to who measures. */
async function send() {
  const onEnd = vi.fn();
  const outcome = await sendToGateway(hotel, MESSAGE, { onEnd }).then(
    (body) => ({ contentType: body.contentType }),
    (error) => ({ code: error.code, ...error.details }),
  );
  return { outcome, ends: onEnd.mock.calls.map(([call]) => call) };
}

test('an answer is measured and logged as a success, and its permit ends', async () => {
  const before = fill();
  for (const permit of before) permit.end();
  answers(() => new Response('<ok/>', { headers: { 'content-type': 'text/xml' } }));
  const { outcome, ends } = await send();
  expect(outcome).toEqual({ contentType: 'text/xml' });
  const call = { operation: 'gateway', status: 200, durationMs: expect.any(Number), code: undefined };
  expect(ends).toEqual([call]);
  expect(ends[0].durationMs).toBeLessThan(60_000);
  expect(lines).toMatchObject([{ level: 'info', property: hotel.id, operation: 'gateway', status: 200 }]);
  expect(fill()).toHaveLength(before.length);
});

const tooMuch = (type: string) => () => new Response(new Uint8Array(4_194_305), { headers: { 'content-type': type } });
const TOO_MUCH = { code: 'upstream_error', detail: 'The gateway’s answer is too large', upstreamStatus: 200 };
const LOST = 'The connection to the gateway failed: the message may have been carried out';

test.each<[string, () => Response | Promise<Response>, object]>([
  [
    'a status of its own',
    () => new Response('no', { status: 500 }),
    { code: 'upstream_error', detail: 'The gateway answered with status 500', upstreamStatus: 500 },
  ],
  ['too much XML', tooMuch('text/xml'), TOO_MUCH],
  ['too much JSON', tooMuch('application/json'), TOO_MUCH],
  ['nothing', () => Promise.reject(new TypeError('lost')), { code: 'upstream_error', detail: LOST }],
])('a gateway that answers %s is a failure, and its permit ends', async (_what, answer, problem) => {
  const before = fill();
  for (const permit of before) permit.end();
  answers(answer);
  const { outcome, ends } = await send();
  expect(outcome).toEqual(problem);
  const { code, upstreamStatus } = problem as { code: string; upstreamStatus?: number };
  expect(ends).toEqual([{ operation: 'gateway', status: upstreamStatus, durationMs: expect.any(Number), code }]);
  expect(lines).toMatchObject([{ level: 'warn', code }]);
  expect(fill()).toHaveLength(before.length);
});

test('a gateway that never answers has timed out after half a minute', async () => {
  answers(() => new Promise(() => undefined));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sent = send();
  await vi.advanceTimersByTimeAsync(30_000);
  const detail = 'The gateway did not answer in time: the message may have been carried out';
  expect((await sent).outcome).toEqual({ code: 'upstream_timeout', detail });
});

test('nobody has to measure', async () => {
  answers(() => new Response('<ok/>'));
  expect((await sendToGateway(hotel, MESSAGE)).bytes).toHaveLength(5);
});

test('settings that no message fits are the property’s fault', async () => {
  hotel = { ...hotel, gateway: { ...GATEWAY, apiKey: 'short' } };
  const { outcome } = await send();
  const detail = 'This property’s configuration cannot be used';
  expect(outcome).toEqual({ code: 'property_unavailable', detail, param: 'gateway.apiKey' });
});

test('without a permit nothing is sent, and nothing is measured', async () => {
  const fetched = answers(() => new Response('<ok/>'));
  const permits = fill();
  const { outcome, ends } = await send();
  for (const permit of permits) permit.end();
  expect(outcome).toMatchObject({ code: 'rate_limited' });
  expect(fetched).not.toHaveBeenCalled();
  expect(ends).toEqual([]);
});

test.each([
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['text/xml;\tcharset=ISO-8859-1', true],
  ['text/xml\u0001', false],
  ['text/xml\u007f', false],
])('a content type of %j is passed on: %j', async (contentType, isShown) => {
  answers(() => new Response('<ok/>', { headers: { 'content-type': contentType } }));
  const { outcome } = await send();
  expect(outcome).toMatchObject({ contentType: isShown ? contentType : '' });
});
