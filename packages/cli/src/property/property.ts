import { type Complaint, MAX_PROPERTY_BYTES, type PropertyInput, parsePropertyFields } from '@innkeep/core/contract';

/** Checks a property's fields: the property as it was given, or all that is wrong with it. */
export function parseProperty(
  json: unknown,
): { readonly property: PropertyInput } | { readonly complaints: readonly Complaint[] } {
  const parsed = parsePropertyFields(json);
  if ('complaints' in parsed) return parsed;
  if (Buffer.byteLength(JSON.stringify(json)) > MAX_PROPERTY_BYTES) {
    return { complaints: [{ field: '', message: 'must be at most 5 KB of JSON' }] };
  }
  // What the schema accepts has the schema's input type.
  return { property: json as PropertyInput };
}

/** `aurora` for `Aurora`. Undefined for text that cannot name a property. */
export function parsePropertyId(text: string): string | undefined {
  const id = text.toLowerCase().replaceAll('-', '_');
  return /^[a-z0-9_]{1,40}$/.test(id) ? id : undefined;
}

/** Name of the secret that holds a property. */
export function secretNameOf(id: string): string {
  return `PROPERTY_${id.toUpperCase()}`;
}

/** One line for a person. */
export function describeComplaint({ field, message }: Complaint): string {
  return field === '' ? `It ${message}` : `${field} ${message}`;
}
