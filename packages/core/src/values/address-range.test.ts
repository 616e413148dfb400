import { describe, expect, test } from 'vitest';
import { isAddressRange, isInRanges } from './address-range.ts';

describe('a range', () => {
  test.each([
    ['198.51.100.7', '198.51.100.7', '198.51.100.8'],
    ['198.51.100.0/24', '198.51.100.255', '198.51.101.0'],
    ['198.51.100.128/25', '198.51.100.128', '198.51.100.127'],
    ['198.51.100.9/31', '198.51.100.8', '198.51.100.10'],
    ['198.51.100.7/32', '198.51.100.7', '198.51.100.6'],
    ['198.51.100.0/24', '::ffff:198.51.100.7', '2001:db8::198.51.100.7'],
    ['::ffff:198.51.100.0/120', '198.51.100.7', '198.51.101.7'],
    ['0.0.0.0/0', '203.0.113.1', '2001:db8::1'],
    ['2001:db8:1::/48', '2001:0DB8:0001:ffff::1', '2001:db8:2::1'],
    ['2001:db8::8/125', '2001:db8::f', '2001:db8::10'],
    ['2001:db8::1', '2001:db8:0:0:0:0:0:1', '2001:db8::2'],
    ['::1', '::1', '::2'],
  ])('%s has %s and not %s', (range, inside, outside) => {
    expect(isAddressRange(range)).toBe(true);
    expect(isInRanges(inside, ['192.0.2.1', range])).toBe(true);
    expect(isInRanges(outside, ['192.0.2.1', range])).toBe(false);
  });

  test.each([
    ...['', '/', '/0', '198.51.100', '198.51.100.256', '198.51.100.07', '198.51.100.7/33', '198.51.100.7/', '1/8'],
    ...['198.51.100.7/24/8', '198.51.100.7:443', '198.51.100.7/-1', ' 198.51.100.7', 'hotel.example', '*'],
    ...['2001:db8::/129', '[2001:db8::1]', '2001:db8::1%eth0', '2001:db8:::1', '::ffff:1.2.3.4.5', '::1]/a[::1'],
  ])('is not “%s”, which no address is in', (text) => {
    expect(isAddressRange(text)).toBe(false);
    expect(['0.0.0.0', '198.51.100.7', '::', '::1'].filter((address) => isInRanges(address, [text]))).toEqual([]);
  });

  test.each(['2a06:98c0:3600::103', '2a06:98c0:3600::/64', '2a06:98c0::/29', '2000::/3', '::/0'])(
    'is not %s: every Worker shares addresses of it',
    (text) => expect(isAddressRange(text)).toBe(false),
  );

  test.each(['', 'unknown', '198.51.100.0/24', '::/0', '0.0.0.0/0'])('has not “%s”, which is no address', (text) => {
    expect(isInRanges(text, ['0.0.0.0/0', '198.51.100.0/24', '2001:db8::/32'])).toBe(false);
  });
});
