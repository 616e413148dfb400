/** Who does something, and through which call. Pure. */
import type { Author } from '@innkeep/core/contract';

/** Who does something, and what the audit says of the call. */
export interface Actor {
  readonly by: Author;
  readonly requestId: string;
  /** Null where nobody trusted says it. */
  readonly network: string | null;
}

/** Whether two are the same: the same person where both name one, else the same key. */
export function isSameAuthor(one: Author, other: Author): boolean {
  return one.person !== null && other.person !== null ? one.person === other.person : one.key === other.key;
}
