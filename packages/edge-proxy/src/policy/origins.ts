/** Which origins a guest's request may come from. */

/**
 * Whether a request with this `Origin` may use a session of a property.
 * @param origin the header; null when there is none (not a browser, or a same-origin GET), which is fine
 * @param allowed the property's origins and the proxy's own
 */
export function isAllowedOrigin(origin: string | null, allowed: Iterable<string>): boolean {
  if (origin === null) return true;
  for (const candidate of allowed) if (candidate === origin) return true;
  return false;
}
