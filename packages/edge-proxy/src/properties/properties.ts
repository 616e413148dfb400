/** The hotels of a deployment, from two sources: the secrets of the deployment come first, then the directory. */

import { isEqualConstantTime, sha256Hex } from '../http/hash.ts';
import { ProblemError } from '../http/problem.ts';
import {
  type InvalidProperty,
  invalidProperty,
  type MerchantPrincipal,
  type Properties,
  type Property,
  parseProperties,
  sealingKeysOf,
} from './configured-properties.ts';
import { type DirectoryBindings, PropertyCopies } from './property-copies.ts';
import type { Settings } from './settings.ts';

/** What it takes to read a hotel's configuration. */
export interface PropertyBindings extends Settings, DirectoryBindings {}

/** A key that says whose it is: `sk_live_aurora_…`. */
const ROUTED_KEY = /^sk_(?:live|test)_([a-z0-9_]{1,40})_[A-Za-z0-9]{32,}$/;

const made = new WeakMap<object, Properties>();

/** The hotels of an environment, the same for all who have it. */
export function propertiesOf(bindings: PropertyBindings): Properties {
  let properties = made.get(bindings);
  if (properties === undefined) {
    properties = createProperties(bindings);
    made.set(bindings, properties);
  }
  return properties;
}

/** A property by its id; one that is not configured counts as invalid. */
export async function propertyOf(bindings: PropertyBindings, id: string): Promise<Property | InvalidProperty> {
  return (await propertiesOf(bindings).find(id)) ?? invalidProperty(id, 'is not configured');
}

/** The same, read anew: a copy may be older than what was asked for. */
export function propertyAnew(bindings: PropertyBindings, id: string): Promise<Property | InvalidProperty> {
  propertiesOf(bindings).forget(id);
  return propertyOf(bindings, id);
}

function createProperties(bindings: PropertyBindings): Properties {
  const secrets = parseProperties(bindings as Readonly<Record<string, unknown>>);
  const { DIRECTORIES, PROPERTIES, SEALING_KEYS } = bindings;
  const copies =
    DIRECTORIES === undefined || PROPERTIES === undefined
      ? undefined
      : new PropertyCopies(DIRECTORIES, PROPERTIES, { placement: bindings, sealingKeys: sealingKeysOf(SEALING_KEYS) });

  const find = async (id: string): Promise<Property | InvalidProperty | undefined> =>
    secrets.find(id) ?? copies?.find(id);

  /** Whether the property of this id has the key: one comparison, however many hotels there are. */
  const principalOf = async (id: string | undefined, hash: string): Promise<MerchantPrincipal | undefined> => {
    const property = id === undefined || secrets.find(id) !== undefined ? undefined : await find(id);
    if (property === undefined || property.isRemoved) return undefined;
    const key = property.merchantKeys.find(({ sha256 }) => isEqualConstantTime(sha256, hash));
    if (key !== undefined) return { property, key };
    // Nobody can tell now whose key it is, so it is not called wrong.
    return property.invalid ? { property, key: { id: 'unknown', sha256: hash, scopes: [] } } : undefined;
  };

  const ownerOf = async (hash: string, wrong?: string): Promise<string | undefined> => {
    try {
      return await copies?.ownerOf(hash, wrong);
    } catch {
      // Not called wrong while nobody knows.
      throw new ProblemError('property_unavailable', { detail: 'The directory cannot be read right now; try again' });
    }
  };

  return {
    inSecrets: secrets.all,
    find,
    forget: (id) => copies?.forget(id),
    findByKey: async (secretKey) => {
      const hash = await sha256Hex(secretKey);
      const inSecrets = secrets.findByHash(hash);
      if (inSecrets !== undefined || copies === undefined) return inSecrets;
      const routed = ROUTED_KEY.exec(secretKey)?.[1];
      // A key of the older form names no property, but may look by chance as if it did.
      const routedTo = await principalOf(routed, hash);
      if (routedTo !== undefined) return routedTo;
      const id = await ownerOf(hash);
      const found = await principalOf(id, hash);
      // It may have gone to another hotel since the directory was asked.
      return found === undefined && id !== undefined ? principalOf(await ownerOf(hash, id), hash) : found;
    },
  };
}
