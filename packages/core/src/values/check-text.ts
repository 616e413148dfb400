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
