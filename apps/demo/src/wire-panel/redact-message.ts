/** Makes messages fit to be kept and shown: core's redactor, and what only this demo's own addresses and forms carry. */
import { REDACTED, redactJson, redactText, redactUrl } from '@innkeep/core/values';

// Client secrets, also of desks, payment links and return addresses: what follows a session's id lets whoever has it act on the session.
const SESSION_SECRET = /([cd]s_[0-9A-Z]{26}(?:_|\/|%2F))[\w-]{16,}/gi;
// Core masks card numbers by the name its operations have for them. These are the names in forms, and expiry dates.
const CARD_FIELD = /^(?:card_?number|expiry|valid|tokenExpiry|tokenValidUntil)$/i;

/** Header fields by name. */
export function redactHeaders(headers: Headers, secrets: readonly string[]): Readonly<Record<string, string>> {
  // Redacting replaces texts by texts.
  return redactFields(Object.fromEntries(headers), secrets) as Record<string, string>;
}

/** Path and names of the query's parameters; their values are not shown. */
export function redactPath(url: URL, secrets: readonly string[]): string {
  // First what is found by the id before it, which core would blank if it looked like a card number.
  const shown = new URL(url.href.replace(SESSION_SECRET, `$1${REDACTED}`));
  return redactPlainText(redactUrl(shown, secrets).slice(url.origin.length), secrets);
}

/** JSON, or the fields of a form. */
export function redactFields(fields: unknown, secrets: readonly string[]): unknown {
  return redactJson(JSON.parse(JSON.stringify(fields), redactField), secrets);
}

/** Text without fields. */
export function redactPlainText(text: string, secrets: readonly string[]): string {
  return redactText(text.replace(SESSION_SECRET, `$1${REDACTED}`), secrets);
}

function redactField(name: string, value: unknown): unknown {
  if (CARD_FIELD.test(name)) return REDACTED;
  if (typeof value !== 'string') return value;
  // The query of the payment page's address lets whoever has it pay or cancel.
  const text = /^https?:\/\//.test(value) && URL.canParse(value) ? redactUrl(value) : value;
  return text.replace(SESSION_SECRET, `$1${REDACTED}`);
}
