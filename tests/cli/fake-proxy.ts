import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the fake proxy got. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer; `drop` breaks the connection instead. */
export type FakeAnswer =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'drop';

export type FakeHandler = (request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>;

/** A proxy that answers what a test wants, over real HTTP. */
export interface FakeProxy {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** How requests are answered from now on. */
  answer(handler: FakeHandler): void;
  close(): void;
}

export const IDS = {
  session: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  charge: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  reversal: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  event: 'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
} as const;

/** The stored-card token in the fake proxy's card session. */
export const CARD_TOKEN = 'tok-4f9d7a1c-secret-0042';

/** The table of an export. */
export const EXPORT: string = `"type","id","reference"\r\n"charge","${IDS.charge}","Zürich"\r\n`;

const NOW = '2026-06-01T12:00:00Z';
const AMOUNT = { value: 12_000, currency: 'EUR' };
const NOTHING = { value: 0, currency: 'EUR' };

const CARD = {
  kind: 'card',
  token: CARD_TOKEN,
  tokenValidUntil: '2030-12-31',
  tokenObjectId: 'T1',
  transactionId: 'X1',
  maskedCard: '424242••••••4242',
};
const ATTEMPT = {
  number: 1,
  status: 'succeeded',
  error: null,
  amount: null,
  surcharge: false,
  startedAt: NOW,
  endedAt: NOW,
  late: false,
  result: CARD,
  recorded: null,
  resolution: null,
  reversed: null,
  reversing: null,
};

/** A succeeded card session that holds a token. */
export function fakeSession(fields: object = {}): Record<string, unknown> {
  return {
    object: 'checkout_session',
    id: IDS.session,
    property: 'aurora',
    kind: 'card',
    status: 'succeeded',
    final: true,
    seq: 3,
    amount: null,
    reference: 'RES-1234',
    description: null,
    surcharge: false,
    terms: 1,
    outdated: false,
    returnUrl: null,
    metadata: {},
    livemode: false,
    createdAt: NOW,
    startedAt: NOW,
    completedAt: NOW,
    expiresAt: NOW,
    late: false,
    result: CARD,
    attempts: [ATTEMPT],
    reversed: null,
    reversing: null,
    ...fields,
  };
}

export function fakeCharge(fields: object = {}): Record<string, unknown> {
  return {
    object: 'charge',
    id: IDS.charge,
    property: 'aurora',
    livemode: false,
    status: 'succeeded',
    final: true,
    seq: 3,
    amount: AMOUNT,
    reference: 'RES-1234',
    reason: 'no_show',
    transactionId: 'X2',
    maskedCard: '424242••••••4242',
    error: null,
    reversed: NOTHING,
    reversing: NOTHING,
    createdAt: NOW,
    completedAt: NOW,
    ...fields,
  };
}

export function fakeReversal(fields: object = {}): Record<string, unknown> {
  return {
    object: 'reversal',
    id: IDS.reversal,
    status: 'succeeded',
    final: true,
    seq: 3,
    payment: IDS.session,
    attempt: 1,
    amount: AMOUNT,
    transactionId: 'X3',
    error: null,
    property: 'aurora',
    livemode: false,
    createdAt: NOW,
    completedAt: NOW,
    ...fields,
  };
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

/** A hotel of the directory that may have two keys taken away. */
function fakeHotel(): Record<string, unknown> {
  const key = (id: string) => ({ id, sha256: 'a'.repeat(64), scopes: ['checkout'] });
  return {
    object: 'property',
    id: 'aurora',
    displayName: 'Hotel Aurora',
    livemode: false,
    status: 'active',
    source: 'directory',
    version: 3,
    updatedAt: NOW,
    createdAt: NOW,
    updatedBy: 'alpine/default',
    settings: {
      livemode: false,
      baseUrl: 'https://pay.example',
      origins: ['https://hotel.example'],
      merchantKeys: [key('web'), key('desk')],
      webhooks: [{ host: 'hotel.example' }],
    },
    secrets: ['password'],
    problem: null,
  };
}

const HOTEL_VERSION = {
  object: 'property_version',
  version: 3,
  at: NOW,
  by: 'alpine/default',
  action: 'changed',
  fields: ['origins'],
  copyOf: null,
  isKept: true,
};

const COUNTS = { stored: 3, unknown: 0, waiting: 1 };
const STATUS = {
  object: 'property_status',
  property: 'aurora',
  upstream: { status: 'ok' },
  server: { maxPending: null },
  ledger: { status: 'ok', bytes: 20_000, maxBytes: 10_000_000_000, percent: 0 },
  checkoutSessions: COUNTS,
  charges: COUNTS,
  reversals: COUNTS,
  webhooks: { waiting: 0, oldestWaitingAt: null, paused: 0, disabled: 0 },
};

const KEY = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };

function hotelAnswer(id: string | undefined, action: string | undefined): FakeAnswer {
  if (id === undefined) return found({ object: 'list', data: [fakeHotel()], nextCursor: null, coversAll: true });
  if (action === 'versions') return list(HOTEL_VERSION);
  if (action === 'reseal') return found({ object: 'resealed_property', id, resealed: 1 });
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
  if (resource === 'status') return found(STATUS);
  if (resource === 'properties') return hotelAnswer(id, action);
  if (path === '/v1/platform/keys')
    return found({ object: 'list', data: [{ ...KEY, properties: ['*'], lastUsedAt: NOW }] });
  if (resource === 'export.csv') {
    return { status: 200, text: EXPORT, headers: { 'content-type': 'text/csv; charset=utf-8; header=present' } };
  }
  if (resource === 'gateway') return { status: 200, text: '<ok/>', headers: { 'content-type': 'text/xml' } };
  if (resource === 'events') {
    const event = { id: IDS.event, type: 'charge.succeeded', timestamp: NOW, seq: 41, data: { object: fakeCharge() } };
    return method === 'GET' ? found({ object: 'list', data: [event], nextAfter: 41 }) : { status: 202, json: {} };
  }
  if (action === 'link')
    return created({
      url: 'https://pay.hotel.example/pay/x',
      qrUrl: 'https://pay.hotel.example/pay/x/qr.svg',
      expiresAt: NOW,
    });
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

/** Starts a fake proxy on a free port; all goes well until a test says otherwise. */
export async function startFakeProxy(): Promise<FakeProxy> {
  const requests: SeenRequest[] = [];
  let handler = goodProxy;
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    const answer = await handler(request);
    if (answer === 'drop') {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    outgoing.end(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(next) {
      handler = next;
      requests.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
