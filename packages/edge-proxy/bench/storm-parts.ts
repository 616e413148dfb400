/** What stands around the proxy in `pnpm bench storm`: payment services that die, who calls, and who hears webhooks. */
import { randomBytes } from 'node:crypto';
import { Agent, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BenchUpstream, startUpstream } from './upstream.ts';

/** How a payment service dies. */
export const FAULTS = ['silent', 'refusing', 'failing', 'slow', 'silent to one'] as const;

/** A call of a hotel's server or of a guest. */
export type Call = 'read' | 'create' | 'start' | 'charge';

const SLOW_MS = 20_000;
/** The customer to whom the service of all the others falls silent. */
const SILENCED = '9999';

/** Payment services that can die, one of each kind; the last is that of everybody else. */
export function startFaulty(everybodys: BenchUpstream) {
  return Promise.all(
    FAULTS.map(async (fault) => {
      const isOwn = fault !== 'silent to one';
      const upstream = isOwn ? await startUpstream() : everybodys;
      return {
        url: upstream.url,
        customerId: isOwn ? '1234' : SILENCED,
        die() {
          if (fault === 'refusing') return upstream.close();
          upstream.answer = (request, answer, serve) => {
            if (!isOwn && request.url?.includes(`/${SILENCED}/`) !== true) return serve(request, answer);
            if (fault === 'slow') return void setTimeout(() => serve(request, answer), SLOW_MS);
            request.resume();
            if (fault === 'failing') answer.writeHead(503).end();
          };
        },
        close: (): void => {
          if (isOwn) upstream.close();
        },
      };
    }),
  );
}

/** Makes calls over connections that are kept. */
export function startCaller(url: string) {
  const agent = new Agent({ keepAlive: true });
  /** Status and text; 0 without an answer. */
  const send = (path: string, key: string, { body, id }: { body?: object; id?: string } = {}) =>
    new Promise<{ status: number; text: string }>((resolve) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const request = sendRequest(
        `${url}/v1/${path}`,
        {
          agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...headers, ...(id && { 'idempotency-key': id }) },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        },
      );
      request.on('error', () => resolve({ status: 0, text: '' }));
      request.end(body && JSON.stringify(body));
    });
  const amount = { value: 12_000, currency: 'EUR' };
  const newSession = (key: string, reference: string) =>
    send('checkout-sessions', key, { body: { kind: 'payment', amount, reference, expiresInSeconds: 3_600 } });
  return {
    async create(key: string, reference: string): Promise<string> {
      const { status, text } = await newSession(key, reference);
      if (status !== 201) throw new Error(`No session: ${status} ${text}`);
      return (JSON.parse(text) as { clientSecret: string }).clientSecret;
    },
    async call(kind: Call, how: { key: string; secret: string; reference: string }): Promise<number> {
      const { key, secret, reference } = how;
      if (kind === 'create') return (await newSession(key, 'RES-1')).status;
      if (kind === 'read') return (await send('checkout', secret)).status;
      if (kind === 'start')
        return (await send('checkout/start', secret, { body: { presentation: 'tab', terms: 1 } })).status;
      const body = { token: 'TK-1', amount, reference, reason: 'deposit' };
      return (await send('charges', key, { body, id: reference })).status;
    },
    stop: () => agent.destroy(),
  };
}

/** Hears webhooks at one address, and never answers at another. */
export async function startReceiver() {
  const receiver = {
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    url: '',
    hangingUrl: '',
    onEvent: (_reference: string, _at: number): void => undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, answer) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      if (request.url === '/hanging') return;
      const at = performance.now();
      answer.writeHead(204).end();
      const { type, data } = JSON.parse(text) as { type: string; data: { object: { reference: string } } };
      if (type.endsWith('.succeeded')) receiver.onEvent(data.object.reference, at);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.hangingUrl = receiver.url.replace('hooks', 'hanging');
  return receiver;
}
