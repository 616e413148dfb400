/** The live feed of the panel: server-sent events that say that something has changed. The panel then loads its view again. */
import type { ExchangeLog } from './exchange-log.ts';

// Proxies and browsers wait longer than this before they give up on a silent connection.
const HEARTBEAT_MS = 15_000;

/** The feed as the body of a `text/event-stream`. Begins with a change, so that a reader misses none; ends when its reader leaves. */
export function changeFeed(log: ExchangeLog): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  return new ReadableStream({
    start(controller) {
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      const unwatch = log.watch(() => send('data: changed\n\n'));
      const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
      stop = () => {
        unwatch();
        clearInterval(heartbeat);
      };
      send('retry: 1000\ndata: changed\n\n');
    },
    cancel: () => stop(),
  });
}
