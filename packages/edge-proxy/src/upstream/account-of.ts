import { sha256Hex } from '../http/hash.ts';
import type { Property } from '../properties/configured-properties.ts';

/** The account at the payment service that a property is configured with: whose access token it is. The password may change. */
export function accountOf({ id, baseUrl, customerId, username }: Property): string {
  return JSON.stringify([id, baseUrl, customerId, username]);
}

const names = new WeakMap<Property, string>();

/** The name of the object that keeps the access token of a property's account. */
export async function accessTokenObjectName(property: Property): Promise<string> {
  const known = names.get(property);
  if (known !== undefined) return known;
  const name = `at_${await sha256Hex(accountOf(property))}`;
  names.set(property, name);
  return name;
}
