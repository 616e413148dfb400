import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Sandbox } from '@innkeep/sandbox';
import { type HttpServer, serveHttp } from './serve-http.ts';

/** Answers that say nothing of whether the call was executed, which it was not: their status, and whether they point on. */
const STATUSES = {
  unavailable: { status: 503 },
  throttled: { status: 429 },
  proxy_login: { status: 407 },
  request_timeout: { status: 408 },
  too_large: { status: 413 },
  expectation_failed: { status: 417 },
  misdirected: { status: 421 },
  too_early: { status: 425 },
  redirected: { status: 307, location: 'https://elsewhere.invalid/' },
  redirected_as_get: { status: 303, location: 'https://elsewhere.invalid/' },
  redirected_nowhere: { status: 308 },
} as const;

const NOT_EXECUTED = { executes: false, means: 'unknown', sends: 1 } as const;
const EXECUTED = { executes: true, means: 'unknown', sends: 1 } as const;

/**
 * What goes wrong with one money call, whether before or after the money has moved, what the proxy may make of it, and
 * how often the call arrives: once, and once more when its access token was refused. `docs/upstream/outcomes.md` in short.
 */
export const FAULTS = {
  none: { executes: true, means: 'succeeded', sends: 1 },
  slow: { executes: true, means: 'succeeded', sends: 1 },
  token_refused_once: { executes: true, means: 'succeeded', sends: 2 },
  declined: { executes: false, means: 'declined', sends: 1 },
  token_refused_twice: { executes: false, means: 'failed', sends: 2 },
  forbidden: { executes: false, means: 'failed', sends: 1 },
  reset_before: NOT_EXECUTED,
  unavailable: NOT_EXECUTED,
  throttled: NOT_EXECUTED,
  proxy_login: NOT_EXECUTED,
  request_timeout: NOT_EXECUTED,
  too_large: NOT_EXECUTED,
  expectation_failed: NOT_EXECUTED,
  misdirected: NOT_EXECUTED,
  too_early: NOT_EXECUTED,
  redirected: NOT_EXECUTED,
  redirected_as_get: NOT_EXECUTED,
  redirected_nowhere: NOT_EXECUTED,
  pending_before: NOT_EXECUTED,
  pending_after: EXECUTED,
  declined_with_id: EXECUTED,
  reset_after: EXECUTED,
  cut_off_after: EXECUTED,
  error_after: EXECUTED,
  page_after: EXECUTED,
  no_return_code: EXECUTED,
} as const;

/** One of {@link FAULTS}. */
export type Fault = keyof typeof FAULTS;

/** One `pay` or `reversal` that reached the upstream. */
export interface MoneyCall {
  readonly operation: 'pay' | 'reversal';
  readonly body: Readonly<Record<string, string>>;
}

/** Stands where the payment service stands: the sandbox, with a fault for each money call, and a record of what arrived. */
export interface FaultyUpstream extends HttpServer {
  readonly calls: readonly MoneyCall[];
}

/** Serves a sandbox. `faultOf` is asked once per money call; a repeated login is no new call. */
export async function startFaultyUpstream(
  sandbox: Sandbox,
  faultOf: (operation: 'pay' | 'reversal', body: Readonly<Record<string, string>>) => Fault,
): Promise<FaultyUpstream> {
  const calls: MoneyCall[] = [];
  const refusedTokens = new Set<string>();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await buffer(incoming);
    const operation = incoming.url?.split('/').at(-1);
    if (operation !== 'pay' && operation !== 'reversal') return forward(incoming, bytes, outgoing);
    const body = JSON.parse(bytes.toString()) as Record<string, string>;
    calls.push({ operation, body });
    return misbehave(faultOf(operation, body), { incoming, bytes, outgoing, name: JSON.stringify(body) });
  }

  async function misbehave(
    fault: Fault,
    call: { incoming: IncomingMessage; bytes: Buffer; outgoing: ServerResponse; name: string },
  ): Promise<void> {
    const { incoming, bytes, outgoing, name } = call;
    switch (fault) {
      case 'none':
        return forward(incoming, bytes, outgoing);
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, 120));
        return forward(incoming, bytes, outgoing);
      case 'token_refused_once':
        if (refusedTokens.has(name)) return forward(incoming, bytes, outgoing);
        refusedTokens.add(name);
        return end(outgoing, 401, '');
      case 'token_refused_twice':
        return end(outgoing, 401, '');
      case 'forbidden':
        return end(outgoing, 403, '');
      case 'declined':
        return end(outgoing, 200, '{"returnCode":"51"}');
      case 'pending_before':
        return end(outgoing, 200, '{"returnCode":"96","returnText":"outcome pending"}');
      case 'reset_before':
        outgoing.destroy();
        return;
      default:
        if (!(fault in STATUSES)) return spoil(fault, await ask(incoming, bytes), outgoing);
        return endWithStatus(outgoing, STATUSES[fault as keyof typeof STATUSES]);
    }
  }

  async function spoil(fault: Fault, answer: Response, outgoing: ServerResponse): Promise<void> {
    const text = await answer.text();
    if (fault === 'reset_after') outgoing.destroy();
    else if (fault === 'error_after') end(outgoing, 500, 'Internal error');
    else if (fault === 'page_after') end(outgoing, 200, '<!doctype html><h1>Maintenance</h1>');
    else if (fault === 'pending_after') end(outgoing, 200, '{"returnCode":96}');
    else if (fault === 'declined_with_id') end(outgoing, 200, text.replace('"returnCode":"0"', '"returnCode":"5"'));
    else if (fault === 'no_return_code') end(outgoing, 200, '{"transactionID":"T"}');
    else {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy());
    }
  }

  function ask(incoming: IncomingMessage, bytes: Buffer): Promise<Response> {
    return sandbox.fetch(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ...(bytes.length === 0 ? {} : { body: new Uint8Array(bytes) }),
    });
  }

  async function forward(incoming: IncomingMessage, bytes: Buffer, outgoing: ServerResponse): Promise<void> {
    const answer = await ask(incoming, bytes);
    for (const name of ['content-type', 'location']) {
      const value = answer.headers.get(name);
      if (value !== null) outgoing.setHeader(name, value);
    }
    end(outgoing, answer.status, Buffer.from(await answer.arrayBuffer()));
  }

  const server = await serveHttp((incoming, outgoing) => serve(incoming, outgoing).catch(() => outgoing.destroy()));
  return { ...server, calls };
}

function endWithStatus(outgoing: ServerResponse, answer: { status: number; location?: string }): void {
  if (answer.location !== undefined) outgoing.setHeader('location', answer.location);
  end(outgoing, answer.status, '');
}

function end(outgoing: ServerResponse, status: number, body: string | Buffer): void {
  outgoing.statusCode = status;
  outgoing.end(body);
}
