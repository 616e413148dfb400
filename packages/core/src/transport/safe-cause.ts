export type RedactText = (text: string) => string;

/**
 * A copy of a thrown value that is fit to be the cause of an error: same name, code and chain, texts redacted, nothing
 * else kept. Runtimes put addresses, and injected fetch functions whole requests, into what they throw.
 */
export function safeCause(thrown: unknown, redact: RedactText, depth = 3): Error {
  const { name, message, code, cause, errors } = Object(thrown) as Partial<Error> & {
    code?: unknown;
    errors?: unknown;
  };
  const copy: Error & { code?: string } = new Error(redact(anyText(message ?? thrown)));
  Object.defineProperty(copy, 'name', { value: typeof name === 'string' ? name : 'Error' });
  if (typeof code === 'string') copy.code = redact(code);
  const inner = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  if (inner !== undefined && depth > 0) copy.cause = safeCause(inner, redact, depth - 1);
  return copy;
}

/** A value from outside may have a `toString` that is not a function, or none: `String` throws then. */
function anyText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
