// Runs every cell of docs/upstream/outcomes.md against a server on loopback that misbehaves in exactly one way.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LOGIN_ANSWER, readSample, sampleOptions, sampleResponse } from '../../test-support/fake-upstream.ts';
import { OPERATIONS } from '../../test-support/operations.ts';
import { withoutPauses } from '../../test-support/without-pauses.ts';
import { createClient } from '../client.ts';
import { isInnkeepError } from '../errors.ts';

/** What a healthy upstream answers, where that is not `success`. */
const ANSWERS: Readonly<Record<string, string>> = { paystatus: 'pending', transaction: 'payment' };

interface Scene {
  request: IncomingMessage;
  response: ServerResponse;
  /** Counts from 1. */
  visit: number;
  healthy: () => void;
  elsewhere: string;
}

function text(status: number, body: string, headers: Record<string, string> = {}) {
  return ({ response }: Scene): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

const TWENTY_MEGABYTES = Buffer.alloc(20 * 1024 * 1024, 0x20);

const FAULTS: Record<string, (scene: Scene) => void> = {
  'refused connection': () => {
    throw new Error('a refused connection reaches no server');
  },
  'reset before the upstream acted': ({ request }) => request.socket.resetAndDestroy(),
  'reset after the upstream acted': ({ request }) => {
    request.resume().on('end', () => request.socket.resetAndDestroy());
  },
  'connection cut inside the body': ({ request, response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"returnCode":"0",', () => request.socket.resetAndDestroy());
  },
  'time-out': () => undefined,
  'slow drip': ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(drip));
  },
  'abort after sending': () => undefined,
  '401 once': (scene) => (scene.visit === 1 ? text(401, '{}')(scene) : scene.healthy()),
  '401 always': text(401, '{}'),
  '401 with WWW-Authenticate': text(401, '{}', { 'www-authenticate': 'Basic realm="payments"' }),
  '403': text(403, '{}'),
  '404': text(404, '{}'),
  '407': text(407, '{}', { 'proxy-authenticate': 'Basic realm="proxy"' }),
  '408': text(408, '{}', { 'retry-after': '0' }),
  '413': text(413, '{}', { 'retry-after': '0' }),
  '417': text(417, '{}'),
  '421': text(421, '{}'),
  '425': text(425, '{}', { 'retry-after': '0' }),
  '429': text(429, '{}', { 'retry-after': '0' }),
  '500': text(500, '{"returnCode":"0"}'),
  '503': text(503, '{}', { 'retry-after': '0' }),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].flatMap((status) => [
      [`${status} without Location`, text(status, '')],
      [`${status} to the same origin`, text(status, '', { location: '/elsewhere' })],
      [`${status} to another origin`, (scene: Scene) => text(status, '', { location: scene.elsewhere })(scene)],
    ]),
  ),
  'HTML with status 200': text(200, '<!doctype html><title>Sign in to the hotel network</title>', {
    'content-type': 'text/html',
  }),
  'truncated JSON': text(200, '{"returnCode":"0","transactionID":"T'),
  'empty body': text(200, ''),
  '20 MB body': ({ response }) => {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/json' }).end(TWENTY_MEGABYTES);
  },
  'wrong types': text(200, '{"returnCode":{},"state":[],"access_token":5,"requestID":{}}'),
};

interface Row {
  fault: string;
  operation: string;
  outcome: string;
  requests: number;
}

/** The rows of the table in the docs, one per fault and operation. */
function documentedRows(): Row[] {
  const page = readFileSync(new URL('../../../../docs/upstream/outcomes.md', import.meta.url), 'utf8');
  const [header = [], , ...rows] = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.flatMap(([faults = '', ...cells]) =>
    cells.flatMap((cell, index) => {
      const [, outcome = '', requests = ''] = /^(\w+) × (\d)$/.exec(cell) ?? [];
      const operations = (header[index + 1] ?? '').split(', ');
      return faultsIn(faults).flatMap((fault) =>
        operations.map((operation) => ({ fault, operation, outcome, requests: Number(requests) })),
      );
    }),
  );
}

/** The faults of a cell, which are listed with commas; `301/302 without Location` are two. */
function faultsIn(cell: string): readonly string[] {
  return cell.split(', ').flatMap((fault) => {
    const [, statuses = '', rest = ''] = /^([\d/]+)(.*)$/.exec(fault) ?? [];
    return statuses === '' ? [fault] : statuses.split('/').map((status) => `${status}${rest}`);
  });
}

let server: Server;
let elsewhere: Server;
let visitsElsewhere = 0;
const visits = new Map<string, number>();

/** The path of a request begins with the names of its fault and operation; the login of other operations is healthy. */
function handle(request: IncomingMessage, response: ServerResponse): void {
  const [, fault = '', operation = '', ...rest] = (request.url ?? '').split('/').map(decodeURIComponent);
  const isLogin = rest.join('/') === 'login';
  if (isLogin && operation !== 'login') {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...LOGIN_ANSWER, access_token: crypto.randomUUID() }));
    return;
  }
  const key = `${fault}/${operation}`;
  const visit = (visits.get(key) ?? 0) + 1;
  visits.set(key, visit);
  const known = OPERATIONS[operation];
  const misbehave = FAULTS[fault];
  if (known === undefined || misbehave === undefined) {
    visitsElsewhere += 1;
    response.writeHead(404).end();
    return;
  }
  const healthy = (): void => {
    const answer = JSON.stringify(sampleResponse(readSample(known.sample), ANSWERS[operation] ?? 'success'));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answer.replaceAll('https://pay.example', addressOf(server)));
  };
  misbehave({ request, response, visit, healthy, elsewhere: `${addressOf(elsewhere)}/elsewhere` });
}

function addressOf(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
}

function listen(made: Server): Promise<Server> {
  return new Promise((resolve) => {
    made.listen(0, '127.0.0.1', () => resolve(made));
  });
}

beforeAll(async () => {
  // A connection that is closed for being idle is one more fault, on a machine so busy that the client does not do it first.
  server = await listen(createServer({ keepAliveTimeout: 60_000 }, handle));
  elsewhere = await listen(
    createServer((_, response) => {
      visitsElsewhere += 1;
      response.end();
    }),
  );
});

beforeAll(withoutPauses);

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const each of [server, elsewhere]) {
    each.closeAllConnections();
    each.close();
  }
});

async function refusedPort(): Promise<number> {
  const closed = await listen(createServer());
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  return port;
}

const GAVE_UP = new Error('the caller gave up');

/** The table's word for what happened. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (error === GAVE_UP) return 'aborted';
    return isInnkeepError(error) ? error.code : `${error}`;
  }
}

/** Calls as a row says; `meanwhile` happens once the server has the request. */
async function play({ fault, operation }: Row, meanwhile?: (controller: AbortController) => unknown): Promise<string> {
  const known = OPERATIONS[operation];
  if (known === undefined) throw new Error(`The docs name an unknown operation: ${operation}`);
  const isRefused = fault === 'refused connection';
  const origin = isRefused ? `http://127.0.0.1:${await refusedPort()}` : addressOf(server);
  const client = createClient(
    sampleOptions({
      baseUrl: `${origin}/${encodeURIComponent(fault)}/${operation}`,
      // A refused login would hide what a refused call does.
      ...(isRefused && operation !== 'login' && { credentials: undefined, accessToken: async () => 'token' }),
    }),
  );
  const controller = new AbortController();
  const work = outcomeOf(known.run(client, { signal: controller.signal }));
  if (meanwhile !== undefined) {
    await expect.poll(() => visits.get(`${fault}/${operation}`), { interval: 5 }).toBe(1);
    await meanwhile(controller);
  }
  return `${await work} × ${visits.get(`${fault}/${operation}`) ?? 0}`;
}

const rows = documentedRows();
const isLate = ({ fault }: Row): boolean => fault === 'time-out' || fault === 'slow drip';

describe('the documented outcome of every fault', () => {
  it('is documented for every operation and fault', () => {
    const documented = new Set(rows.map(({ fault, operation }) => `${fault}/${operation}`));
    const all = Object.keys(FAULTS).flatMap((fault) =>
      Object.keys(OPERATIONS).map((operation) => `${fault}/${operation}`),
    );
    expect([...documented].sort(), 'the tables of docs/upstream/outcomes.md').toEqual(all.sort());
    expect(rows.every(({ outcome }) => outcome !== '')).toBe(true);
  });

  it.concurrent.each(rows.filter((row) => !isLate(row)))('$operation, $fault: $outcome × $requests', async (row) => {
    const abort = (controller: AbortController) => controller.abort(GAVE_UP);
    const outcome = await play(row, row.fault === 'abort after sending' ? abort : undefined);
    expect(outcome).toBe(`${row.outcome} × ${row.requests}`);
  });

  it.each(rows.filter(isLate))('$operation, $fault: $outcome × $requests', async (row) => {
    const received = vi.spyOn(globalThis, 'fetch');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = await play(row, async () => {
      if (row.fault === 'slow drip') await received.mock.results.at(-1)?.value;
      await vi.advanceTimersByTimeAsync(90_000);
    });
    expect(outcome).toBe(`${row.outcome} × ${row.requests}`);
  });

  it('sends nothing to where a redirect points', () => {
    expect(visitsElsewhere).toBe(0);
  });
});
