/**
 * What a hotel's configuration is once it is read, and the hotels whose configuration is a secret of the deployment. A
 * property that cannot be parsed stays as a broken one: its callers learn the field, every other property serves.
 */
import {
  MAX_PROPERTY_BYTES,
  type MerchantKey,
  MerchantKeySchema,
  OriginSchema,
  type PropertyFields,
  parsePropertyFields,
} from '@innkeep/core/contract';
import * as v from 'valibot';
import type { SealingSecrets } from '../http/seal.ts';

export interface Property extends PropertyFields {
  readonly broken: false;
  readonly id: string;
  /** The deployment's own, newest first. */
  readonly sealingKeys: readonly string[];
  /** Taken out of the directory: what was paid reaches its end, and nothing new begins. */
  readonly isRemoved: boolean;
}

export interface BrokenProperty {
  readonly broken: true;
  readonly id: string;
  /** Dotted path of the first bad field; empty when the text is no JSON at all. */
  readonly field: string;
  readonly message: string;
  readonly merchantKeys: readonly MerchantKey[];
  readonly origins: readonly string[];
  readonly localOrigins: boolean;
}

export interface KeyHolder {
  readonly property: Property | BrokenProperty;
  readonly key: MerchantKey;
}

/** Hotels, wherever their configuration is kept. */
export interface Properties {
  /** Those whose configuration is a secret, `PROPERTY_<ID>`. */
  readonly inSecrets: readonly (Property | BrokenProperty)[];
  /** A hotel by its id; undefined when there is none. One that cannot be read now is a broken one. */
  find(id: string): Promise<Property | BrokenProperty | undefined>;
  /** Lets go of what is known of a hotel that was changed. */
  forget(id: string): void;
  /** Who holds this `sk_…` key. */
  findByKey(secretKey: string): Promise<KeyHolder | undefined>;
}

/** Hotels whose configuration is at hand. */
export interface SecretProperties {
  readonly all: readonly (Property | BrokenProperty)[];
  find(id: string): Property | BrokenProperty | undefined;
  /** Who holds the key of this hash. */
  findByHash(sha256: string): KeyHolder | undefined;
}

const VARIABLE = /^PROPERTY_([A-Z0-9_]{1,40})$/;
// 32 bytes in Base64 of either alphabet, or in hexadecimal digits.
const SEALING_KEY = /^(?:[A-Za-z0-9+/_-]{43}=?|[0-9A-Fa-f]{64})$/;
const NO_SEALING_KEY =
  'is live and needs SEALING_KEYS: 32 random bytes in Base64, as `openssl rand -base64 32` prints them';
const BAD_SEALING_KEY =
  'cannot be served: SEALING_KEYS must be keys of 32 bytes in Base64, the newest first, with spaces between';

/** The keys of `SEALING_KEYS`, as they are written. */
export function sealingKeysOf(setting: unknown): readonly string[] {
  return String(setting ?? '')
    .split(/[\s,]+/)
    .filter((key) => key !== '');
}

/** Whether each of these is a key of 32 bytes. */
export function areSealingKeys(keys: readonly string[]): boolean {
  return keys.every((key) => SEALING_KEY.test(key));
}

/** Reads every `PROPERTY_<ID>` of an environment. Never throws: what is wrong is kept as a broken property. */
export function parseProperties(environment: Readonly<Record<string, unknown>>): SecretProperties {
  const all: (Property | BrokenProperty)[] = [];
  const holders = new Map<string, KeyHolder>();
  const sealingKeys = sealingKeysOf(environment.SEALING_KEYS);
  for (const name of Object.keys(environment).sort()) {
    const id = VARIABLE.exec(name)?.[1]?.toLowerCase();
    if (id === undefined) continue;
    const property = withSealingKeys(parseProperty(id, environment[name]), sealingKeys);
    const shared = property.merchantKeys.findIndex((key) => holders.has(key.sha256));
    const kept = shared < 0 || property.broken ? property : asBroken(property, `merchantKeys.${shared}.sha256`);
    for (const key of property.merchantKeys) {
      if (!holders.has(key.sha256)) holders.set(key.sha256, { property: kept, key });
    }
    all.push(kept);
  }
  const byId = new Map(all.map((property) => [property.id, property]));
  return { all, find: (id) => byId.get(id), findByHash: (sha256) => holders.get(sha256) };
}

export function parseProperty(id: string, text: unknown): Property | BrokenProperty {
  if (typeof text !== 'string') return brokenProperty(id, 'must be text that holds JSON');
  if (new TextEncoder().encode(text).length > MAX_PROPERTY_BYTES) {
    return brokenProperty(id, 'must be at most 16 KiB');
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return brokenProperty(id, 'must be JSON');
  }
  const parsed = parsePropertyFields(json);
  if ('fields' in parsed) return { broken: false, id, sealingKeys: [], isRemoved: false, ...parsed.fields };
  return { ...brokenProperty(id, ''), ...parsed.complaints[0], ...readableRemains(json) };
}

/**
 * The secrets that may open what was sealed for a property. The newest of the deployment's own keys seals. The passwords come last:
 * they sealed before there were such keys, and still do for a hotel that is no live one and has none.
 */
export function sealingSecretsOf({ sealingKeys, password, previousPassword }: Property): SealingSecrets {
  const passwords = previousPassword === undefined ? [password] : [password, previousPassword];
  const [newest, ...older] = [...sealingKeys, ...passwords];
  return [newest ?? password, ...older];
}

/** The complaint about a property in one line, naming variable and field. */
export function describeBroken(property: BrokenProperty): string {
  const field = property.field === '' ? '' : ` field "${property.field}"`;
  return `PROPERTY_${property.id.toUpperCase()}:${field} ${property.message}`;
}

/** A property of this id that cannot be served, and why. */
export function brokenProperty(id: string, message: string): BrokenProperty {
  return { broken: true, id, field: '', message, merchantKeys: [], origins: [], localOrigins: false };
}

/** Nothing of a live hotel is sealed with what could be guessed, and a key that is none is never passed over. */
export function withSealingKeys(
  property: Property | BrokenProperty,
  sealingKeys: readonly string[],
): Property | BrokenProperty {
  if (property.broken) return property;
  const isBad = !areSealingKeys(sealingKeys);
  if (!isBad && (sealingKeys.length > 0 || !property.livemode)) return { ...property, sealingKeys };
  const { id, merchantKeys, origins, localOrigins } = property;
  return { ...brokenProperty(id, isBad ? BAD_SEALING_KEY : NO_SEALING_KEY), merchantKeys, origins, localOrigins };
}

function asBroken(property: Property, field: string): BrokenProperty {
  const { id, origins, localOrigins } = property;
  const broken = brokenProperty(id, 'is also a key of another property: every key belongs to one');
  return { ...broken, field, origins, localOrigins };
}

/** What is still readable of a property that cannot be served: enough to answer its callers honestly. */
function readableRemains(json: unknown): { merchantKeys: MerchantKey[]; origins: string[]; localOrigins: boolean } {
  const { merchantKeys, origins, localOrigins, livemode } = Object(json) as Record<string, unknown>;
  // With a field too many it is still a key: its holder hears what is wrong, not that the key is.
  return {
    merchantKeys: eachValid(v.object(MerchantKeySchema.entries), merchantKeys),
    origins: eachValid(OriginSchema, origins),
    localOrigins: localOrigins === true && livemode !== true,
  };
}

function eachValid<Output>(schema: v.GenericSchema<unknown, Output>, values: unknown): Output[] {
  return (Array.isArray(values) ? values : []).flatMap((value) => {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? [parsed.output] : [];
  });
}
