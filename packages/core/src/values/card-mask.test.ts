import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { blankCardNumbers, holdsCardNumber, maskCardNumber, parseCardMask, passesLuhn } from './card-mask.ts';

const UUID_DIGITS = '4856-9257-30633';
const UUID = `403acbb5-6b73-${UUID_DIGITS}dc52168`;

describe('card masks', () => {
  it.each([
    '424242......4242',
    '424242xxxxxx4242',
    '424242XXXXXX4242',
    '424242******4242',
    '424242••••••4242',
    '4242 42.. .... 4242',
  ])('reads %s', (mask) => {
    expect(parseCardMask(mask)).toEqual({ first: '424242', last4: '4242' });
  });

  it.each(['4242424242424242', '......4242', '424242......42', ''])('does not read %j', (text) => {
    expect(parseCardMask(text)).toBeUndefined();
  });

  it('masks a number, keeps a mask, blanks the rest', () => {
    expect(maskCardNumber('4242424242424242')).toBe('424242......4242');
    expect(maskCardNumber('424242xxxxxx4242')).toBe('424242xxxxxx4242');
    expect(maskCardNumber('a 4242424242424242')).toBe('[redacted]');
  });

  it.each([
    ...'\u0020\u000d\u00a0\u00ad\u061c\u180e\u2007\u2011\u202f\u205f\u2060\u2066\u2212\u3000\u301c\ufe58\ufe63\ufeff\uff0d',
  ])('sees through groups divided by %j', (between) => {
    const text = ['4242', '4242', '4242', '4242'].join(between);
    expect(blankCardNumbers(`pay ${text}!`)).toBe('pay [redacted]!');
  });

  it.each(['０', '٠', '۰'])('reads the digits that begin with %s', (first) => {
    const zero = first.charCodeAt(0);
    const written = (text: string): string =>
      text.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
    for (const number of ['4242424242424242', '3782 822463 10005', '6011-1111-1111-1117', '4716-9038 2579 3062']) {
      const text = written(number);
      expect(blankCardNumbers(`pay ${text}!`)).toBe('pay [redacted]!');
      expect(blankCardNumbers(`pay ${number.slice(0, 5)}${text.slice(5)}!`)).toBe('pay [redacted]!');
      expect(holdsCardNumber(text, { issued: true })).toBe(true);
      expect(blankCardNumbers('x'.repeat(9_990) + text)).toBe(`${'x'.repeat(9_990)}…`);
    }
    for (const text of [written('4242424242424241'), written('42424242')]) expect(blankCardNumbers(text)).toBe(text);
    expect(blankCardNumbers(`ref 1${written('4242'.repeat(6))}`)).toBe('ref [redacted]');
    for (const other of [zero - 1, zero + 10]) {
      const text = `42424242${String.fromCharCode(other)}4242424`;
      expect(blankCardNumbers(text)).toBe(text);
    }
  });

  it('finds a card number among other digits', () => {
    expect(blankCardNumbers('ref 3 5555555555554444 937 1')).toBe('ref 3 [redacted] 937 1');
    expect(blankCardNumbers('x4242424242424242y')).toBe('x[redacted]y');
    expect(blankCardNumbers('pay 4242 4242 4242 4242 or 5555-5555\u20135555\u00a04444, not 1234567890123456')).toBe(
      'pay [redacted] or [redacted], not 1234567890123456',
    );
    expect(blankCardNumbers('5555 5555  5555 4444')).toBe('5555 5555  5555 4444');
  });

  it('leaves nothing of two that overlap', () => {
    expect(blankCardNumbers('4242 4242 4242 4242 4242 4242 4242 4242')).toBe('[redacted]');
  });

  it('blanks digits that are too many for a card number, because they can hide one', () => {
    expect(blankCardNumbers(`ref 1${'4242'.repeat(6)}`)).toBe('ref [redacted]');
    expect(blankCardNumbers('1'.repeat(40), { issued: true })).toBe('1'.repeat(40));
    expect(blankCardNumbers('1'.repeat(41), { issued: true })).toBe('[redacted]');
  });

  it.each([
    '4242424242424242',
    '4222222222222',
    '5555555555554444',
    '2223003122003222',
    '2200000000000004',
    '8171999927660000',
    '378282246310005',
    '30569309025904',
    '3566002020360505',
    '6011111111111117',
    '6200000000000005',
    '4000000000000000006',
  ])('takes %s for a number that a card network gives out', (digits) => {
    expect(holdsCardNumber(`PAY-${digits}`, { issued: true })).toBe(true);
  });

  // Instants, dates with a counter: each passes the check.
  it.each(['1763820000127', '20261122143012', '210215103042148501'].map(withCheckDigit))(
    'takes %s among ids for an id',
    (digits) => {
      expect(holdsCardNumber(digits)).toBe(true);
      expect(holdsCardNumber(digits, { issued: true })).toBe(false);
    },
  );

  // Of the UUIDs, one in 300 holds such digits.
  it.each([UUID, `RES-${UUID}`, `${UUID} ${UUID}`])('takes the digits in %s for a UUID', (text) => {
    expect([holdsCardNumber(UUID_DIGITS), holdsCardNumber(text), blankCardNumbers(text)]).toEqual([true, false, text]);
  });

  it.each(['4242-4242-4242-4242', '42424242-4242-4242-0000-000000000000', `1-${UUID_DIGITS}`])(
    'is not led astray by what resembles a UUID in %s',
    (text) => {
      expect(holdsCardNumber(text)).toBe(true);
    },
  );

  it.each(['', 'D25122011234512345678', 'd2512201123451234567F'])(
    'takes a card number before %j for no hash',
    (rest) => {
      const magneticStripe = `4242424242424242${rest}`;
      for (const text of [magneticStripe, `B${magneticStripe}`, `<T>${magneticStripe}</T>`]) {
        expect(blankCardNumbers(text, { issued: true })).toBe(text.replace('4242424242424242', '[redacted]'));
      }
      const hash = `4242424242424242e${'0'.repeat(20)}`;
      expect(blankCardNumbers(hash, { issued: true })).toBe(hash);
    },
  );

  it('agrees with a reading that tries everything', () => {
    const characters = fc.string({ unit: fc.constantFrom('4', '2', '0', '5', '9', ' ', '-', 'x'), maxLength: 60 });
    fc.assert(
      fc.property(characters, (text) => {
        const held = [...text].some((_, start) =>
          [...text].some((_, end) => {
            const part = text.slice(start, end + 1);
            const isWhole = !/\d/.test(text.charAt(start - 1)) && !/\d/.test(text.charAt(end + 1));
            const digits = part.replaceAll(/[ -]/g, '');
            return isWhole && /^\d+([ -]\d+)*$/.test(part) && /^\d{12,19}$/.test(digits) && passesLuhn(digits);
          }),
        );
        expect(holdsCardNumber(text)).toBe(held);
      }),
      { seed: 20260601, numRuns: 300 },
    );
  });

  it.each(['1 ', '1', '4242424242424242 ', '4242-', '4-', '1234567890123456789 '])(
    'reads each of many %j a few times at most',
    (unit) => {
      const reads = vi.spyOn(String.prototype, 'charCodeAt');
      const readsOf = (length: number): number => {
        const text = unit.repeat(length / unit.length);
        reads.mockClear();
        blankCardNumbers(text);
        return reads.mock.calls.length / text.length;
      };
      const [short, long] = [readsOf(2_000), readsOf(8_000)];
      reads.mockRestore();
      expect(long).toBeLessThan(60);
      expect(long / short).toBeLessThan(1.1);
    },
  );

  it('reads only the beginning of a long text, so that nobody waits for the rest', () => {
    for (const unit of ['1 ', '1', '4242424242424242 ', '4242-']) {
      const blanked = blankCardNumbers(unit.repeat(1_000_000));
      expect(blanked.length).toBeLessThanOrEqual(10_001);
      expect(blanked).toMatch(/…$/);
    }
    const before = 'x'.repeat(9_985);
    for (const number of ['5105105105105100', '5105 1051-0510 5100']) {
      expect(blankCardNumbers(before + number)).toBe(`${before}…`);
    }
  });
});

/** The digits with the last one changed so that they pass the Luhn check. */
function withCheckDigit(digits: string): string {
  const body = digits.slice(0, -1);
  return [...'0123456789'].map((digit) => body + digit).find(passesLuhn) ?? '';
}
