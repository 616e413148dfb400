// The other side of the smoke suite: a server on loopback with one scene per path, and counts of what reached it.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

interface Counts {
  logins: number;
  charges: number;
  followed: number;
  /** Whether a charge came on a connection that had been used before. */
  reused: boolean;
  /** How often each operation arrived. */
  visits: Record<string, number>;
  /** For every POST whether its length was `announced`, or `chunked`. */
  lengths: string[];
}

interface Visit {
  /** Address of this run and scene. */
  base: string;
  /** Path below the scene. */
  path: string;
  counts: Counts;
  isReused: boolean;
  body: Buffer;
  request: IncomingMessage;
  response: ServerResponse;
}

const SAMPLES = {
  createToken: sample('create-token', 'success'),
  pay: sample('pay', 'success'),
  reversal: sample('reversal', 'success'),
  initpayNoIframe: sample('initpay-no-iframe', 'success'),
  paystatus: sample('paystatus', 'payment'),
  transaction: sample('transaction', 'payment'),
} as const;

const SCENES: Record<string, (visit: Visit) => void> = {
  healthy: answerWithSample,
  concurrent: answerWithSample,
  lengths(visit) {
    if (visit.path.endsWith('/empty')) visit.response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
    else answerWithSample(visit);
  },
  'lengths-again'(visit) {
    // Refused once, so that it is sent again.
    if (visit.counts.visits.charges === 1) visit.response.writeHead(503, { 'retry-after': '0' }).end('{}');
    else sendJson(visit.response, { id: 'ch_1' });
  },
  reset(visit) {
    if (!visit.path.endsWith('/pay')) return answerWithSample(visit);
    visit.counts.charges += 1;
    visit.counts.reused ||= visit.isReused;
    visit.request.socket.resetAndDestroy();
  },
  redirect(visit) {
    if (visit.path.startsWith('/elsewhere')) visit.counts.followed += 1;
    visit.response.writeHead(307, { location: `${visit.base}/elsewhere` }).end();
  },
  hang({ response, path }) {
    // A charge gets no answer at all, a read gets headers and a body that never ends.
    if (!path.endsWith('/pay')) response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  },
  large({ response }) {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(20 * 1024 * 1024, 0x20));
  },
  gateway({ response, body }) {
    const echo = /<OC>(.*)<\/OC>/.exec(body.toString('latin1'))?.[1] ?? '';
    response.writeHead(200, { 'content-type': 'text/xml' });
    const document = `<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document><RC>0</RC><ECHO>${echo}</ECHO><EURO>\x80</EURO></SIHOT-Document>`;
    response.end(Buffer.from(document, 'latin1'));
  },
  proxy({ response, path }) {
    const view = { id: 'cs_1', status: 'succeeded', final: true, seq: 3, viewUrl: 'https://view.example/' };
    const isKnown = ['/v1/checkout', '/v1/checkout/start', '/v1/checkout-sessions/cs_1'].includes(path);
    sendJson(response, isKnown ? view : {}, isKnown ? 200 : 404);
  },
};

/** Starts an upstream. `files` are served below `/files/`, for pages. */
export async function startSmokeUpstream(files: Readonly<Record<string, string>>): Promise<HttpServer> {
  const all = new Map<string, Counts>();
  const used = new WeakSet<Socket>();

  return serveHttp(async (request, response) => {
    const body = await buffer(request);
    const isReused = used.has(request.socket);
    used.add(request.socket);
    const [, run = '', scene = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const file = run === 'files' ? files[scene] : undefined;
    if (file !== undefined) {
      const type = scene.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
      return;
    }
    const key = `${run}/${scene}`;
    const counts = all.get(key) ?? { logins: 0, charges: 0, followed: 0, reused: false, visits: {}, lengths: [] };
    all.set(key, counts);
    const base = `http://${request.headers.host}/${key}`;
    const path = `/${rest.join('/')}`;
    if (path === '/counts') {
      sendJson(response, counts);
      return;
    }
    const operation = path.split('/').at(-1) ?? '';
    counts.visits[operation] = (counts.visits[operation] ?? 0) + 1;
    if (request.method === 'POST') {
      const hasLength = request.headers['content-length'] === String(body.length);
      counts.lengths.push(hasLength ? 'announced' : 'chunked');
    }
    const [, kind, status] = /^(status|login)-(.*)$/.exec(scene) ?? [];
    if (status !== undefined && (kind === 'login' || path !== '/login')) {
      answerWithStatus({ base, path, counts, response }, status);
    } else if (path === '/login') {
      counts.logins += 1;
      sendJson(response, sample('login', 'success'));
    } else {
      SCENES[scene]?.({ base, path, counts, isReused, body, request, response });
    }
  });
}

/** `status` as in the suite: a number, and a word for what comes with it. */
function answerWithStatus(
  { base, path, counts, response }: Pick<Visit, 'base' | 'path' | 'counts' | 'response'>,
  status: string,
): void {
  if (path.startsWith('/elsewhere')) counts.followed += 1;
  const [code = '', extra] = status.split('-');
  const headers: Record<string, string> = { 'retry-after': '0' };
  if (extra === 'challenge') headers['www-authenticate'] = 'Basic realm="payments"';
  if (extra === 'to') headers.location = `${base}/elsewhere`;
  if (code === '407') headers['proxy-authenticate'] = 'Basic realm="proxy"';
  response.writeHead(Number(code), headers).end('{}');
}

function answerWithSample({ path, base, response }: Visit): void {
  const name = path.split('/').at(-1) ?? '';
  const answer = SAMPLES[name as keyof typeof SAMPLES];
  const text = JSON.stringify(answer).replaceAll('https://pay.example', base);
  sendJson(response, JSON.parse(text));
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sample(name: string, response: string): unknown {
  const file = new URL(`../../docs/upstream/samples/${name}.json`, import.meta.url);
  const { responses } = JSON.parse(readFileSync(file, 'utf8')) as { responses: Record<string, unknown> };
  return responses[response];
}
