/**
 * A hotel's site and a payment proxy with its hosted page, small enough for a test of the elements alone: two origins,
 * no build, no upstream. What the guest calls answer is the contract's; who has paid is who clicked “Pay”.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { serveHttp } from './serve-http.ts';

/** A file or an answer of the hotel's site, by its path. */
type SitePages = Readonly<Record<string, (request: IncomingMessage) => SitePage | Promise<SitePage>>>;

export interface SitePage {
  readonly body: string | Uint8Array;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type FakeHotel = Awaited<ReturnType<typeof startFakeHotel>>;

interface Session {
  status: 'open' | 'pending' | 'succeeded';
  /** Why the last attempt ended without money. */
  error: 'declined' | undefined;
  seq: number;
  presentation: string;
  returnUrl: string | undefined;
}

/** What is to be paid never changes here. */
const TERMS = 1;

export async function startFakeHotel(pages: SitePages) {
  const sessions = new Map<string, Session>();
  /** Paths that the site was asked for. */
  const siteRequests: string[] = [];
  /** `METHOD /path` that the proxy was asked for. */
  const proxyRequests: string[] = [];

  const site = await serveHttp(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    siteRequests.push(pathname);
    const page = await pages[pathname]?.(request);
    if (!page) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': page.type ?? 'text/html; charset=utf-8', ...page.headers })
      .end(page.body);
  });

  const proxy = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://proxy');
    proxyRequests.push(`${request.method} ${pathname}`);
    if (pathname.startsWith('/v1/')) void guestCall(request, response, pathname);
    else hostedPage(response, pathname, searchParams.get('PD') ?? '');
  });

  async function guestCall(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    response.setHeader('access-control-allow-origin', site.url);
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    response.setHeader('cache-control', 'no-store');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const [prefix, number] = (request.headers.authorization ?? '').replace('Bearer ', '').split('_');
    const id = `${prefix}_${number}`;
    const session = sessions.get(id);
    if (!session) return send(response, 401, { code: 'unauthorized' });
    if (pathname === '/v1/checkout') return send(response, 200, viewOf(id, session));
    // The client sends nothing else.
    const { presentation, terms } = (await json(request)) as { presentation: string; terms: number };
    if (session.status === 'succeeded') return send(response, 409, { code: 'session_not_open' });
    if (terms !== TERMS) return send(response, 409, { code: 'terms_changed' });
    if (session.status === 'open') move(session, 'pending');
    session.presentation = presentation;
    return send(response, 200, { ...viewOf(id, session), viewUrl: `${proxy.url}/payment?PD=${id}` });
  }

  function hostedPage(response: ServerResponse, pathname: string, id: string): void {
    const session = sessions.get(id);
    if (!session) return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (pathname === '/pay') move(session, 'succeeded');
    else if (pathname === '/decline') move(session, 'open', 'declined');
    else {
      const links = ['pay', 'decline'].map((act) => `<p><a id="${act}" href="/${act}?PD=${id}">${act}</a></p>`);
      return void response.end(`<!doctype html><title>Hosted page</title>${links.join('')}`);
    }
    if (session.presentation === 'tab' || !session.returnUrl)
      return void response.end('<!doctype html>You can close this tab.');
    const url = new URL(session.returnUrl);
    url.searchParams.set('checkout_session', id);
    response.writeHead(303, { location: url.href }).end();
  }

  return {
    siteUrl: site.url,
    proxyUrl: proxy.url,
    siteRequests,
    proxyRequests,
    /** Makes an open session; the guest comes back to `returnUrl`. */
    openSession(returnUrl?: string) {
      const id = `cs_${String(sessions.size + 1).padStart(26, '0')}`;
      sessions.set(id, { status: 'open', error: undefined, seq: 1, presentation: '', returnUrl });
      return { id, clientSecret: `${id}_${'s'.repeat(43)}` };
    },
    close(): void {
      site.close();
      proxy.close();
    },
  };
}

function move(session: Session, status: Session['status'], error?: Session['error']): void {
  Object.assign(session, { status, error, seq: session.seq + 1 });
}

function viewOf(id: string, { status, error, seq }: Session): object {
  const amount = { value: 12_000, currency: 'EUR' };
  return {
    ...{ id, kind: 'payment', status, final: status === 'succeeded', seq, terms: TERMS, returned: false },
    ...{ livemode: false, amount, surcharge: false, hotelName: 'Hotel Aurora', acceptedBrands: [] },
    ...{ reference: 'RES-1234', description: '2 nights', error: error ? { code: error } : null },
    receipt:
      status === 'succeeded'
        ? {
            base: amount,
            surcharge: null,
            total: amount,
            maskedCard: '424242......4242',
            completedAt: new Date().toISOString(),
          }
        : null,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    nextPollMs: status === 'pending' ? 100 : null,
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
