/** Text that stands in for every redacted value. */
export const REDACTED = '[redacted]';

/**
 * A secret that shows itself only to {@link Redacted.reveal}: not to string conversion, JSON, object spread or a
 * debugger's console.
 */
export class Redacted {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    // What Node, Deno's Node layer and Bun print.
    Object.defineProperty(this, Symbol.for('nodejs.util.inspect.custom'), { value: () => REDACTED });
  }

  /** The secret itself. Call it where the secret is used, never earlier. */
  reveal(): string {
    return this.#value;
  }

  /** Stands in for the secret wherever it becomes text. */
  toString(): string {
    return REDACTED;
  }

  /** Stands in for the secret wherever it becomes JSON. */
  toJSON(): string {
    return REDACTED;
  }
}
