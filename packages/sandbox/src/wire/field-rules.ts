import { maskCardNumbersIn } from './card-number.ts';
import { currencyDigits } from './currency.ts';
import { Refusal } from './refusal.ts';

/** The form of a field. Every request field of the payment API is a string. */
export interface FieldRule {
  readonly required: boolean;
  /** The reason why the value is refused, or undefined when it is fine. Never repeats the value. */
  readonly objection: (value: string) => string | undefined;
  /** Free text is stored with card numbers masked, everything else as sent. */
  readonly isFreeText: boolean;
  /** Longest accepted value, in characters. */
  readonly longest: number;
}

/** The fields of one request. */
export type RequestTable = Readonly<Record<string, FieldRule>>;

/** A request that passed its table; an optional field that was left out is `''`. */
export type RequestOf<Table extends RequestTable> = { readonly [Field in keyof Table]: string };

/** Longest accepted field and URL. The specification shows no bounds; without any a client could fill the memory. */
export const MAX_LENGTH = { field: 500, url: 2_000 } as const;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const DATE_TIME_WITH_SPACE = /^(\d{4}-\d{2}-\d{2}) ([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** A required field with a rule of its own. */
export function required(objection: FieldRule['objection'], longest: number = MAX_LENGTH.field): FieldRule {
  const orEmpty = (value: string): string | undefined => (value === '' ? 'is empty' : objection(value));
  return { required: true, isFreeText: false, longest, objection: orEmpty };
}

/** A field that may be left out or empty. */
export function optional(objection: FieldRule['objection'] = anyText): FieldRule {
  const unlessEmpty = (value: string): string | undefined => (value === '' ? undefined : objection(value));
  return { required: false, isFreeText: false, longest: MAX_LENGTH.field, objection: unlessEmpty };
}

/** Text that people write: kept, but with card numbers masked. */
export function freeText({ isRequired = false }: { readonly isRequired?: boolean } = {}): FieldRule {
  return { ...(isRequired ? required(anyText) : optional()), isFreeText: true };
}

export function anyText(_value: string): undefined {
  return undefined;
}

export function oneOf(...values: readonly string[]): FieldRule['objection'] {
  return (value) =>
    values.includes(value) ? undefined : `must be ${values.map((known) => `"${known}"`).join(' or ')}`;
}

/** Integer digits, above zero, without leading zeros, at most 12. */
export const amountDigits: FieldRule['objection'] = (value) =>
  /^[1-9]\d{0,11}$/.test(value) ? undefined : 'must be 1 to 12 integer digits, above zero, without leading zeros';

/** A three-letter code of ISO 4217. */
export const currencyCode: FieldRule['objection'] = (value) =>
  currencyDigits(value) === undefined ? 'must be a three-letter currency code of ISO 4217' : undefined;

/** Digits only, between two lengths. */
export function digits(shortest: number, longest: number): FieldRule['objection'] {
  const shape = new RegExp(`^\\d{${shortest},${longest}}$`);
  return (value) => (shape.test(value) ? undefined : `must be ${shortest} to ${longest} digits`);
}

/** A date `YYYY-MM-DD` that is in the calendar. */
export const calendarDate: FieldRule['objection'] = (value) =>
  isCalendarDate(value) ? undefined : 'must be a date YYYY-MM-DD';

/** A local date-time `YYYY-MM-DDTHH:MM:SS` without a zone. */
export const localDateTime: FieldRule['objection'] = (value) => {
  const date = DATE_TIME.exec(value)?.[1];
  return date !== undefined && isCalendarDate(date) ? undefined : 'must be a local date-time YYYY-MM-DDTHH:MM:SS';
};

/** As {@link localDateTime}, or with a space and without seconds, as older public samples write it. */
export const localDateTimeOrSpaced: FieldRule['objection'] = (value) => {
  const date = DATE_TIME_WITH_SPACE.exec(value)?.[1];
  return date !== undefined && isCalendarDate(date) ? undefined : localDateTime(value);
};

/** An absolute http or https URL. */
export const absoluteUrl: FieldRule['objection'] = (value) => {
  // URL would silently drop line breaks and tabs.
  const protocol = URL.canParse(value) && !/\s/.test(value) ? new URL(value).protocol : '';
  return protocol === 'https:' || protocol === 'http:' ? undefined : 'must be an absolute http or https URL';
};

/**
 * Checks a JSON body against its table and returns only the fields that the table knows.
 * @throws Refusal `invalid_request` with the first field that is wrong.
 */
export function parseRequest<Table extends RequestTable>(
  table: Table,
  body: unknown,
  { ignoresUnknownFields }: { readonly ignoresUnknownFields: boolean },
): RequestOf<Table> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_request', 'the body must be a JSON object');
  }
  const sent: Readonly<Record<string, unknown>> = { ...body };
  const unknownField = Object.keys(sent).find((field) => !Object.hasOwn(table, field));
  if (unknownField !== undefined && !ignoresUnknownFields) {
    throw new Refusal('invalid_request', 'is not a field of this request', unknownField);
  }
  const accepted = Object.entries(table).map(([field, rule]) => [field, readField(field, rule, sent[field])] as const);
  // Object.fromEntries forgets the keys; they are exactly the keys of the table.
  return Object.fromEntries(accepted) as RequestOf<Table>;
}

function readField(field: string, rule: FieldRule, value: unknown): string {
  if (value === undefined) {
    if (rule.required) throw new Refusal('invalid_request', 'is missing', field);
    return '';
  }
  if (typeof value !== 'string') throw new Refusal('invalid_request', 'must be a string', field);
  if (value.length > rule.longest) {
    throw new Refusal('invalid_request', `must be at most ${rule.longest} characters`, field);
  }
  const objection = rule.objection(value);
  if (objection !== undefined) throw new Refusal('invalid_request', objection, field);
  return rule.isFreeText ? maskCardNumbersIn(value) : value;
}

function isCalendarDate(value: string): boolean {
  const [, year, month, day] = (DATE.exec(value) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
