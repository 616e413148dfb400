import { describe, expect, it } from 'vitest';
import { cardNumberRuns, maskCardNumber, parseCardMask } from './card-mask.ts';

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

  it('finds a card number among other digits', () => {
    expect(cardNumberRuns('ref 3 5555555555554444 937 1')).toContain('5555555555554444');
    expect(cardNumberRuns('x4242424242424242y')).toEqual(['4242424242424242']);
    expect(cardNumberRuns(`1${'4242'.repeat(6)}`)).toEqual([]);
  });

  it('is quick with long texts', () => {
    const startedAt = performance.now();
    cardNumberRuns('1 '.repeat(500_000));
    cardNumberRuns('1'.repeat(1_000_000));
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('finds card numbers in text, whole ones first', () => {
    const runs = cardNumberRuns('pay 4242 4242 4242 4242 or 5555-5555-5555-4444, not 1234567890123456');
    expect(runs.slice(0, 2)).toEqual(['4242 4242 4242 4242', '5555-5555-5555-4444']);
    expect(runs).not.toContain('1234567890123456');
  });
});
