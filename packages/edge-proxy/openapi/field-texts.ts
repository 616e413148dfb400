/** What the fields of the contract mean, as their TSDoc says it, by the entries of their schemas. `scripts/read-field-texts.ts` fills it. */
export const FIELD_TEXTS: Map<object, Readonly<Record<string, string>>> = new Map();
