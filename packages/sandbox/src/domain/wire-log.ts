/** One call as it went over the wire, redacted. */
export interface WireLogEntry {
  /** Place in the log: 1, 2, 3 …. */
  readonly seq: number;
  /** When, by the sandbox's clock: a local date-time. */
  readonly at: string;
  /** Operation of the upstream API, `hosted page`, or `-` for an address that does not exist. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Path and query, secrets blanked. */
  readonly path: string;
  /** Headers, secrets blanked. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed body, secrets blanked. */
  readonly body: unknown;
  /** `null` while the answer is being made, and for ever when it was lost. */
  answer: { readonly status: number; readonly contentType: string; readonly body: unknown } | null;
  /** Name of the scenario that decided, when one did. */
  scenario?: string;
  /** Why it went as it went, in words the wire does not carry. */
  note?: string;
}

/** The last calls, oldest first. */
export interface WireLog {
  add(entry: Omit<WireLogEntry, 'seq'>): WireLogEntry;
  /** Entries with a `seq` above `after`. */
  entries(after?: number): WireLogEntry[];
  /** How many calls there were. */
  count(): number;
  /** Goes on numbering after this many calls, whose entries are gone. */
  restore(count: number): void;
  reset(): void;
}

/** A log that keeps the last `capacity` calls. */
export function createWireLog(capacity: number): WireLog {
  // A ring: an array from whose front entries are cut would cost time in proportion to its length on every call.
  const ring = new Map<number, WireLogEntry>();
  let count = 0;
  return {
    add: (entry) => {
      count += 1;
      const numbered = { seq: count, ...entry };
      ring.set(count, numbered);
      ring.delete(count - capacity);
      return numbered;
    },
    entries: (after = 0) => [...ring.values()].filter((entry) => entry.seq > after),
    count: () => count,
    restore: (earlier) => {
      ring.clear();
      count = earlier;
    },
    reset: () => {
      ring.clear();
      count = 0;
    },
  };
}
