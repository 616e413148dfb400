import { readFileSync } from 'node:fs';
import type { Context } from '../src/context.ts';
import { type ClientOptions, createContext } from '../src/context.ts';

export interface SeenRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  bytes: Uint8Array;
}

/** An answer: a value for JSON with status 200, or a function that makes a response or throws. */
export type Answer = object | ((request: Request) => Response | Promise<Response>);

/** A fetch that answers from a list, one answer per request; the last one repeats. Logins are answered by themselves. */
export interface FakeUpstream {
  fetch: typeof fetch;
  /** Every request but logins. */
  requests: SeenRequest[];
  logins: SeenRequest[];
}

export const LOGIN_ANSWER = {
  username: 'demo',
  roles: ['USER'],
  access_token: 'token-1',
  token_type: 'Bearer',
  expires_in: 4800,
};

/** Makes a fake upstream. `login` replaces the answer to logins. */
export function fakeUpstream(answers: readonly Answer[], { login = LOGIN_ANSWER as Answer } = {}): FakeUpstream {
  const requests: SeenRequest[] = [];
  const logins: SeenRequest[] = [];
  return {
    requests,
    logins,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const bytes = new Uint8Array(await request.clone().arrayBuffer());
      const { method, url, headers } = request;
      const body = new TextDecoder().decode(bytes);
      const seen = { method, url, headers: Object.fromEntries(headers), body, bytes };
      const isLogin = request.url.endsWith('/login');
      (isLogin ? logins : requests).push(seen);
      const answer = isLogin ? login : (answers[requests.length - 1] ?? answers.at(-1));
      if (typeof answer === 'function') return answer(request);
      return Response.json(answer);
    },
  };
}

/** The settings that the golden samples were written for. */
export function sampleOptions(overrides: Partial<ClientOptions> = {}): ClientOptions {
  return {
    baseUrl: 'https://pay.example',
    customerId: '4711',
    credentials: { username: 'demo', password: 'demo-password' },
    hotel: { hotelID: '1', hotelIDType: 'SANDBOX_PMS', user: 'web', timeZone: 'Europe/Vienna' },
    providers: { direct: 'SANDBOX_DIRECT', hosted: 'SANDBOX_HOSTED' },
    amountUnit: 'minor',
    now: () => new Date('2026-06-01T10:00:00Z'),
    ...overrides,
  };
}

export function sampleContext(upstream: FakeUpstream, overrides: Partial<ClientOptions> = {}): Context {
  return createContext(sampleOptions({ fetch: upstream.fetch, ...overrides }));
}

/** A golden sample of `docs/upstream/samples`, written from the specification. */
export interface Sample {
  source: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  request?: Record<string, unknown>;
  responses: Record<string, Record<string, unknown>>;
}

export function readSample(name: string): Sample {
  const file = new URL(`../../../docs/upstream/samples/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Sample;
}

export function sampleResponse(sample: Sample, name: string): Record<string, unknown> {
  const response = sample.responses[name];
  if (response === undefined) throw new Error(`The sample has no response "${name}".`);
  return response;
}
