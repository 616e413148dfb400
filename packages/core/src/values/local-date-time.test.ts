import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLocalDateTime, isDate, isLocalDateTime, isTimeZone, toLocalDateTime } from './local-date-time.ts';

const seed = { seed: 20260601 };
const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const anyInstant = fc
  .date({ min: new Date('1972-01-01T00:00:00Z'), max: new Date('2037-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));

describe('toLocalDateTime', () => {
  it.each([
    ['2026-06-01T10:00:00Z', 'Europe/Vienna', '2026-06-01T12:00:00'],
    ['2026-03-29T00:59:59Z', 'Europe/Vienna', '2026-03-29T01:59:59'],
    ['2026-03-29T01:00:00Z', 'Europe/Vienna', '2026-03-29T03:00:00'],
    ['2026-10-25T00:30:00Z', 'Europe/Vienna', '2026-10-25T02:30:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Vienna', '2026-10-25T02:30:00'],
    ['2026-01-01T00:00:00.999Z', 'UTC', '2026-01-01T00:00:00'],
    ['2026-01-01T00:00:00Z', 'Asia/Kathmandu', '2026-01-01T05:45:00'],
    ['2026-01-01T00:00:00Z', 'Pacific/Kiritimati', '2026-01-01T14:00:00'],
  ])('shows %s in %s as %s', (instant, zone, local) => {
    expect(toLocalDateTime(new Date(instant), zone)).toBe(local);
  });

  it('refuses unknown zones and invalid dates', () => {
    const invalid = expect.objectContaining({ code: 'invalid_input' });
    expect(() => toLocalDateTime(new Date(), 'Mars/Olympus')).toThrow(invalid);
    expect(() => toLocalDateTime(new Date(Number.NaN), 'UTC')).toThrow(invalid);
    expect(() => toLocalDateTime(new Date(8.64e15), 'UTC')).toThrow(invalid);
  });

  it('agrees with the runtime about every zone and instant', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, timeZone) => {
        const oracle = instant.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
        expect(toLocalDateTime(instant, timeZone)).toBe(oracle);
      }),
      { ...seed, numRuns: 500 },
    );
  });
});

describe('fromLocalDateTime', () => {
  it('comes back to the instant, or to one that shows the same local time', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, timeZone) => {
        const local = toLocalDateTime(instant, timeZone);
        const earlier = fromLocalDateTime(local, timeZone, 'earlier');
        const later = fromLocalDateTime(local, timeZone, 'later');
        expect(toLocalDateTime(earlier, timeZone)).toBe(local);
        expect(toLocalDateTime(later, timeZone)).toBe(local);
        expect([earlier.getTime(), later.getTime()]).toContain(instant.getTime());
      }),
      { ...seed, numRuns: 500 },
    );
  });

  it.each([
    ['repeated', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', 'twice'],
    ['skipped', '2026-03-29T02:30:00', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', 'never'],
  ])('chooses a side of a %s hour', (_, local, earlier, later, refusal) => {
    expect(fromLocalDateTime(local, 'Europe/Vienna', 'earlier').toISOString()).toBe(earlier);
    expect(fromLocalDateTime(local, 'Europe/Vienna', 'later').toISOString()).toBe(later);
    expect(() => fromLocalDateTime(local, 'Europe/Vienna', 'reject')).toThrow(refusal);
  });

  it('refuses what is no local date-time', () => {
    expect(() => fromLocalDateTime('2026-02-30T00:00:00', 'UTC')).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
  });
});

describe('forms', () => {
  it.each(['2026-06-01T12:00:00', '0099-12-31T23:59:59', '2028-02-29T00:00:00'])('accepts %s', (text) => {
    expect(isLocalDateTime(text)).toBe(true);
  });

  it.each([
    '2026-06-01 12:00:00',
    '2026-06-01T12:00',
    '2026-06-01T12:00:00Z',
    '2026-02-29T00:00:00',
    '2026-13-01T00:00:00',
    '2026-06-01T24:00:00',
    '2026-06-01T00:60:00',
  ])('refuses %s', (text) => {
    expect(isLocalDateTime(text)).toBe(false);
  });

  it('knows dates and zones', () => {
    expect(isDate('2028-12-31')).toBe(true);
    expect(isDate('2028-12-32')).toBe(false);
    expect(isTimeZone('Europe/Vienna')).toBe(true);
    // Another name of a zone.
    expect(isTimeZone('US/Eastern')).toBe(true);
    expect(isTimeZone('Vienna')).toBe(false);
  });
});
