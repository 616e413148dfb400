/** Takes what names a person, or may, out of whatever is kept of a payment. Pure. */
import { REDACTED } from '@innkeep/core/values';

/** What stands in its place, by the name of the field: in records, in what merchants are shown of them, and in events. */
const BLANKS: Readonly<Record<string, unknown>> = {
  reference: null,
  description: null,
  metadata: {},
  returnUrl: null,
  note: null,
  text: null,
  maskedCard: null,
  sealedToken: null,
  tokenLast4: null,
  token: null,
  viewUrl: '',
  evidence: REDACTED,
  message: REDACTED,
};

/** The same text without them. */
export function redactedText(json: string): string {
  return JSON.stringify(redacted(JSON.parse(json)));
}

/** The same JSON without them. Amounts, ids, states and times stay. */
export function redacted<Json>(json: Json): Json {
  // The same fields, each with a value of its type.
  return JSON.parse(
    JSON.stringify(json, (name, value) => (Object.hasOwn(BLANKS, name) ? BLANKS[name] : value)),
  ) as Json;
}
