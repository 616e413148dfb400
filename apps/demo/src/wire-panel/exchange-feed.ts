/** The live feed of the panel: server-sent events, each with the rows that are new or have changed. */
import type { Entry, ExchangeJournal } from './journal.ts';
import { storyOf } from './story.ts';
import { exchangeRow } from './views/exchange-row.ts';

// Shorter than any proxy or browser gives up on a silent connection.
const SILENCE_MS = 15_000;

/** What to send. */
export interface FeedOptions {
  readonly journal: ExchangeJournal;
  /** What the exchanges must be about; null for all. */
  readonly root: string | null;
  /** Revision that the reader has seen; 0 for nothing. */
  readonly after: number;
}

/** The feed as the body of a `text/event-stream`. Ends when its reader leaves. */
export function exchangeFeed({ journal, root, after }: FeedOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = new AbortController();
  const known = new Map<string, Entry>();
  const sent = new Map<string, number>();
  let revision = 0;

  const rows = async (): Promise<string> => {
    const story = storyOf([...known.values()], root);
    const fresh = story.filter(({ exchange, revision: current }) => sent.get(exchange.id) !== current);
    if (fresh.length === 0) return '';
    for (const entry of fresh) sent.set(entry.exchange.id, entry.revision);
    const data = await Promise.all(
      fresh.map(async (entry) => ({ id: entry.exchange.id, seq: entry.seq, html: String(await exchangeRow(entry)) })),
    );
    return `event: rows\nid: ${revision}\ndata: ${JSON.stringify({ rows: data, count: story.length })}\n\n`;
  };

  return new ReadableStream({
    async start(controller) {
      const seen = await journal.changes(0);
      revision = seen.revision;
      const isContinued = after > 0 && after <= revision;
      for (const entry of seen.entries) known.set(entry.exchange.id, entry);
      // What the reader has is not sent again, unless it belongs to the story only since then.
      const old = isContinued ? seen.entries.filter((entry) => entry.revision <= after) : [];
      for (const entry of storyOf(old, root)) sent.set(entry.exchange.id, entry.revision);
      const wasCleared = after > 0 && (!isContinued || (await journal.changes(after)).wasCleared);
      controller.enqueue(
        encoder.encode(`retry: 1000\n\n${wasCleared ? 'event: cleared\ndata: {}\n\n' : ''}${await rows()}`),
      );
    },
    async pull(controller) {
      const changes = await journal.changes(revision, { waitMs: SILENCE_MS, signal: reader.signal });
      if (reader.signal.aborted) return;
      revision = changes.revision;
      if (changes.wasCleared) {
        known.clear();
        sent.clear();
      }
      for (const entry of changes.entries) known.set(entry.exchange.id, entry);
      const cleared = changes.wasCleared ? `event: cleared\nid: ${revision}\ndata: {}\n\n` : '';
      // A comment keeps the connection alive and shows a server that nobody reads any more.
      controller.enqueue(encoder.encode(`${cleared}${await rows()}` || ': still here\n\n'));
    },
    cancel() {
      reader.abort();
    },
  });
}
