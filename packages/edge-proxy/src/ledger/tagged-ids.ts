/**
 * Ids of checkout sessions, charges, reversals and desk sessions. The last six characters are a tag over the rest, under a key that only
 * this deployment has: an id that somebody made up is recognized without waking its object, which would leave a file behind.
 */
import { timeToCrockford, toBase64Url, toCrockford } from '../http/encoding.ts';
import { isEqualConstantTime, sha256 } from '../http/hash.ts';
import { isResourceId } from '../http/ids.ts';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { IdKeyObject } from './id-key-object.ts';
import type { LedgerObject } from './ledger-object.ts';

export interface IdKeyBindings extends Placement {
  readonly ID_KEYS: DurableObjectNamespace<IdKeyObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
}

/** What an id names: a checkout session, a charge, a reversal or a desk session. */
export type IdPrefix = 'cs' | 'ch' | 'rv' | 'ds';

/** The ids of a deployment. */
export type TaggedIds = ReturnType<typeof createTaggedIds>;

const idKeys = new WeakMap<object, string>();

/** The random key that the deployment has made for itself. It is stored with the data and never changes. */
export async function readIdKey(bindings: Omit<IdKeyBindings, 'LEDGERS'>): Promise<string> {
  const known = idKeys.get(bindings);
  if (known !== undefined) return known;
  const key = await objectByName(bindings.ID_KEYS, 'sessions', bindings).read();
  idKeys.set(bindings, key);
  return key;
}

const encoder = new TextEncoder();
const TAG_LENGTH = 6;
/** How many ids are known to be ours without computing their tags: pages ask for the same ones again and again. */
const REMEMBERED = 1_000;

export function createTaggedIds(bindings: IdKeyBindings) {
  // The key, not the promise of it: a promise belongs to the request that made it.
  let key: CryptoKey | undefined;

  const sign = async (text: string): Promise<Uint8Array> => {
    if (key === undefined) {
      const secret = encoder.encode(await readIdKey(bindings));
      key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    }
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  };
  const tagged = async (prefix: IdPrefix, body: string): Promise<string> => {
    // Sessions had tags first, without the prefix in them.
    const tag = await sign(prefix === 'cs' ? body : `${prefix}_${body}`);
    return `${prefix}_${body}${toCrockford(tag, TAG_LENGTH)}`;
  };
  const hasForm = (prefix: IdPrefix, id: string): boolean => id.startsWith(`${prefix}_`) && isResourceId(id);
  const checked = new Set<string>();
  const hasTag = async (prefix: IdPrefix, id: string): Promise<boolean> => {
    if (checked.has(id)) return true;
    const isOurs = isEqualConstantTime(await tagged(prefix, id.slice(3, -TAG_LENGTH)), id);
    if (isOurs && checked.size >= REMEMBERED) checked.clear();
    if (isOurs) checked.add(id);
    return isOurs;
  };

  return {
    /** A new id of a session; ids sort by time. */
    create: (nowMs: number, prefix: 'cs' | 'ds' = 'cs') =>
      tagged(prefix, timeToCrockford(nowMs) + toCrockford(crypto.getRandomValues(new Uint8Array(7)), 10)),
    /** Always the same id for the same parts: how replays and retries find their object without a lookup. */
    derive: async (prefix: IdPrefix, parts: readonly string[]) =>
      tagged(prefix, toCrockford(await sha256(JSON.stringify(parts)), 20)),
    /** Whether this deployment has made the id. 1 of 2³⁰ made-up ones passes. */
    isOurs: async (prefix: IdPrefix, id: string) => hasForm(prefix, id) && hasTag(prefix, id),
    /** The same, or whether the hotel’s ledger has what it names: it may be older than the tags, or than a lost key. */
    isKnown: async (prefix: IdPrefix, id: string, property: string) =>
      hasForm(prefix, id) &&
      ((await hasTag(prefix, id)) || (await objectByName(bindings.LEDGERS, property, bindings).has(id))),
    /** 256 bits that are always the same for the same parts, and that nobody else can guess: 43 characters. */
    deriveSecret: async (parts: readonly string[]) => toBase64Url(await sign(JSON.stringify(parts))),
  };
}
