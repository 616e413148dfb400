import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Sandbox } from '@innkeep/sandbox';
import { type HttpServer, serveHttp } from './serve-http.ts';

/** What is answered in place of the payment service. */
interface Reply {
  /** @default 200 */
  readonly status?: number;
  readonly body?: string;
  readonly location?: string;
  /** After so many characters of the body the connection breaks. */
  readonly endsAfter?: number;
}

/** What goes wrong with a call. */
interface Misbehavior {
  /** What the proxy may make of it. */
  readonly means: 'succeeded' | 'declined' | 'failed' | 'unknown';
  /** How often the call arrives: once, and once more when its access token was refused. */
  readonly sends: 1 | 2;
  /** The answer to a call that is not executed. */
  readonly before?: Reply;
  /** What becomes of the answer to one that was. */
  readonly after?: (answer: string) => Reply;
}

const ELSEWHERE = 'https://elsewhere.invalid/';
/** They say nothing of whether the call was executed. */
const before = (reply: Reply): Misbehavior => ({ means: 'unknown', sends: 1, before: reply });
const after = (reply: (answer: string) => Reply): Misbehavior => ({ means: 'unknown', sends: 1, after: reply });

/** What goes wrong with one money call, whether before or after the money has moved: `docs/upstream/outcomes.md` in short. */
export const FAULTS = {
  none: { means: 'succeeded', sends: 1 },
  slow: { means: 'succeeded', sends: 1 },
  token_refused_once: { means: 'succeeded', sends: 2 },
  declined: { means: 'declined', sends: 1, before: { body: '{"returnCode":"51"}' } },
  token_refused_twice: { means: 'failed', sends: 2, before: { status: 401 } },
  forbidden: { means: 'failed', sends: 1, before: { status: 403 } },
  reset_before: before({ endsAfter: 0 }),
  unavailable: before({ status: 503 }),
  throttled: before({ status: 429 }),
  proxy_login: before({ status: 407 }),
  request_timeout: before({ status: 408 }),
  too_large: before({ status: 413 }),
  expectation_failed: before({ status: 417 }),
  misdirected: before({ status: 421 }),
  too_early: before({ status: 425 }),
  redirected: before({ status: 307, location: ELSEWHERE }),
  redirected_as_get: before({ status: 303, location: ELSEWHERE }),
  redirected_nowhere: before({ status: 308 }),
  pending_before: before({ body: '{"returnCode":"96","returnText":"outcome pending"}' }),
  pending_after: after(() => ({ body: '{"returnCode":96}' })),
  declined_with_id: after((answer) => ({ body: answer.replace('"returnCode":"0"', '"returnCode":"5"') })),
  reset_after: after(() => ({ endsAfter: 0 })),
  cut_off_after: after((answer) => ({ body: answer, endsAfter: answer.length / 2 })),
  error_after: after(() => ({ status: 500, body: 'Internal error' })),
  page_after: after(() => ({ body: '<!doctype html><h1>Maintenance</h1>' })),
  no_return_code: after(() => ({ body: '{"transactionID":"T"}' })),
} as const satisfies Readonly<Record<string, Misbehavior>>;
export type Fault = keyof typeof FAULTS;

/** One `pay` or `reversal` that reached the upstream. */
interface MoneyCall {
  readonly operation: 'pay' | 'reversal';
  readonly body: Readonly<Record<string, string>>;
}

/**
 * Stands where the payment service stands: the sandbox, with a fault for each money call, and a record of what arrived. `faultOf` is asked
 * once per money call; a repeated login is no new call.
 */
export async function startFaultyUpstream(
  sandbox: Sandbox,
  faultOf: (operation: 'pay' | 'reversal', body: Readonly<Record<string, string>>) => Fault,
): Promise<HttpServer & { readonly calls: readonly MoneyCall[] }> {
  const calls: MoneyCall[] = [];
  const refused = new Set<string>();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await buffer(incoming);
    const operation = incoming.url?.split('/').at(-1);
    if (operation !== 'pay' && operation !== 'reversal') return forward(incoming, bytes, outgoing);
    const body = JSON.parse(bytes.toString()) as Record<string, string>;
    calls.push({ operation, body });
    const fault = faultOf(operation, body);
    const { before, after }: Misbehavior = FAULTS[fault];
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 120));
    const call = JSON.stringify(body);
    if (fault === 'token_refused_once' && !refused.has(call)) {
      refused.add(call);
      return reply(outgoing, { status: 401 });
    }
    if (before !== undefined) return reply(outgoing, before);
    if (after === undefined) return forward(incoming, bytes, outgoing);
    return reply(outgoing, after(await (await askSandbox(sandbox, incoming, bytes)).text()));
  }

  async function forward(incoming: IncomingMessage, bytes: Buffer, outgoing: ServerResponse): Promise<void> {
    const answer = await askSandbox(sandbox, incoming, bytes);
    for (const name of ['content-type', 'location']) {
      const value = answer.headers.get(name);
      if (value !== null) outgoing.setHeader(name, value);
    }
    outgoing.statusCode = answer.status;
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  }

  const server = await serveHttp((incoming, outgoing) => serve(incoming, outgoing).catch(() => outgoing.destroy()));
  return { ...server, calls };
}

/** Passes a request on to a sandbox in this process. */
export function askSandbox(sandbox: Sandbox, incoming: IncomingMessage, bytes: Buffer): Promise<Response> {
  return sandbox.fetch(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(bytes.length === 0 ? {} : { body: new Uint8Array(bytes) }),
  });
}

function reply(outgoing: ServerResponse, { status = 200, body = '', location, endsAfter }: Reply): void {
  if (endsAfter === 0) return void outgoing.destroy();
  outgoing.writeHead(status, { 'content-length': body.length, ...(location !== undefined && { location }) });
  if (endsAfter === undefined) outgoing.end(body);
  else outgoing.write(body.slice(0, endsAfter), () => outgoing.destroy());
}
