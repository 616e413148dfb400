/** What an id is for; it decides its shape. */
export type IdKind = 'bearer' | 'transaction' | 'request' | 'view' | 'token' | 'object';

/** Ids that look random and are not: the same seed gives the same ids in the same order. */
export interface SeededIds {
  next(kind: IdKind): string;
  /** How many there were of each kind. */
  counts(): ReadonlyMap<IdKind, number>;
  /** Goes on after this many. */
  restore(counts: ReadonlyMap<IdKind, number>): void;
  reset(): void;
}

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH: Readonly<Record<IdKind, number>> = {
  bearer: 48,
  transaction: 14,
  request: 20,
  view: 26,
  token: 20,
  object: 8,
};

/** Ids for one sandbox. */
export function createSeededIds(seed: string): SeededIds {
  const counts = new Map<IdKind, number>();
  return {
    next: (kind) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      // Object ids are digits in the specification's samples of `PAYOBJID`; a counter keeps them unique.
      if (kind === 'object') return String(10_000_000 + count);
      const letters = pickLetters(`${seed}:${kind}:${count}`, LENGTH[kind]);
      // The count at the end keeps ids unique whatever the hash does. A letter in front keeps them from ever looking
      // like a card number.
      return `${letters}${count.toString(36).toUpperCase().padStart(4, '0')}`;
    },
    counts: () => counts,
    restore: (earlier) => {
      counts.clear();
      for (const [kind, count] of earlier) counts.set(kind, count);
    },
    reset: () => counts.clear(),
  };
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
