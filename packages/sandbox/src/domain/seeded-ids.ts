/** What an id is for; it decides its shape. */
export type IdKind = 'bearer' | 'transaction' | 'request' | 'view' | 'token' | 'object';

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH: Readonly<Record<IdKind, number>> = {
  bearer: 48,
  transaction: 14,
  request: 20,
  view: 26,
  token: 20,
  object: 8,
};

/** Ids that look random and are not: the same seed gives the same ids in the same order. */
export class SeededIds {
  readonly #seed: string;
  /** How many ids of each kind were made. */
  counts: Map<IdKind, number> = new Map();

  constructor(seed: string) {
    this.#seed = seed;
  }

  next(kind: IdKind): string {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    // The specification shows no id of an object; a counter keeps these unique.
    if (kind === 'object') return String(10_000_000 + count);
    const letters = pickLetters(`${this.#seed}:${kind}:${count}`, LENGTH[kind]);
    // The count at the end keeps ids unique whatever the hash does. A letter in front keeps them from ever looking
    // like a card number.
    return `${letters}${count.toString(36).toUpperCase().padStart(4, '0')}`;
  }
}

function pickLetters(text: string, length: number): string {
  let state = hash(text);
  let letters = '';
  while (letters.length < length) {
    state = mix(state);
    letters += ALPHABET[state % ALPHABET.length] ?? '';
  }
  return `${ALPHABET[state % 23] ?? 'A'}${letters.slice(1)}`;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

function mix(state: number): number {
  let value = (state + 0x9e3779b9) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return (value ^ (value >>> 15)) >>> 0;
}
