import { expect, test } from 'vitest';
import { clientNetwork } from './client-address.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:51234', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:c633:6407', '198.51.100.7'],
  ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
  ['[::ffff:198.51.100.7]:51234', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:ffff::]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::2:3:4:5:6:7', '0:0:2:3::/64'],
])('%s counts as %s', (text, expected) => {
  expect(clientNetwork(text)).toBe(expected);
});

test.each(['', 'unknown', '2001:db8:::1', ':', '[', '[]', 'x]:1'])(
  'what is no address counts as it is: “%s”',
  (text) => {
    expect(() => clientNetwork(text)).not.toThrow();
    expect(clientNetwork(text)).toBe(text === '[]' ? '' : text);
  },
);

test('of long text only the beginning counts', () => {
  expect(clientNetwork('x'.repeat(8_000))).toBe('x'.repeat(45));
});
