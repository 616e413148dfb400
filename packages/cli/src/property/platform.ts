import { type PlatformInput, PlatformSchema, type PropertyIssue } from '@innkeep/core/contract';

/** Checks an operator's settings: as they were given, or all that is wrong with them. Never quotes a value. */
export function parsePlatform(
  json: unknown,
): { readonly platform: PlatformInput } | { readonly issues: readonly PropertyIssue[] } {
  const result = PlatformSchema['~standard'].validate(json);
  if (result instanceof Promise) throw new TypeError('The schema has nothing to wait for.');
  // What the schema accepts has the schema's input type.
  if (result.issues === undefined) return { platform: json as PlatformInput };
  const issues = result.issues.map(({ path = [], message }) => ({
    field: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    // Valibot's own messages quote the value.
    message: message.startsWith('Invalid ') ? 'is missing or not what it must be' : message,
  }));
  return { issues };
}
