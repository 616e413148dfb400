/** One call as it went over the wire, redacted. */
export interface WireLogEntry {
  /** Place in the log: 1, 2, 3 …. */
  readonly seq: number;
  /** Time on the sandbox's clock: a local date-time. */
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
  /** `null` while the answer is being made, and forever if it was lost. */
  answer: { readonly status: number; readonly contentType: string; readonly body: unknown } | null;
  /** Name of the scenario that decided, when one did. */
  scenario?: string;
  /** The reason for the answer, which the wire does not carry. */
  note?: string;
}

/** The last calls, oldest first. */
export class WireLog {
  readonly #capacity: number;
  // A ring: an array from whose front entries are cut would cost time in proportion to its length on every call.
  readonly #ring = new Map<number, WireLogEntry>();
  #count = 0;

  /** A log that keeps the last `capacity` calls. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** How many calls there were. */
  get count(): number {
    return this.#count;
  }

  add(entry: Omit<WireLogEntry, 'seq'>): WireLogEntry {
    this.#count += 1;
    const numbered = { seq: this.#count, ...entry };
    this.#ring.set(numbered.seq, numbered);
    this.#ring.delete(numbered.seq - this.#capacity);
    return numbered;
  }

  /** Entries with a `seq` above `after`. */
  entries(after = 0): WireLogEntry[] {
    return [...this.#ring.values()].filter((entry) => entry.seq > after);
  }

  /** Continues the numbering after this many calls, whose entries are gone. */
  restore(count: number): void {
    this.#ring.clear();
    this.#count = count;
  }
}
