/**
 * Ids of checkout sessions. The last six characters are a tag over the rest, under a key that only this deployment has:
 * an id that a stranger made up is recognized without waking its object, which would leave a file behind.
 */
import { timeToCrockford, toCrockford } from '../crypto/encoding.ts';
import { isEqualConstantTime, sha256 } from '../crypto/hash.ts';
import { isSessionId } from '../ids.ts';
import type { IdKeyObject } from '../objects/id-key-object.ts';
import { objectByName, type Placement } from './object-by-name.ts';

export interface IdKeyBindings extends Placement {
  readonly ID_KEYS: DurableObjectNamespace<IdKeyObject>;
}

const encoder = new TextEncoder();
const TAG_LENGTH = 6;

export function createSessionIds(bindings: IdKeyBindings) {
  // The key, not the promise of it: a promise belongs to the request that made it.
  let key: CryptoKey | undefined;

  const tagged = async (body: string): Promise<string> => {
    if (key === undefined) {
      const secret = encoder.encode(await objectByName(bindings.ID_KEYS, 'sessions', bindings).read());
      key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    }
    const tag = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body)));
    return `cs_${body}${toCrockford(tag, TAG_LENGTH)}`;
  };

  return {
    /** A new id; ids sort by time. */
    create: (nowMs: number) =>
      tagged(timeToCrockford(nowMs) + toCrockford(crypto.getRandomValues(new Uint8Array(7)), 10)),
    /** Always the same id for the same parts. */
    derive: async (parts: readonly string[]) => tagged(toCrockford(await sha256(JSON.stringify(parts)), 20)),
    /** Whether this deployment has made the id. 1 of 2³⁰ made-up ones passes. */
    isOurs: async (id: string) => isSessionId(id) && isEqualConstantTime(await tagged(id.slice(3, -TAG_LENGTH)), id),
  };
}
