import { cardNumberRuns, maskCardNumber } from './card-mask.ts';
import { REDACTED } from './redacted.ts';

const SECRET_KEYS: ReadonlySet<string> = new Set([
  'username',
  'password',
  'callbacksuccessurl',
  'callbackaborturl',
  'access_token',
  'accesstoken',
  'authorization',
  'x-api-key',
  'api_key',
  'apikey',
  'cvc',
  'cvv',
  'tokenno',
  'token',
  'clientsecret',
  'secretkey',
  'viewurl',
  'stateretrivalurl',
  'cookie',
  'set-cookie',
  'productid',
]);

/** Blanks bearer tokens and anything that could be a card number; `secrets` are blanked wherever they occur. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const secret of secrets) if (secret !== '') safe = safe.replaceAll(secret, REDACTED);
  safe = safe.replace(/\b(Bearer|Basic)\s+[^\s"',]+/gi, `$1 ${REDACTED}`);
  for (const run of cardNumberRuns(safe)) safe = safe.replaceAll(run, REDACTED);
  return safe;
}

/** A copy of a JSON value in which secrets are blanked: by the name of their field, and in every text. */
export function redactJson(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.toLowerCase();
      if (name === 'cardno' && typeof item === 'string') return [key, maskCardNumber(item)];
      return [key, SECRET_KEYS.has(name) && item !== '' ? REDACTED : redactJson(item, secrets)];
    }),
  );
}

/** An address without its user part, fragment and query values: all of them are capabilities more often than not. */
export function redactUrl(url: string | URL, secrets: readonly string[] = []): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = [...new Set(searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${REDACTED}`).join('&');
  return redactText(`${origin}${pathname}${query === '' ? '' : `?${query}`}`, secrets);
}
