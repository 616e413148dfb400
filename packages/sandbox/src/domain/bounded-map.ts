/** What a {@link BoundedMap} holds. */
export interface Kept<Value> {
  readonly entries: ReadonlyMap<string, Value>;
  readonly forgotten: number;
}

/** A map that forgets its oldest entry when it is full, and counts what it forgot. */
export class BoundedMap<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Value>();
  #forgotten = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      this.#forgotten += 1;
      return;
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  state(): Kept<Value> {
    return { entries: this.#entries, forgotten: this.#forgotten };
  }

  /** Becomes a map that holds these, and has forgotten this many before. */
  restore({ entries, forgotten }: Kept<Value>): void {
    this.clear();
    for (const [key, value] of entries) this.set(key, value);
    this.#forgotten += forgotten;
  }

  values(): Value[] {
    return [...this.#entries.values()];
  }

  clear(): void {
    this.#entries.clear();
    this.#forgotten = 0;
  }
}
