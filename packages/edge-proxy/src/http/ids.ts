/** Ids and capabilities. An id names an object and is no secret; a capability is an id with 256 random bits behind it. */
import { toBase64Url, toCrockford } from './encoding.ts';
import { sha256 } from './hash.ts';

/** The form of an id of a session, a charge, a reversal or a desk session. They are made in `ledger/tagged-ids.ts`. */
const ID = /^(?:cs|ch|rv|ds)_[0-9A-HJKMNP-TV-Z]{26}$/;
const CAPABILITY = /^(cs_[0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{43}$/;

/**
 * The id of the event about a version of a resource, the same each time it is told. The id of a key can be made again after its
 * resource was erased, so the time of creation counts, too.
 */
export async function versionEventId(resource: {
  readonly id: string;
  readonly createdAt: number;
  readonly seq: number;
}): Promise<string> {
  const { id, createdAt, seq } = resource;
  return `ev_${toCrockford(await sha256(JSON.stringify([id, createdAt, seq])), 26)}`;
}

/**
 * The id of the event about two payments.
 * @param text their ids and when they were made, the same whoever tells it. Not SHA-256 as elsewhere: a transaction cannot wait for that.
 */
export function pairEventId(text: string): string {
  const digits = Uint8Array.from({ length: 26 }, (_, index) => {
    let hash = Math.imul(index + 1, 0x9e37_79b1);
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
  return `ev_${randomId()}`;
}

export function newAuditId(): string {
  return `au_${randomId()}`;
}

function randomId(): string {
  return toCrockford(crypto.getRandomValues(new Uint8Array(32)), 26);
}

/** 256 random bits, 43 characters. */
export function newSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** A new client secret or link id. It begins with the session's id, which names the object. */
export function newCapability(sessionId: string): string {
  return `${sessionId}_${newSecret()}`;
}

/** True for text in the form of any id that the proxy gives out. */
export function isResourceId(text: string): boolean {
  return ID.test(text);
}

/** The session a client secret or link id belongs to; undefined when the text cannot be one. */
export function sessionIdOf(capability: string): string | undefined {
  return CAPABILITY.exec(capability)?.[1];
}
