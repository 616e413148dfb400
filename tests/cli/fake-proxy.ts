import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  AuditListSchema,
  ChargeSchema,
  CheckoutSessionSchema,
  CreatedDeskSessionSchema,
  EventListSchema,
  PaymentLinkSchema,
  PropertyResourceSchema,
  PropertyStatusSchema,
  PropertyVersionListSchema,
  ResealedPropertySchema,
  ReversalSchema,
  WebhookEndpointListSchema,
} from '@innkeep/core/contract';
import { example } from '../../packages/cli/test-support/example.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

/** A request that the fake proxy got. */
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

/** The stored-card token in the fake proxy's card session. */
export const CARD_TOKEN = 'tok-4f9d7a1c-secret-0042';

/** The table of an export. */
export const EXPORT: string = `"type","id","reference"\r\n"charge","${IDS.charge}","Zürich"\r\n`;

const CARD = {
  ...{
    kind: 'card' as const,
    token: CARD_TOKEN,
    tokenValidUntil: '2030-12-31',
    tokenKeptUntil: null,
    tokenObjectId: 'T1',
    transactionId: 'X1',
  },
  maskedCard: '424242••••••4242',
};

/** A succeeded card session that holds a token. */
function fakeSession(fields: object = {}): Record<string, unknown> {
  return example(CheckoutSessionSchema, { kind: 'card', amount: null, result: CARD, attempts: [], ...fields });
}

export function fakeCharge(fields: object = {}): Record<string, unknown> {
  return example(ChargeSchema, fields);
}

export function fakeReversal(fields: object = {}): Record<string, unknown> {
  return example(ReversalSchema, { id: IDS.reversal, payment: IDS.session, ...fields });
}

/** A problem document. */
export function problem(status: number, code: string, fields: object = {}): FakeAnswer {
  const headers = { 'content-type': 'application/problem+json' };
  return {
    status,
    headers,
    json: { type: 'about:blank', title: code, status, code, detail: `Fake ${code}`, traceId: 't1', ...fields },
  };
}

const created = (json: unknown): FakeAnswer => ({ status: 201, json });
const found = (json: unknown): FakeAnswer => ({ status: 200, json });
const list = (data: unknown): FakeAnswer => found({ object: 'list', data: [data], nextCursor: null });

const NONE = { stored: 3, unknown: 0, waiting: 1 };
const ALL_IS_WELL = {
  server: { maxPending: null },
  ...{ checkoutSessions: NONE, charges: NONE, reversals: NONE },
  webhooks: { waiting: 0, oldestWaitingAt: null, paused: 0, disabled: 0 },
};
const KEY = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };

/** What a desk session of the proxy's own page has instead of a secret. */
const DESK_PAGE = { clientSecret: undefined, url: 'https://pay.hotel.example/desk/aurora#code=ds_fake' };

/** A hotel of the directory that may have a key taken away. */
function fakeHotel(): Record<string, unknown> {
  const hotel = example(PropertyResourceSchema);
  return { ...hotel, settings: { ...Object(hotel.settings), merchantKeys: [KEY, { ...KEY, id: 'desk' }] } };
}

function hotelAnswer(id: string | undefined, action: string | undefined): FakeAnswer {
  if (id === undefined) return found({ object: 'list', data: [fakeHotel()], nextCursor: null, coversAll: true });
  if (action === 'versions') return found(example(PropertyVersionListSchema));
  if (action === 'reseal') return found(example(ResealedPropertySchema));
  return found(fakeHotel());
}

/** Everything goes well. */
export const goodProxy: FakeHandler = ({ method, path, headers }) => {
  const [resource = '', id, action] = path.replace(/^\/v1\/|\?.*$/g, '').split('/');
  if (path === '/healthz') return found({ status: 'ok', version: '0.0.0' });
  if (method === 'OPTIONS') {
    const allow = { 'access-control-allow-origin': String(headers.origin), 'access-control-allow-methods': 'POST' };
    return { status: 204, headers: { ...allow, 'access-control-allow-headers': 'authorization, content-type' } };
  }
  if (headers.authorization === undefined) return problem(401, 'unauthorized');
  if (resource === 'status') return found(example(PropertyStatusSchema, ALL_IS_WELL));
  if (resource === 'properties') return hotelAnswer(id, action);
  if (resource === 'audit' || path.startsWith('/v1/platform/audit')) return found(example(AuditListSchema));
  if (path === '/v1/platform/keys')
    return found({ object: 'list', data: [{ ...KEY, properties: ['*'], lastUsedAt: null }] });
  if (resource === 'export.csv' || resource === 'audit.csv') {
    return { status: 200, text: EXPORT, headers: { 'content-type': 'text/csv; charset=utf-8; header=present' } };
  }
  if (resource === 'gateway') return { status: 200, text: '<ok/>', headers: { 'content-type': 'text/xml' } };
  if (resource === 'events') {
    return method === 'GET' ? found(example(EventListSchema)) : { status: 202, json: {} };
  }
  if (resource === 'webhook-endpoints') return found(example(WebhookEndpointListSchema));
  if (resource === 'desk-sessions') return created(example(CreatedDeskSessionSchema, DESK_PAGE));
  if (action === 'link') return created(example(PaymentLinkSchema));
  const open = {
    status: 'open',
    final: false,
    result: null,
    attempts: [],
    clientSecret: `${IDS.session}_${'s'.repeat(43)}`,
  };
  const one = { 'checkout-sessions': fakeSession(), charges: fakeCharge(), reversals: fakeReversal() }[resource];
  if (one === undefined) return problem(404, 'not_found');
  if (method === 'GET') return id === undefined ? list(one) : found(one);
  if (method === 'POST' && action !== undefined) return found(one);
  return created(resource === 'checkout-sessions' ? { ...one, ...open } : one);
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
    return found({ ...hotel, settings: { ...settings, webhooks: written } });
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
