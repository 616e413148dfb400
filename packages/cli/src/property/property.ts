import { type PropertyInput, type PropertyIssue, parsePropertyFields } from '@innkeep/core/contract';
import { usageError } from '../failures/cli-error.ts';

/** Checks a property's fields, the `written` ones by today's stricter rules: the property as it was given, or all that is wrong. */
export function parseProperty(
  json: unknown,
  written: readonly string[] = [],
): { readonly property: PropertyInput } | { readonly issues: readonly PropertyIssue[] } {
  const parsed = parsePropertyFields(json, written);
  // What the schema accepts has the schema's input type.
  return 'issues' in parsed ? parsed : { property: json as PropertyInput };
}

/** `aurora` for `Aurora`. Undefined for text that cannot name a property. */
export function parsePropertyId(text: string): string | undefined {
  const id = text.toLowerCase().replaceAll('-', '_');
  return /^[a-z0-9_]{1,40}$/.test(id) ? id : undefined;
}

/** The id as addresses have it; `prefix` names the option that it came from. @throws `usage` */
export function requirePropertyId(text: string, prefix = ''): string {
  const id = parsePropertyId(text);
  if (id !== undefined) return id;
  throw usageError(`${prefix}“${text}” cannot be a hotel’s id.`, 'It must be 1 to 40 letters, digits and underscores.');
}

/** Name of the secret that holds a property. */
export function secretNameOf(id: string): string {
  return `PROPERTY_${id.toUpperCase()}`;
}

/** One line for a person. */
export function describeIssue({ field, message }: PropertyIssue): string {
  return field === '' ? `It ${message}` : `${field} ${message}`;
}
