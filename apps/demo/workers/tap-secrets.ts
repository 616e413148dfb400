import { type CredentialName, SecretBook } from '../src/wire-panel/secret-book.ts';

/** A secret that appeared on the wire: a bearer token, a stored card. */
export interface LearnedSecret {
  readonly name: CredentialName;
  readonly value: string;
}

const MOST_LEARNED = 100;

/** A book of secrets that can tell the books of other Workers what it has learned. */
export class TapSecrets extends SecretBook {
  readonly #learned = new Map<string, LearnedSecret>();
  readonly #fresh = new Map<string, LearnedSecret>();

  override learn(name: CredentialName, value: string): void {
    super.learn(name, value);
    if (this.#learned.has(value)) return;
    this.#fresh.set(value, { name, value });
    this.#keep({ name, value });
  }

  /** Takes over what another book has learned. */
  adopt(secrets: readonly LearnedSecret[]): void {
    for (const { name, value } of secrets) {
      super.learn(name, value);
      this.#keep({ name, value });
    }
  }

  get hasFresh(): boolean {
    return this.#fresh.size > 0;
  }

  /** What was learned since the last call. */
  takeFresh(): LearnedSecret[] {
    const fresh = [...this.#fresh.values()];
    this.#fresh.clear();
    return fresh;
  }

  /** Everything learned, by this book and by others, as far as it is remembered. */
  learned(): LearnedSecret[] {
    return [...this.#learned.values()];
  }

  #keep(secret: LearnedSecret): void {
    this.#learned.set(secret.value, secret);
    const [oldest] = this.#learned.keys();
    if (this.#learned.size > MOST_LEARNED && oldest !== undefined) this.#learned.delete(oldest);
  }
}
