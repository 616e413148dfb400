import { InvalidInputError } from '../errors.ts';

/** Returns a text that must not be empty. @throws `invalid_input` naming `path`, without the value */
export function requireText(value: unknown, path: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new InvalidInputError(path, `${path} must be a non-empty string.`);
}

/** Returns an optional text, `''` when there is none. @throws `invalid_input` naming `path` */
export function optionalText(value: unknown, path: string): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  throw new InvalidInputError(path, `${path} must be a string.`);
}

/** Returns an absolute http(s) address exactly as given. @throws `invalid_input` naming `path` */
export function requireWebAddress(value: unknown, path: string): string {
  const text = value instanceof URL ? value.href : requireText(value, path);
  if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return text;
  throw new InvalidInputError(path, `${path} must be an absolute http(s) address.`);
}

/** Returns an argument that must be an object. @throws `invalid_input` naming `path` */
export function requireObject<Value extends object>(value: Value, path = 'input'): Value {
  if (typeof value === 'object' && value !== null) return value;
  throw new InvalidInputError(path, `${path} must be an object.`);
}

/** Whether a value is an object of names and values. Dates, maps and forms are not: nothing of them would be written. */
export function hasMembers(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** Writes a body as JSON. @throws `invalid_input` when it cannot be */
export function toJson(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidInputError('body', 'body must be JSON: no bigint, no cycle.', { cause });
  }
}

/** Returns a body of bytes with their type. @throws `invalid_input` naming the member */
export function requireRawBody<Body extends { contentType: string; bytes: Uint8Array }>(body: Body): Body {
  const { contentType, bytes } = Object(body) as Partial<Body>;
  requireHeader(requireText(contentType, 'body.contentType'), 'body.contentType');
  if (bytes instanceof Uint8Array) return body;
  throw new InvalidInputError('body.bytes', 'body.bytes must be a Uint8Array.');
}

/** Refuses a text that no runtime can send as the value of a header. @throws `invalid_input` naming `path`, without the value */
function requireHeader(value: string, path: string): void {
  // `Headers` accepts control characters that Node then does not send. It removes only a line break at the end.
  if (/^[\t -~\u0080-\u00ff]+\r?\n?$/.test(value)) return;
  throw new InvalidInputError(path, `${path} has a character that a header cannot carry.`);
}

/** Returns an object whose named members must be strings; they may be empty. @throws `invalid_input` naming the member */
export function requireMembers<Value extends object>(value: Value, names: readonly (keyof Value & string)[]): Value {
  requireObject(value, 'message');
  for (const name of names) {
    if (typeof value[name] !== 'string') throw new InvalidInputError(name, `${name} must be a string.`);
  }
  return value;
}
