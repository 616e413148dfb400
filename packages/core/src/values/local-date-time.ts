import { InvalidInputError } from '../errors.ts';

/** What to do with a local time that a daylight-saving change skips or repeats. */
export type Disambiguation = 'earlier' | 'later' | 'reject';

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const HOURS_26 = 26 * 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();
let names: ReadonlySet<string> | undefined;

/** Whether the runtime knows this IANA time zone. */
export function isTimeZone(timeZone: string): boolean {
  // The first format of a process takes ten times as long as the list, which lacks only other names of the same zones.
  names ??= new Set(Intl.supportedValuesOf('timeZone'));
  if (names.has(timeZone)) return true;
  try {
    format(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** Whether the text is a calendar date `YYYY-MM-DD` that exists. */
export function isDate(text: string): boolean {
  return DATE.test(text) && isLocalDateTime(`${text}T00:00:00`);
}

/** Whether the text is a local date-time `YYYY-MM-DDTHH:MM:SS` that a calendar and a clock can show. */
export function isLocalDateTime(text: string): boolean {
  return LOCAL.test(text) && toText(asIfUtc(text)) === text;
}

/**
 * The wall-clock time of a place at an instant, as `YYYY-MM-DDTHH:MM:SS`; milliseconds are cut off.
 *
 * @param timeZone - IANA name
 * @throws `invalid_input` for an unknown zone, an invalid date, or a year outside 0001 to 9999
 * @see upstream API, section "Resources and their fields"
 */
export function toLocalDateTime(instant: Date, timeZone: string): string {
  const time = instant.getTime();
  if (Number.isNaN(time)) throw new InvalidInputError('instant', 'Not a valid date.');
  const local = toText(localAsUtc(time, timeZone));
  if (!LOCAL.test(local)) throw new InvalidInputError('instant', 'The year must be between 0001 and 9999.');
  return local;
}

/**
 * The instant at which a place's clocks show a local date-time. Around daylight-saving changes a local time may happen
 * twice or never: `earlier` and `later` choose the instant before or after the change.
 *
 * @param timeZone - IANA name
 * @throws `invalid_input` for a malformed time, an unknown zone, or with `reject` a time that happens twice or never
 */
export function fromLocalDateTime(local: string, timeZone: string, disambiguation: Disambiguation = 'earlier'): Date {
  if (!isLocalDateTime(local)) {
    throw new InvalidInputError('local', 'Expected a local date-time such as 2026-03-29T14:00:00.');
  }
  const wall = asIfUtc(local);
  const before = localAsUtc(wall - HOURS_26, timeZone) - (wall - HOURS_26);
  const after = localAsUtc(wall + HOURS_26, timeZone) - (wall + HOURS_26);
  const candidates = [...new Set([wall - before, wall - after])].sort((a, b) => a - b);
  const exact = candidates.filter((instant) => localAsUtc(instant, timeZone) === wall);
  const usable = exact.length > 0 ? exact : candidates;
  if (disambiguation === 'reject' && exact.length !== 1) {
    throw new InvalidInputError(
      'local',
      `${local} ${exact.length === 0 ? 'never happens' : 'happens twice'} in ${timeZone}.`,
    );
  }
  return new Date((disambiguation === 'later' ? usable.at(-1) : usable[0]) ?? wall);
}

function localAsUtc(instant: number, timeZone: string): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of format(timeZone).formatToParts(instant)) parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  return utc(year, ...(['month', 'day', 'hour', 'minute', 'second'] as const).map((part) => Number(parts[part])));
}

function format(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      // hour12: false prints 24:00 at midnight in some engines.
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    throw new InvalidInputError('timeZone', 'Not an IANA time zone this runtime knows.', { cause });
  }
  formats.set(timeZone, made);
  return made;
}

function asIfUtc(local: string): number {
  const [year = 0, ...rest] = (LOCAL.exec(local) ?? []).slice(1).map(Number);
  return utc(year, ...rest);
}

function utc(year: number, month = 1, day = 1, hour = 0, minute = 0, second = 0): number {
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

function toText(time: number): string {
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, -5);
}
