import { sha256Hex } from '../http/hash.ts';
import type { Property } from '../properties/configured-properties.ts';

/**
 * The account at the payment service that a property is configured with: whose access token it is, and where that may be sent. The password
 * may change; but a token goes nowhere that was not named together with its password.
 */
export function accountOf({ id, baseUrl, customerId, username, allowedOrigins }: Property): string {
  return JSON.stringify([id, baseUrl, customerId, username, ...allowedOrigins]);
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
