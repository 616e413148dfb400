/** What stands around the proxy in `pnpm bench storm`: payment services that die, who calls, and who hears webhooks. */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { askProxy, type Call as ProxyCall } from '../../../tests/support/ask-proxy.ts';
import { serveHttp } from '../../../tests/support/serve-http.ts';
import { payment } from './api.ts';
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

/** Makes calls, and takes whatever comes of them. */
export function startCaller(url: string) {
  /** Status and text; 0 without an answer. */
  const send = (path: string, bearer: string, call?: ProxyCall): Promise<{ status: number; text: string }> =>
    askProxy(`${url}/v1/${path}`, bearer, call).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => ({ status: 0, text: '' }),
    );
  const newSession = (key: string, reference: string) => send('checkout-sessions', key, { body: payment(reference) });
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
      const body = { token: 'TK-1', amount: { value: 12_000, currency: 'EUR' }, reference, reason: 'deposit' };
      return (await send('charges', key, { body, key: reference })).status;
    },
  };
}

/** Hears webhooks at one address, and never answers at another. */
export async function startReceiver() {
  const receiver = {
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    onEvent: (_reference: string, _at: number): void => undefined,
  };
  const server = await serveHttp(async (request, answer) => {
    const body = await text(request);
    if (request.url === '/hanging') return;
    const at = performance.now();
    answer.writeHead(204).end();
    const { type, data } = JSON.parse(body) as { type: string; data: { object: { reference: string } } };
    if (type.endsWith('.succeeded')) receiver.onEvent(data.object.reference, at);
  });
  const { url, close } = server;
  return Object.assign(receiver, { url: `${url}/hooks`, hangingUrl: `${url}/hanging`, close });
}
