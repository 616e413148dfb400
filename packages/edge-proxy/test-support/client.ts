/** Calls to the proxy under test, as a hotel's server and as a guest's page make them. */
import { exports } from 'cloudflare:workers';
import { KEYS } from './environment.ts';
import { validateExchange } from './validate-exchange.ts';

/** Where the proxy thinks it is. */
const PROXY = 'https://proxy.test';

/** A created session as its merchant receives it. */
export interface Created {
  id: string;
  clientSecret: string;
  status: string;
  seq: number;
  terms: number;
  [name: string]: unknown;
}

/** Any JSON object. */
export type Json = Record<string, unknown>;

/** Sends a request through the worker itself. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(`${PROXY}${path}`, { redirect: 'manual', ...init });
  const response = await exports.default.fetch(request);
  await validateExchange({ method: request.method, url: request.url, body: init.body }, response);
  return response;
}

/** A merchant's call. */
export function merchant(
  path: string,
  options: { method?: string; body?: unknown; key?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { body, key = KEYS.aurora, method = body === undefined ? 'GET' : 'POST', headers = {} } = options;
  return send(path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** A guest's call from a page of the hotel. */
export function guest(
  path: string,
  secret: string,
  options: { body?: unknown; origin?: string | null | undefined; method?: string } = {},
): Promise<Response> {
  const { body, origin = 'https://aurora.test', method = body === undefined ? 'GET' : 'POST' } = options;
  return send(path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(origin === null ? {} : { origin }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A body that is accepted. */
export const PAYMENT: Json = {
  kind: 'payment',
  amount: { value: 12_000, currency: 'EUR' },
  reference: 'RES-1234',
  description: '2 nights',
  returnUrl: 'https://aurora.test/booking/1234?step=3',
  metadata: { bookingId: '1234' },
};

/** Creates a session. */
export async function createSession(overrides: Json = {}, key?: string): Promise<Created> {
  const answer = await merchant('/v1/checkout-sessions', {
    body: { ...PAYMENT, ...overrides },
    ...(key === undefined ? {} : { key }),
  });
  if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A start from a page of the hotel, which shows the session's terms. */
export function startAttempt(
  { clientSecret, terms = 1 }: Pick<Created, 'clientSecret'> & { terms?: number },
  { presentation = 'redirect', origin }: { presentation?: string; origin?: string } = {},
): Promise<Response> {
  return guest('/v1/checkout/start', clientSecret, { body: { presentation, terms }, origin });
}

/** Creates and starts one. */
export async function startSession(
  overrides: Json = {},
  presentation = 'redirect',
): Promise<Created & { viewUrl: string }> {
  const session = await createSession(overrides);
  const answer = await startAttempt(session, { presentation });
  if (answer.status !== 200) throw new Error(`start answered ${answer.status}: ${await answer.text()}`);
  return { ...session, ...(await answer.json<{ viewUrl: string }>()) };
}

/** Makes a payment link; its path at the proxy. */
export async function paymentLink(id: string): Promise<string> {
  const answer = await merchant(`/v1/checkout-sessions/${id}/link`, { method: 'POST' });
  if (answer.status !== 200) throw new Error(`link answered ${answer.status}: ${await answer.text()}`);
  return new URL((await answer.json<{ url: string }>()).url).pathname;
}

/** What the form of one of the proxy's pages does in a browser that sends no referrer. */
export function submit(
  path: string,
  { terms = 1, origin = 'null' }: { terms?: number; origin?: string } = {},
): Promise<Response> {
  return send(`${path}?terms=${terms}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
}

/** The session as its merchant sees it now. */
export async function retrieve(id: string, key?: string): Promise<Json> {
  return (await merchant(`/v1/checkout-sessions/${id}`, key === undefined ? {} : { key })).json();
}
