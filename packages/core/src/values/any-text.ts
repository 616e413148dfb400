/** Any value as text. What comes from outside may bring a `toString` that is no function, or none: `String` throws then. */
export function anyText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
