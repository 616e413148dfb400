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

  get size(): number {
    return this.#entries.size;
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

  values(): Value[] {
    return [...this.#entries.values()];
  }

  clear(): void {
    this.#entries.clear();
    this.#forgotten = 0;
  }
}
