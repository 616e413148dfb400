/** The live feed of the panel: server-sent events, each with the rows that are new or have changed. */
import type { Entry, ExchangeLog } from './exchange-log.ts';
import { relatedExchanges } from './related-exchanges.ts';
import { exchangeRow } from './views/exchange-row.ts';

// Proxies and browsers wait longer than this before they give up on a silent connection.
const SILENCE_MS = 15_000;

/** What to send. */
export interface FeedOptions {
  readonly log: ExchangeLog;
  /** Only exchanges related to this id; null for all. */
  readonly root: string | null;
  /** Revision that the reader has seen; 0 for nothing. */
  readonly after: number;
}

/** The feed as the body of a `text/event-stream`. Ends when its reader leaves. */
export function exchangeFeed({ log, root, after }: FeedOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = new AbortController();
  const known = new Map<string, Entry>();
  const sent = new Map<string, number>();
  let revision = 0;

  const rows = async (): Promise<string> => {
    const fresh = relatedExchanges([...known.values()], root).filter(
      ({ exchange, revision: current }) => sent.get(exchange.id) !== current,
    );
    if (fresh.length === 0) return '';
    for (const entry of fresh) sent.set(entry.exchange.id, entry.revision);
    const data = await Promise.all(
      fresh.map(async (entry) => ({ id: entry.exchange.id, seq: entry.seq, html: String(await exchangeRow(entry)) })),
    );
    return `event: rows\nid: ${revision}\ndata: ${JSON.stringify(data)}\n\n`;
  };

  return new ReadableStream({
    async start(controller) {
      const seen = await log.changes(0);
      revision = seen.revision;
      const isContinued = after > 0 && after <= revision;
      for (const entry of seen.entries) known.set(entry.exchange.id, entry);
      // What the reader has is not sent again, unless it turned out only later that it belongs to the root.
      const old = isContinued ? seen.entries.filter((entry) => entry.revision <= after) : [];
      for (const entry of relatedExchanges(old, root)) sent.set(entry.exchange.id, entry.revision);
      const wasCleared = after > 0 && (!isContinued || (await log.changes(after)).wasCleared);
      controller.enqueue(
        encoder.encode(`retry: 1000\n\n${wasCleared ? 'event: cleared\ndata: {}\n\n' : ''}${await rows()}`),
      );
    },
    async pull(controller) {
      const changes = await log.changes(revision, { waitMs: SILENCE_MS, signal: reader.signal });
      if (reader.signal.aborted) return;
      revision = changes.revision;
      if (changes.wasCleared) {
        known.clear();
        sent.clear();
      }
      for (const entry of changes.entries) known.set(entry.exchange.id, entry);
      const cleared = changes.wasCleared ? `event: cleared\nid: ${revision}\ndata: {}\n\n` : '';
      // A comment keeps the connection alive, and fails when nobody reads it any more.
      controller.enqueue(encoder.encode(`${cleared}${await rows()}` || ': still here\n\n'));
    },
    cancel() {
      reader.abort();
    },
  });
}
