import { InvalidArgumentError } from 'commander';

/** A day of the calendar, as it is written. */
export function parseDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && isOnItsDay(text)) return text;
  throw new InvalidArgumentError('It must be a day that exists, such as 2026-10-20.');
}

/** A day or an instant in UTC, as an instant. */
export function parseInstant(text: string): string {
  if (/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) && isOnItsDay(text)) return new Date(text).toISOString();
  throw new InvalidArgumentError(
    'It must be a day that exists, such as 2027-03-01, or an instant in UTC, such as 2027-03-01T08:00:00Z.',
  );
}

/** JavaScript reads 30 February as 2 March. */
function isOnItsDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
}
