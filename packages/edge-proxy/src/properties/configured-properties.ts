/**
 * What a hotel's configuration is once it is read, and the hotels whose configuration is a secret of the deployment. A
 * property that cannot be parsed stays as an invalid one: its callers learn the field, every other property serves.
 */
import {
  MAX_PROPERTY_BYTES,
  type MerchantKey,
  MerchantKeySchema,
  type PropertyFields,
  parsePropertyFields,
} from '@innkeep/core/contract';
import * as v from 'valibot';
import { ProblemError } from '../http/problem.ts';
import type { SealingSecrets } from '../http/seal.ts';

export interface Property extends PropertyFields {
  readonly invalid: false;
  readonly id: string;
  /** The deployment's own, newest first. */
  readonly sealingKeys: readonly string[];
  /** Taken out of the directory: what was paid reaches its end, and nothing new begins. */
  readonly isRemoved: boolean;
}

export interface InvalidProperty {
  readonly invalid: true;
  readonly id: string;
  /** Taken out of the directory, where its texts are erased after a while. */
  readonly isRemoved: boolean;
  /** Dotted path of the first bad field; empty when the text is no JSON at all. */
  readonly field: string;
  readonly message: string;
  readonly merchantKeys: readonly MerchantKey[];
}

export interface MerchantPrincipal {
  readonly property: Property | InvalidProperty;
  readonly key: MerchantKey;
}

/** Hotels, wherever their configuration is kept. */
export interface Properties {
  /** Those whose configuration is a secret, `PROPERTY_<ID>`. */
  readonly inSecrets: readonly (Property | InvalidProperty)[];
  /** A hotel by its id; undefined when there is none. One that cannot be read now is an invalid one. */
  find(id: string): Promise<Property | InvalidProperty | undefined>;
  /** Forgets what is known of a hotel that was changed. */
  forget(id: string): void;
  /** Who holds this `sk_…` key. */
  findByKey(secretKey: string): Promise<MerchantPrincipal | undefined>;
}

/** Hotels whose configuration is at hand. */
export interface SecretProperties {
  readonly all: readonly (Property | InvalidProperty)[];
  find(id: string): Property | InvalidProperty | undefined;
  /** Who holds the key of this hash. */
  findByHash(sha256: string): MerchantPrincipal | undefined;
}

const VARIABLE = /^PROPERTY_([A-Z0-9_]{1,40})$/;
// 32 bytes in Base64 of either alphabet, or in hexadecimal digits.
const SEALING_KEY = /^(?:[A-Za-z0-9+/_-]{43}=?|[0-9A-Fa-f]{64})$/;
const NO_SEALING_KEY =
  'is live and needs SEALING_KEYS: 32 random bytes in Base64, as `openssl rand -base64 32` prints them';
const BAD_SEALING_KEY =
  'cannot be served: SEALING_KEYS must be keys of 32 bytes in Base64, the newest first, separated by spaces';

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

/** Reads every `PROPERTY_<ID>` of an environment. Never throws: what is wrong is kept as an invalid property. */
export function parseProperties(environment: Readonly<Record<string, unknown>>): SecretProperties {
  const all: (Property | InvalidProperty)[] = [];
  const principals = new Map<string, MerchantPrincipal>();
  const sealingKeys = sealingKeysOf(environment.SEALING_KEYS);
  for (const name of Object.keys(environment).sort()) {
    const id = VARIABLE.exec(name)?.[1]?.toLowerCase();
    if (id === undefined) continue;
    const property = withSealingKeys(parseProperty(id, environment[name]), sealingKeys);
    const shared = property.merchantKeys.findIndex((key) => principals.has(key.sha256));
    const kept = shared < 0 || property.invalid ? property : asInvalid(property, `merchantKeys.${shared}.sha256`);
    for (const key of property.merchantKeys) {
      if (!principals.has(key.sha256)) principals.set(key.sha256, { property: kept, key });
    }
    all.push(kept);
  }
  const byId = new Map(all.map((property) => [property.id, property]));
  return { all, find: (id) => byId.get(id), findByHash: (sha256) => principals.get(sha256) };
}

export function parseProperty(id: string, text: unknown): Property | InvalidProperty {
  if (typeof text !== 'string') return invalidProperty(id, 'must be text that holds JSON');
  if (new TextEncoder().encode(text).length > MAX_PROPERTY_BYTES) {
    return invalidProperty(id, 'must be at most 16 KiB');
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return invalidProperty(id, 'must be JSON');
  }
  const parsed = parsePropertyFields(json);
  if ('fields' in parsed) return { invalid: false, id, sealingKeys: [], isRemoved: false, ...parsed.fields };
  return { ...invalidProperty(id, ''), ...parsed.issues[0], merchantKeys: readableKeys(json) };
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

/** The issue about a property in one line, naming variable and field. */
export function describeInvalid(property: InvalidProperty): string {
  const field = property.field === '' ? '' : ` field "${property.field}"`;
  return `PROPERTY_${property.id.toUpperCase()}:${field} ${property.message}`;
}

/** What its own callers are told. */
export function unusable({ field, message }: InvalidProperty): ProblemError {
  return new ProblemError('property_unavailable', {
    detail: `This property’s configuration cannot be used: ${field || 'it'} ${message}`,
    ...(field === '' ? {} : { param: field }),
  });
}

/** A property of this id that cannot be served, and why. */
export function invalidProperty(id: string, message: string): InvalidProperty {
  return {
    invalid: true,
    id,
    isRemoved: false,
    field: '',
    message,
    merchantKeys: [],
  };
}

/** Nothing of a live hotel is sealed with a secret that could be guessed, and a malformed key is never ignored. */
export function withSealingKeys(
  property: Property | InvalidProperty,
  sealingKeys: readonly string[],
): Property | InvalidProperty {
  if (property.invalid) return property;
  const isBad = !areSealingKeys(sealingKeys);
  if (!isBad && (sealingKeys.length > 0 || !property.livemode)) return { ...property, sealingKeys };
  const { id, isRemoved, merchantKeys } = property;
  const invalid = invalidProperty(id, isBad ? BAD_SEALING_KEY : NO_SEALING_KEY);
  return { ...invalid, isRemoved, merchantKeys };
}

function asInvalid({ id }: Property, field: string): InvalidProperty {
  return { ...invalidProperty(id, 'is also a key of another property: every key belongs to one'), field };
}

/**
 * The keys that are still readable of a property that cannot be served. One with an unknown field is still a key: its principal hears
 * what is wrong, not that the key is wrong.
 */
function readableKeys(json: unknown): MerchantKey[] {
  const { merchantKeys } = Object(json) as Record<string, unknown>;
  return (Array.isArray(merchantKeys) ? merchantKeys : []).flatMap((key) => {
    const parsed = v.safeParse(v.object(MerchantKeySchema.entries), key);
    return parsed.success ? [parsed.output] : [];
  });
}
