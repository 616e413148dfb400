import { maskCardNumber, maskCardNumbersIn } from './card-number.ts';

const HIDDEN = '[redacted]';
const SECRET_NAME = /passw|secret|access_?token|api_?key|cvc|cvv|user_?name|nonce/i;
// Anybody with a hosted page's address can pay or cancel there, and a return address may carry a nonce: only the origin is shown.
const ADDRESS = /\b(https?:\/\/)(?:[^\s/?#"'<>@]*@)?([^\s/?#"'<>]+)[/?#][^\s"'<>]*/gi;
const CARD_NUMBER_NAME = /^card_?(no|number)$/i;
const TOKEN_NAME = /^token(No)?$/;
const MASK = /^\d{6}\D{6}\d{4}$/;
// Anything else may be a credential under an unknown name.
const SHOWN_HEADER =
  /^(?:accept|cache-control|connection|content-|host$|origin$|referer$|sec-|transfer-encoding$|user-agent$)/;
const LONGEST_TEXT = 2_000;
const LONGEST_BODY = 4_000;
const DEEPEST_BODY = 8;

/** Redacts for the wire log. `secrets` are the literal credentials, hidden wherever they turn up. */
export interface Redactor {
  headers(headers: Headers): Record<string, string>;
  path(url: URL): string;
  body(contentType: string, text: string): unknown;
}

/** A redactor that knows the sandbox's own credentials. */
export function createRedactor(secrets: readonly string[]): Redactor {
  // URLs and forms escape differently.
  const literals = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
  ]);
  const text = (value: string): string =>
    literals
      .reduce((kept, secret) => kept.replaceAll(secret, HIDDEN), maskCardNumbersIn(value))
      .replace(ADDRESS, `$1$2/${HIDDEN}`)
      .slice(0, LONGEST_TEXT);

  const named = (name: string, value: unknown, depth: number): unknown => {
    if (SECRET_NAME.test(name)) return HIDDEN;
    // Anybody with a stored card's token can charge it; its last characters are enough to tell two apart.
    if (TOKEN_NAME.test(name)) return `${HIDDEN}${String(value).slice(-4)}`;
    if (!CARD_NUMBER_NAME.test(name)) return anything(value, depth);
    const digits = String(value).replace(/[ -]/g, '');
    if (MASK.test(digits)) return value;
    return /^\d{12,19}$/.test(digits) ? maskCardNumber(digits) : HIDDEN;
  };
  const anything = (value: unknown, depth: number): unknown => {
    if (depth > DEEPEST_BODY) return '[too deep]';
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return maskCardNumbersIn(String(value)) === String(value) ? value : HIDDEN;
    if (Array.isArray(value)) return value.map((inner) => anything(inner, depth + 1));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [text(name), named(name, inner, depth + 1)]),
    );
  };

  return {
    headers: (headers) =>
      Object.fromEntries(
        [...headers].map(([name, value]) => [name, SHOWN_HEADER.test(name) ? text(value) : hideCredentials(value)]),
      ),
    path: (url) => {
      const shown = new URL(url);
      const isPage = /\/hosted\/[^/]+$/.test(shown.pathname);
      for (const [name, value] of [...shown.searchParams]) {
        const isHidden = isPage || SECRET_NAME.test(name);
        if (isHidden || value.search(ADDRESS) >= 0) shown.searchParams.set(name, isHidden ? HIDDEN : text(value));
      }
      return text(shown.pathname + shown.search);
    },
    body: (contentType, raw) => {
      if (raw === '') return null;
      if (contentType.includes('json')) {
        const parsed = tryParse(raw);
        // What cannot be read cannot be redacted field by field, so nothing of it is kept.
        return parsed === undefined ? `[unreadable, ${raw.length} characters]` : short(anything(parsed, 0));
      }
      if (contentType.includes('x-www-form-urlencoded')) {
        const fields = [...new URLSearchParams(raw)].map(([name, value]) => [text(name), named(name, value, 0)]);
        return short(Object.fromEntries(fields));
      }
      if (contentType.includes('html')) return `[page, ${raw.length} characters]`;
      if (contentType.includes('xml')) return text(raw);
      return `[${raw.length} characters]`;
    },
  };
}

// The log has a bound, and so has each of its rows.
function short(body: unknown): unknown {
  const { length } = JSON.stringify(body);
  return length > LONGEST_BODY ? `[too long, ${length} characters]` : body;
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
