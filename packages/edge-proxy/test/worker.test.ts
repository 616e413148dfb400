/** What the worker makes of its bindings: what it says of those that cannot be used, and what its routes get from the others. */
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { sha256Hex } from '../src/http/hash.ts';
import * as moto from '../src/moto.ts';
import { PlacedObject } from '../src/objects/placed-object.ts';
import { createWorker } from '../src/runtime/worker-app.ts';
import type { Json } from '../test-support/client.ts';
import { AURORA, KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

useFakes();

const PROXY = 'https://proxy.test';
const OFFICE = 'https://office.aurora.test';

/** Calls of a worker that was just started, with these bindings besides those of the tests. */
function startedWith(bindings: object = {}) {
  const worker = createWorker();
  const all = { ...env, ...bindings };
  return async (path: string, headers: Record<string, string> = {}, body?: Json): Promise<Response> => {
    const json = body && { method: 'POST', body: JSON.stringify(body) };
    const request = new Request(`${PROXY}${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...json,
    });
    return worker.fetch(request as Parameters<typeof worker.fetch>[0], all, {} as ExecutionContext);
  };
}

test('what cannot be used is named in the log once, and the rest is served', async () => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(JSON.parse(String(line))));
  const ask = startedWith({ PLATFORM_VALLEY: '{' });
  for (const _ of [1, 2]) expect((await ask('/healthz')).status).toBe(200);
  expect(lines).toEqual([
    { level: 'error', message: 'property_unavailable', issue: expect.stringContaining('PROPERTY_BROKEN') },
    { level: 'error', message: 'platform_unavailable', issue: expect.stringContaining('PLATFORM_VALLEY') },
  ]);
});

// A place that this runtime cannot honor, as workerd honors none, is said by everything, the health check first.
test.each(['europe', 'eu'])(
  'with the jurisdiction %j nothing is served, and the log says why',
  async (JURISDICTION) => {
    const lines: unknown[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(JSON.parse(String(line))));
    const ask = startedWith({ JURISDICTION });
    for (const path of ['/healthz', '/v1/checkout', '/v1/checkout-sessions']) {
      await expectProblem(ask(path), 503, { code: 'property_unavailable', param: 'JURISDICTION' });
    }
    expect(lines).toContainEqual({
      level: 'error',
      message: 'jurisdiction_unavailable',
      issue: expect.stringContaining(`JURISDICTION is "${JURISDICTION}", which this runtime cannot honor`),
    });
  },
);

// A name that is mistyped in the configuration of a Worker of one's own.
test.each(['ACCESS_TOKENS', 'CHECKOUT_SESSIONS', 'MONEY_OPERATIONS', 'LEDGERS', 'ID_KEYS'])(
  'without the binding %s nothing is served, and the log says why',
  async (name) => {
    const lines: unknown[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(JSON.parse(String(line))));
    const ask = startedWith({ [name]: undefined, JURISDICTION: undefined });
    for (const path of ['/healthz', '/v1/checkout', '/v1/checkout-sessions']) {
      await expectProblem(ask(path), 503, { code: 'property_unavailable', param: name });
    }
    const issue = `${name} is missing: declare it in the configuration of this deployment`;
    expect(lines).toContainEqual({ level: 'error', message: 'binding_unavailable', issue });
  },
);

test('every object stays among those of its own place', () => {
  const classes = Object.entries(moto).filter(([name]) => name.endsWith('Object'));
  expect(classes).toHaveLength(8);
  for (const [name, { prototype }] of classes) expect([name, prototype instanceof PlacedObject]).toEqual([name, true]);
});

test('a key for certain addresses is used from those that the host names', async () => {
  const key = { id: 'web', sha256: await sha256Hex(KEYS.aurora), scopes: ['read'], allowFrom: ['192.0.2.0/24'] };
  const ask = startedWith({
    PROPERTY_AURORA: JSON.stringify({ ...AURORA, merchantKeys: [key] }),
    CLIENT_ADDRESS_HEADER: 'cf-connecting-ip',
  });
  for (const [address, status] of [
    ['192.0.2.7', 200],
    ['198.51.100.7', 403],
  ] as const) {
    const headers = { authorization: `Bearer ${KEYS.aurora}`, 'cf-connecting-ip': address };
    expect((await ask('/v1/charges', headers)).status).toBe(status);
  }
});

test('a desk session opens what it may, and the page of one lasts as long as it is used', async () => {
  const ask = startedWith();
  const make = async (grant: Json): Promise<Record<string, string>> => {
    const body = { person: { id: 'emp-42' }, features: ['read'], ...grant };
    return (await ask('/v1/desk-sessions', { authorization: `Bearer ${KEYS.aurora}` }, body)).json();
  };
  const { clientSecret } = await make({ origin: OFFICE });
  expect((await ask('/v1/desk', { authorization: `Bearer ${clientSecret}`, origin: OFFICE })).status).toBe(200);
  const { url = '' } = await make({ page: true });
  const opened = await ask('/desk/aurora/session', { origin: PROXY }, { code: url.split('code=')[1] });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  for (const _ of [1, 2]) {
    passSeconds(800);
    expect((await ask('/desk/aurora/v1/desk', { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  }
});

test('a CONNECT is closed', () => {
  const close = vi.fn();
  createWorker().connect({ close } as unknown as Socket, env, {} as ExecutionContext);
  expect(close).toHaveBeenCalledOnce();
});
