/** Which origins a guest's request may come from. */

/**
 * Whether a request with this `Origin` may use a session of a property.
 * @param origin the header; null when there is none (not a browser, or a same-origin GET), which is fine
 * @param allowed the property's origins and the proxy's own
 */
export function isAllowedOrigin(origin: string | null, allowed: readonly string[]): boolean {
  return origin === null || allowed.includes(origin);
}
