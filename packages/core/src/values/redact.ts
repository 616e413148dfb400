import { blankCardNumbers, holdsCardNumber, maskCardNumber } from './card-mask.ts';
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
 * forms and addresses write them. Only the beginning of a text of more than 10,000 characters is kept.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  return blank(text, formsOf(secrets));
}

function blank(text: string, forms: readonly string[]): string {
  let safe = text;
  for (const form of forms) safe = safe.replaceAll(form, REDACTED);
  safe = safe.replace(/\b(authorization\W{1,6}(?:Bearer|Basic))\s+[^\s"',]+/gi, `$1 ${REDACTED}`);
  safe = safe.replace(/\b(Bearer|Basic)\s+([^\s"',]+)/gi, (all, scheme: string, token: string) =>
    // A plain word is prose ("Basic fraud check"), not a token.
    /^[a-z]{1,15}[.:;!?)]*$/i.test(token) ? all : `${scheme} ${REDACTED}`,
  );
  return blankCardNumbers(safe);
}

/** Every way in which one of the secrets can be written, longest first. */
function formsOf(secrets: readonly string[]): string[] {
  return secrets.flatMap(writtenForms).sort((a, b) => b.length - a.length);
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
  const forms = formsOf(secrets);
  // Field names are ours or the upstream's: a short secret, such as the user "user", may be in them by chance.
  const longForms = formsOf(secrets.filter((secret) => secret.length >= 8));
  return redacted(value);

  function redacted(item: unknown): unknown {
    if (typeof item === 'string') return blank(item, forms);
    if (typeof item === 'number') return isSecretNumber(item, secrets) ? REDACTED : item;
    if (Array.isArray(item)) return item.map(redacted);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, member]) => {
        const name = key.toLowerCase();
        const shown = blank(key, longForms);
        if (name === 'cardno' && (typeof member === 'string' || typeof member === 'number')) {
          return [shown, maskCardNumber(String(member))];
        }
        return [shown, SECRET_KEYS.has(name) && member !== '' ? REDACTED : redacted(member)];
      }),
    );
  }
}

/** A secret or a card number written without quotes; one past the exact range may be a card number with rounded digits. */
function isSecretNumber(value: number, secrets: readonly string[]): boolean {
  const text = String(value);
  if (secrets.includes(text) || holdsCardNumber(text)) return true;
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** An address without its user part, fragment and query values, which are often capabilities. */
export function redactUrl(url: string | URL, secrets: readonly string[] = []): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = [...new Set(searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${REDACTED}`).join('&');
  return redactText(`${origin}${pathname}${query === '' ? '' : `?${query}`}`, secrets);
}
