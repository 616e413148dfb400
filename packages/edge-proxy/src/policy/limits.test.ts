import { describe, expect, test } from 'vitest';
import { isAllowedOrigin } from './origins.ts';
import { checkAmount, type PaymentLimits } from './payment-limits.ts';
import { requestFingerprint } from './request-fingerprint.ts';

const minor: PaymentLimits = {
  amountUnit: 'minor',
  maxAmount: undefined,
};

describe('amounts', () => {
  test('in a known currency are fine without a limit', () => {
    expect(checkAmount({ value: 1, currency: 'EUR' }, minor)).toBeUndefined();
  });

  test('that a major-unit upstream cannot express are refused', () => {
    const major = { ...minor, amountUnit: 'major' as const };
    expect(checkAmount({ value: 1999, currency: 'EUR' }, major)).toMatchObject({ param: 'amount.value' });
    expect(checkAmount({ value: 1900, currency: 'EUR' }, major)).toBeUndefined();
    expect(checkAmount({ value: 1999, currency: 'JPY' }, major)).toBeUndefined();
    expect(checkAmount({ value: 1500, currency: 'KWD' }, major)).toMatchObject({ param: 'amount.value' });
  });

  test('above the limit are refused, exactly at it they are not', () => {
    const limited = { ...minor, maxAmount: { EUR: 500 } };
    expect(checkAmount({ value: 500, currency: 'EUR' }, limited)).toBeUndefined();
    expect(checkAmount({ value: 501, currency: 'EUR' }, limited)).toMatchObject({ param: 'amount.value' });
  });

  test('in a currency without a limit are refused where there are limits', () => {
    expect(checkAmount({ value: 1, currency: 'JPY' }, { ...minor, maxAmount: { EUR: 500 } })).toMatchObject({
      param: 'amount.currency',
    });
  });
});

describe('origins', () => {
  test('no origin is allowed, a foreign one and null are not', () => {
    expect(isAllowedOrigin(null, ['https://a.test'])).toBe(true);
    expect(isAllowedOrigin('https://a.test', ['https://a.test'])).toBe(true);
    expect(isAllowedOrigin('https://a.test.evil', ['https://a.test'])).toBe(false);
    expect(isAllowedOrigin('null', ['https://a.test'])).toBe(false);
  });
});

describe('fingerprints', () => {
  test('do not depend on the order of fields', async () => {
    expect(await requestFingerprint({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(
      await requestFingerprint({ b: { d: 2, c: [1, 2] }, a: 1 }),
    );
  });

  test('are of any JSON value, and of none other', async () => {
    expect(await requestFingerprint({ a: null })).not.toBe(await requestFingerprint({}));
    expect(await requestFingerprint(null)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('differ when a value does', async () => {
    expect(await requestFingerprint({ a: [1, 2] })).not.toBe(await requestFingerprint({ a: [2, 1] }));
  });
});
