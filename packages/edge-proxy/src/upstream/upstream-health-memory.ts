/** Which upstreams are in doubt, as far as this isolate knows: only then a success is worth telling. */
import type { Property } from '../config/properties.ts';

const doubted = new Set<string>();

/** Remembers what the property's access token object said, or what this isolate saw fail. */
export function rememberDoubt(property: Property, isDoubted: boolean): void {
  if (isDoubted) doubted.add(keyOf(property));
  else doubted.delete(keyOf(property));
}

/** Whether a success of this upstream is worth telling. */
export function isInDoubt(property: Property): boolean {
  return doubted.has(keyOf(property));
}

function keyOf(property: Property): string {
  return JSON.stringify([property.id, property.baseUrl]);
}
