import { describe, expect, it } from 'vitest';
import { cardNumberRuns, isSameCardMask, maskCardNumber, parseCardMask } from './card-mask.ts';

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

  it('compares masks of different length and characters', () => {
    expect(isSameCardMask('424242......4242', '42424242xxxx4242')).toBe(true);
    expect(isSameCardMask('424242......4242', '424242......4241')).toBe(false);
    expect(isSameCardMask('424242......4242', '555555......4242')).toBe(false);
  });

  it('masks a number, keeps a mask, blanks the rest', () => {
    expect(maskCardNumber('4242424242424242')).toBe('424242......4242');
    expect(maskCardNumber('424242xxxxxx4242')).toBe('424242xxxxxx4242');
    expect(maskCardNumber('a 4242424242424242')).toBe('[redacted]');
  });

  it('finds card numbers in text', () => {
    expect(cardNumberRuns('pay 4242 4242 4242 4242 or 5555-5555-5555-4444, not 1234567890123456')).toEqual([
      '4242 4242 4242 4242',
      '5555-5555-5555-4444',
    ]);
  });
});
