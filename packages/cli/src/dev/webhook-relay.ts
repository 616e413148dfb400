/** Takes the place of the hotel’s server: receives the proxy’s webhooks, shows them, and forwards them to the site. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { WebhookEvent } from '@innkeep/core/contract';
import { signWebhook } from '@innkeep/core/webhooks';
import type { Closer } from './cleanup.ts';
import { eventLine } from './event-line.ts';
import { forward, forwardedHeaders } from './forward.ts';
import { LOOPBACK, listen } from './listen.ts';

/** Settings of {@link serveRelay}. */
export interface RelayOptions {
  readonly port: number;
  /** The only path that it accepts; only the proxy knows it. */
  readonly path: string;
  /** Address of the site’s webhook route. */
  readonly forwardTo: string | undefined;
  /** Signs again, with the real time, where the proxy’s time is moved: a receiver refuses other times. */
  readonly signAgainWith: string | undefined;
  /** Makes the proxy deliver an event again. */
  readonly redeliver: (event: string) => Promise<unknown>;
  readonly fetch: typeof fetch;
  readonly print: (line: string) => void;
}

/** How often to check whether the site is back. */
const LOOK_AGAIN_MS = 500;

/** Serves the relay on loopback. */
export async function serveRelay(options: RelayOptions): Promise<Closer & { readonly url: string }> {
  const { port, path, print } = options;
  const server = createServer(async (request, response) => {
    if (request.url !== path || request.method !== 'POST') return void response.writeHead(404).end();
    try {
      const body = await buffer(request);
      const event = JSON.parse(body.toString()) as WebhookEvent;
      response.writeHead((await take(event, body, forwardedHeaders(request.headers))) ?? 502).end();
    } catch {
      // The connection broke, or the body was not an event: the proxy tries again.
      if (!response.headersSent) response.writeHead(502).end();
    }
  });

  async function take(
    event: WebhookEvent,
    body: Uint8Array,
    given: Record<string, string>,
  ): Promise<number | undefined> {
    const line = eventLine(event);
    if (options.forwardTo === undefined) {
      print(line);
      return 204;
    }
    missed.delete(event.id);
    const { signAgainWith: secret } = options;
    const signed = secret === undefined ? {} : await signWebhook({ id: event.id, timestamp: new Date(), body, secret });
    const { status, text, isRefused } = await forward(options.forwardTo, {
      headers: { ...given, ...signed },
      body,
      fetch: options.fetch,
      otherwise: 'it is tried again',
    });
    print(`${line}  ${text}`);
    if (isRefused) {
      missed.add(event.id);
      redeliverOnceBack(new URL(options.forwardTo));
    }
    // 410 would switch the endpoint off for good. A route that is still being written may answer it by mistake.
    return status === 410 ? 503 : status;
  }

  /** The events that found no site, until they are sent again. */
  const missed = new Set<string>();
  let watch: NodeJS.Timeout | undefined;
  /** A site that starts gets what it has missed at once: the proxy itself would try again only after minutes. */
  function redeliverOnceBack({ protocol, hostname, port }: URL): void {
    const address = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    };
    watch ??= setInterval(() => {
      if (missed.size === 0) return stopWatching();
      const socket = connect(address).once('error', () => undefined);
      socket.once('connect', () => {
        socket.destroy();
        // One by one: after the first, the proxy itself sends everything that waits for an endpoint that it has paused.
        const [event] = missed;
        if (event === undefined) return;
        missed.delete(event);
        options.redeliver(event).catch(() => undefined);
      });
    }, LOOK_AGAIN_MS).unref();
  }

  function stopWatching(): void {
    clearInterval(watch);
    watch = undefined;
  }

  const { close } = await listen(server, { port });
  return {
    url: `http://${LOOPBACK}:${port}${path}`,
    close() {
      missed.clear();
      stopWatching();
      return close();
    },
  };
}
