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

/**
 * Blanks bearer tokens and anything that could be a card number; `secrets` are blanked wherever they occur, also as JSON,
 * forms and addresses write them.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const form of secrets.flatMap(writtenForms).sort((a, b) => b.length - a.length)) {
    safe = safe.replaceAll(form, REDACTED);
  }
  safe = safe.replace(/\b(authorization\W{1,6}(?:Bearer|Basic))\s+[^\s"',]+/gi, `$1 ${REDACTED}`);
  safe = safe.replace(/\b(Bearer|Basic)\s+([^\s"',]+)/gi, (all, scheme: string, token: string) =>
    // A plain word is prose ("Basic fraud check"), not a token.
    /^[a-z]{1,15}[.:;!?)]*$/i.test(token) ? all : `${scheme} ${REDACTED}`,
  );
  for (const run of cardNumberRuns(safe)) safe = safe.replaceAll(run, REDACTED);
  return safe;
}

/** How a secret looks raw, in JSON, in a form and in an address. */
function writtenForms(secret: string): string[] {
  if (secret === '') return [];
  const forms = [secret, JSON.stringify(secret).slice(1, -1), new URLSearchParams([['', secret]]).toString().slice(1)];
  // Lone surrogates cannot be in an address.
  if (!/\p{Surrogate}/u.test(secret)) forms.push(encodeURIComponent(secret));
  return forms.flatMap((form) =>
    form.includes('%') ? [form, form.replaceAll(/%../g, (hex) => hex.toLowerCase())] : form,
  );
}

/** A copy of a JSON value in which secrets are blanked: by the name of their field, and `secrets` in every text. */
export function redactJson(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') return isSecretNumber(value, secrets) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  // Names are ours or the upstream's: a short secret, such as the user "user", is in them by chance.
  const long = secrets.filter((secret) => secret.length >= 8);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.toLowerCase();
      const shown = redactText(key, long);
      if (name === 'cardno' && (typeof item === 'string' || typeof item === 'number')) {
        return [shown, maskCardNumber(String(item))];
      }
      return [shown, SECRET_KEYS.has(name) && item !== '' ? REDACTED : redactJson(item, secrets)];
    }),
  );
}

/** A secret or a card number written without quotes; one past the exact range may be a card number with rounded digits. */
function isSecretNumber(value: number, secrets: readonly string[]): boolean {
  const text = String(value);
  if (secrets.includes(text) || cardNumberRuns(text).length > 0) return true;
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** An address without its user part, fragment and query values, which are capabilities more often than not. */
export function redactUrl(url: string | URL, secrets: readonly string[] = []): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = [...new Set(searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${REDACTED}`).join('&');
  return redactText(`${origin}${pathname}${query === '' ? '' : `?${query}`}`, secrets);
}
