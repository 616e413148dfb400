/** Who does something, and through which call. Pure. */
import type { Author } from '@innkeep/core/contract';

/** Who does something, and what the audit says of the call. */
export interface Actor {
  readonly by: Author;
  readonly requestId: string;
  /** Null where nobody trusted says it. */
  readonly network: string | null;
}

/**
 * Whether two are the same: the same person where both name one, else the same key. A person can be named as they typed it when they
 * signed in, and a capital letter makes nobody else of them.
 */
export function isSameAuthor(one: Author, other: Author): boolean {
  if (one.person === null || other.person === null) return one.key === other.key;
  return one.person.toLowerCase() === other.person.toLowerCase();
}
