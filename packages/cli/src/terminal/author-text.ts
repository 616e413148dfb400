import type { Author } from '@innkeep/core/merchant';

/** Who did something, for people: the person and the key, or only the key. */
export function authorText({ key, person }: Author): string {
  return person === null ? key : `${person} (${key})`;
}
