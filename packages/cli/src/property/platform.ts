import { type PlatformInput, type PropertyIssue, parsePlatformFields } from '@innkeep/core/contract';

/** Checks an operator's settings: as they were given, or all that is wrong with them. Never quotes a value. */
export function parsePlatform(
  json: unknown,
  isWritten = false,
): { readonly platform: PlatformInput } | { readonly issues: readonly PropertyIssue[] } {
  const parsed = parsePlatformFields(json, isWritten);
  // What the schema accepts has the schema's input type.
  return 'issues' in parsed ? parsed : { platform: json as PlatformInput };
}
