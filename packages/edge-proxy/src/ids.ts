/** Ids and capabilities. An id names an object and is no secret; a capability is an id with 256 random bits behind it. */
import { toBase64Url, toCrockford } from './crypto/encoding.ts';
import { sha256 } from './crypto/hash.ts';

/** What a derived id names, by its prefix. Ids of sessions are made in `rpc/session-ids.ts`. */
export type IdPrefix = 'ch' | 'rv' | 'ev';

const SESSION_ID = /^cs_[0-9A-HJKMNP-TV-Z]{26}$/;
const OPERATION_ID = /^(?:ch|rv)_[0-9A-HJKMNP-TV-Z]{26}$/;
const CAPABILITY = /^(cs_[0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{43}$/;

/** Always the same id for the same parts: how replays and retries find their object without a lookup. */
export async function derivedId(prefix: IdPrefix, parts: readonly string[]): Promise<string> {
  return `${prefix}_${toCrockford(await sha256(JSON.stringify(parts)), 26)}`;
}

/**
 * The id of the event about two sessions, the same in whatever order they are named. Not SHA-256 as elsewhere: it is made
 * inside a transaction, which cannot wait.
 */
export function pairEventId(one: string, other: string): string {
  const text = [one, other].sort().join(' ');
  const digits = Uint8Array.from({ length: 26 }, (_, lane) => {
    let hash = Math.imul(lane + 1, 0x9e37_79b1);
    for (let i = 0; i < text.length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x85eb_ca6b);
      hash ^= hash >>> 13;
    }
    return hash >>> 27;
  });
  return `ev_${Array.from(digits, (digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[digit]).join('')}`;
}

/** The id of an event that happens once, in the transaction that writes it down. */
export function newEventId(): string {
  return `ev_${toCrockford(crypto.getRandomValues(new Uint8Array(32)), 26)}`;
}

/** 256 random bits, 43 characters. */
export function newSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** A new client secret or link id. It begins with the session's id, which names the object. */
export function newCapability(sessionId: string): string {
  return `${sessionId}_${newSecret()}`;
}

export function isOperationId(text: string, prefix: 'ch' | 'rv'): boolean {
  return text.startsWith(`${prefix}_`) && OPERATION_ID.test(text);
}

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** True for text in the form of any id that the proxy gives out. */
export function isResourceId(text: string): boolean {
  return SESSION_ID.test(text) || OPERATION_ID.test(text);
}

/** The session a client secret or link id belongs to; undefined when the text cannot be one. */
export function sessionIdOf(capability: string): string | undefined {
  return CAPABILITY.exec(capability)?.[1];
}
