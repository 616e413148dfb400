/** What fields and problem codes of the contract mean, as their TSDoc says it, by the object that has them. `scripts/read-field-texts.ts` fills it. */
export const FIELD_TEXTS: Map<object, Readonly<Record<string, string>>> = new Map();
