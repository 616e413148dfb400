import { maskCardNumber, maskCardNumbersIn } from './card-number.ts';

const HIDDEN = '[redacted]';
const SECRET_NAME = /passw|secret|access_?token|api_?key|cvc|cvv/i;
const CARD_NUMBER_NAME = /^card_?(no|number)$/i;
const MASK = /^\d{6}\D{6}\d{4}$/;
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'cookie', 'set-cookie']);
const LONGEST_LOGGED = 2_000;

/** Redacts for the wire log. `secrets` are the literal credentials, hidden wherever they turn up. */
export interface Redactor {
  headers(headers: Headers): Record<string, string>;
  path(url: URL): string;
  body(contentType: string, text: string): unknown;
}

/** A redactor that knows the sandbox's own credentials. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const literals = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const text = (value: string): string =>
    literals
      .reduce((kept, secret) => kept.replaceAll(secret, HIDDEN), maskCardNumbersIn(value))
      .slice(0, LONGEST_LOGGED);

  const named = (name: string, value: unknown): unknown => {
    if (SECRET_NAME.test(name)) return HIDDEN;
    if (!CARD_NUMBER_NAME.test(name)) return anything(value);
    const digits = String(value).replace(/[ -]/g, '');
    if (MASK.test(digits)) return value;
    return /^\d{12,19}$/.test(digits) ? maskCardNumber(digits) : HIDDEN;
  };
  const anything = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return maskCardNumbersIn(String(value)) === String(value) ? value : HIDDEN;
    if (Array.isArray(value)) return value.map(anything);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name), named(name, inner)]));
  };

  return {
    headers: (headers) =>
      Object.fromEntries(
        [...headers].map(([name, value]) => [name, SECRET_HEADERS.has(name) ? hideCredentials(value) : text(value)]),
      ),
    path: (url) => {
      const shown = new URL(url);
      for (const name of [...shown.searchParams.keys()]) {
        if (SECRET_NAME.test(name)) shown.searchParams.set(name, HIDDEN);
      }
      return text(shown.pathname + shown.search);
    },
    body: (contentType, raw) => {
      if (raw === '') return null;
      if (contentType.includes('json')) {
        const parsed = tryParse(raw);
        // What cannot be read cannot be redacted field by field, so nothing of it is kept.
        return parsed === undefined ? `[unreadable, ${raw.length} characters]` : anything(parsed);
      }
      if (contentType.includes('x-www-form-urlencoded')) {
        return Object.fromEntries(
          [...new URLSearchParams(raw)].map(([name, value]) => [text(name), named(name, value)]),
        );
      }
      if (contentType.includes('html')) return `[page, ${raw.length} characters]`;
      if (contentType.includes('xml')) return text(raw);
      return `[${raw.length} characters]`;
    },
  };
}

function hideCredentials(value: string): string {
  const scheme = /^(Bearer|Basic) /i.exec(value)?.[0] ?? '';
  return `${scheme}${HIDDEN}`;
}

function tryParse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
