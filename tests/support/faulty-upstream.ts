import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Sandbox } from '@innkeep/sandbox';

/** What goes wrong with one money call, and whether before or after the money has moved. */
export const FAULTS = {
  none: { executes: true, means: 'succeeded' },
  slow: { executes: true, means: 'succeeded' },
  token_refused_once: { executes: true, means: 'succeeded' },
  declined: { executes: false, means: 'declined' },
  token_refused_twice: { executes: false, means: 'failed' },
  forbidden: { executes: false, means: 'failed' },
  reset_before: { executes: false, means: 'unknown' },
  unavailable: { executes: false, means: 'unknown' },
  throttled: { executes: false, means: 'unknown' },
  redirected: { executes: false, means: 'unknown' },
  reset_after: { executes: true, means: 'unknown' },
  cut_off_after: { executes: true, means: 'unknown' },
  error_after: { executes: true, means: 'unknown' },
  page_after: { executes: true, means: 'unknown' },
  no_return_code: { executes: true, means: 'unknown' },
} as const;

/** One of {@link FAULTS}. */
export type Fault = keyof typeof FAULTS;

/** One `pay` or `reversal` that reached the upstream. */
export interface MoneyCall {
  readonly operation: 'pay' | 'reversal';
  readonly body: Readonly<Record<string, string>>;
  readonly fault: Fault;
  readonly arrivedAt: number;
  /** When the last byte of the answer was written, or the connection destroyed. */
  endedAt: number;
}

/** Stands where the payment service stands: the sandbox, with a fault for each money call, and a record of what arrived. */
export interface FaultyUpstream {
  readonly url: string;
  readonly calls: readonly MoneyCall[];
  close(): void;
}

/** Serves a sandbox. `faultOf` is asked once per money call; a repeated login is no new call. */
export async function startFaultyUpstream(
  sandbox: Sandbox,
  faultOf: (operation: 'pay' | 'reversal', body: Readonly<Record<string, string>>) => Fault,
): Promise<FaultyUpstream> {
  const calls: MoneyCall[] = [];
  const refusedTokens = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 60_000;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await readAll(incoming);
    const operation = incoming.url?.split('/').at(-1);
    if (operation !== 'pay' && operation !== 'reversal') return forward(incoming, bytes, outgoing);
    const body = JSON.parse(bytes.toString()) as Record<string, string>;
    const fault = faultOf(operation, body);
    const call: MoneyCall = { operation, body, fault, arrivedAt: Date.now(), endedAt: Number.POSITIVE_INFINITY };
    calls.push(call);
    try {
      await misbehave(fault, { incoming, bytes, outgoing, name: JSON.stringify(body) });
    } finally {
      call.endedAt = Date.now();
    }
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
      case 'unavailable':
        return end(outgoing, 503, 'down');
      case 'throttled':
        return end(outgoing, 429, '');
      case 'redirected':
        outgoing.setHeader('location', 'https://elsewhere.invalid/');
        return end(outgoing, 307, '');
      case 'reset_before':
        outgoing.destroy();
        return;
      default:
        return spoil(fault, await ask(incoming, bytes), outgoing);
    }
  }

  async function spoil(fault: Fault, answer: Response, outgoing: ServerResponse): Promise<void> {
    const text = await answer.text();
    if (fault === 'reset_after') outgoing.destroy();
    else if (fault === 'error_after') await end(outgoing, 500, 'Internal error');
    else if (fault === 'page_after') await end(outgoing, 200, '<!doctype html><h1>Maintenance</h1>');
    else if (fault === 'no_return_code') await end(outgoing, 200, '{"transactionID":"T"}');
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
    const type = answer.headers.get('content-type');
    if (type !== null) outgoing.setHeader('content-type', type);
    await end(outgoing, answer.status, Buffer.from(await answer.arrayBuffer()));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function end(outgoing: ServerResponse, status: number, body: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    // A caller that died does not read its answer; the call has ended all the same.
    outgoing.once('close', resolve);
    outgoing.statusCode = status;
    outgoing.end(body, () => resolve());
  });
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
