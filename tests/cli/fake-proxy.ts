import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ChargeSchema, ReversalSchema } from '@innkeep/core/contract';
import { example } from '../../packages/cli/test-support/example.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

/** An answer; `drop` breaks the connection instead. */
export type FakeAnswer =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string | Buffer;
      readonly headers?: Record<string, string>;
    }
  | 'drop';

export type FakeHandler = (request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>;

/** A proxy that answers what a test wants, over real HTTP. */
export interface FakeProxy extends HttpServer {
  readonly requests: readonly SeenRequest[];
  /** How requests are answered from now on. */
  answer(handler: FakeHandler): void;
}

export const IDS = {
  session: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  charge: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  reversal: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
} as const;

export const CARD_TOKEN = 'tok-4f9d7a1c-secret-0042';

/** What it runs with. */
export const SEALING_KEYS: readonly string[] = ['B', 'A'].map((letter) => `${letter.repeat(43)}=`);

/** What it says of them. */
const FINGERPRINT = createHash('sha256')
  .update(`sealing-keys ${SEALING_KEYS.join(' ')}`)
  .digest('hex')
  .slice(0, 16);

export const EXPORT: string = `"type","id","reference"\r\n"charge","${IDS.charge}","Zürich"\r\n`;

export function fakeCharge(fields: object = {}): Record<string, unknown> {
  return example(ChargeSchema, fields);
}

export function fakeReversal(fields: object = {}): Record<string, unknown> {
  return example(ReversalSchema, { id: IDS.reversal, payment: IDS.session, ...fields });
}

export function problem(status: number, code: string, fields: object = {}): FakeAnswer {
  const headers = { 'content-type': 'application/problem+json' };
  return {
    status,
    headers,
    json: { type: 'about:blank', title: code, status, code, detail: `Fake ${code}`, traceId: 't1', ...fields },
  };
}

interface Description {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { example?: object }> }> }>
  >;
}
const described = ['openapi', 'openapi-platform'].flatMap((name) => {
  const file = new URL(`../../packages/edge-proxy/dist/assets/${name}.json`, import.meta.url);
  return Object.entries((JSON.parse(readFileSync(file, 'utf8')) as Description).paths);
});

const NONE = { stored: 3, unknown: 0, waiting: 1 };
const KEY = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };

/** What these tests need of an answer beside what the description of the proxy shows. */
const FIELDS: Readonly<Record<string, (shown: Record<string, unknown>) => object>> = {
  'get /v1/status': () => ({
    server: { maxPending: null },
    ...{ checkoutSessions: NONE, charges: NONE, reversals: NONE },
    webhooks: { waiting: 0, oldestWaitingAt: null, paused: 0, disabled: 0 },
  }),
  // What a desk session of the proxy's own page has instead of a secret.
  'post /v1/desk-sessions': () => ({
    clientSecret: undefined,
    url: 'https://pay.hotel.example/desk/aurora#code=ds_fake',
  }),
  'post /v1/properties/{id}/reseal': () => ({ sealingKeys: FINGERPRINT }),
  // A key may be taken away.
  'get /v1/properties/{id}': ({ settings }) => ({
    settings: { ...Object(settings), merchantKeys: [KEY, { ...KEY, id: 'desk' }] },
  }),
};

/** Everything goes well. */
export const goodProxy: FakeHandler = ({ method, path, headers }) => {
  if (method === 'OPTIONS') {
    const allow = { 'access-control-allow-origin': String(headers.origin), 'access-control-allow-methods': 'POST' };
    return { status: 204, headers: { ...allow, 'access-control-allow-headers': 'authorization, content-type' } };
  }
  if (headers.authorization === undefined && path !== '/healthz') return problem(401, 'unauthorized');
  if (path.includes('.csv')) {
    return { status: 200, text: EXPORT, headers: { 'content-type': 'text/csv; charset=utf-8; header=present' } };
  }
  if (path.includes('/gateway/')) return { status: 200, text: '<ok/>', headers: { 'content-type': 'text/xml' } };
  const [address = ''] = path.split('?');
  for (const [route, { [method.toLowerCase()]: operation }] of described) {
    if (operation === undefined || !new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address)) continue;
    const [status = '', answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [];
    const shown = { ...answer?.content?.['application/json']?.example };
    const fields = FIELDS[`${method.toLowerCase()} ${route}`]?.(shown);
    return {
      status: Number(status),
      json: { ...shown, ...('nextCursor' in shown && { nextCursor: null }), ...fields },
    };
  }
  return problem(404, 'not_found');
};

/** The same, with the endpoints that were written last. */
export function proxyWithWebhooks(): FakeHandler {
  let written: readonly { readonly host: string }[] | undefined;
  return async (request) => {
    const { webhooks } = request.method === 'PATCH' ? JSON.parse(request.body) : {};
    if (webhooks !== undefined) {
      written = (webhooks as { url: string }[]).map(({ url }) => ({ host: new URL(url).host }));
    }
    const answer = await goodProxy(request);
    const { settings, ...hotel } = Object(answer === 'drop' ? undefined : answer.json);
    if (settings === undefined || written === undefined) return answer;
    return { status: 200, json: { ...hotel, settings: { ...settings, webhooks: written } } };
  };
}

/** Starts a fake proxy on a free port; all goes well until a test says otherwise. */
export async function startFakeProxy(): Promise<FakeProxy> {
  const requests: SeenRequest[] = [];
  let handler = goodProxy;
  const server = await serveHttp(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    const bytes = await buffer(incoming);
    const request = { method, path, headers, body: bytes.toString(), bytes };
    requests.push(request);
    const answer = await handler(request);
    if (answer === 'drop') {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    outgoing.end(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
  });
  return {
    ...server,
    requests,
    answer(next) {
      handler = next;
      requests.length = 0;
    },
  };
}
