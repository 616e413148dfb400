import { expect, test } from 'vitest';
import { isMaxBytes, ledgerSpace } from './ledger-capacity.ts';

test.each([
  [0, 'ok', 0],
  [6_999_999_999, 'ok', 69.9],
  [7_000_000_000, 'nearly_full', 70],
  [9_499_999_999, 'nearly_full', 94.9],
  [9_500_000_000, 'full', 95],
  [10_400_000_000, 'full', 104],
])('%i bytes of ten billion are %s', (bytes, status, percent) => {
  expect(ledgerSpace(bytes, undefined)).toEqual({ status, bytes, maxBytes: 10_000_000_000, percent });
});

test('the setting says how much there is', () => {
  expect(ledgerSpace(950, '1000')).toEqual({ status: 'full', bytes: 950, maxBytes: 1_000, percent: 95 });
});

test.each([null, '', '0', '-1', '1e9', '10 GB', '1.5', '9'.repeat(16)])('%j is no number of bytes', (setting) => {
  expect(isMaxBytes(setting ?? '')).toBe(false);
  expect(ledgerSpace(1, setting).maxBytes).toBe(10_000_000_000);
});
