import { describe, expect, test } from 'vitest';
import { isAllowedOrigin, isOwnOrigin } from '../sessions/origins.ts';
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
    expect(checkAmount({ value: 501, currency: 'EUR' }, limited)).toEqual({
      param: 'amount.value',
      detail: "Above this property's limit of 5.00 EUR",
    });
  });

  test('in a currency without a limit are refused where there are limits', () => {
    expect(checkAmount({ value: 1, currency: 'JPY' }, { ...minor, maxAmount: { EUR: 500 } })).toMatchObject({
      param: 'amount.currency',
    });
  });
});

describe('origins', () => {
  const own = { origins: ['https://a.test'], localOrigins: false };
  const local = { ...own, localOrigins: true };

  test('no origin is allowed, a foreign one and null are not', () => {
    expect(isAllowedOrigin(null, own, 'https://proxy.test')).toBe(true);
    expect(isAllowedOrigin('https://a.test', own, 'https://proxy.test')).toBe(true);
    expect(isAllowedOrigin('https://proxy.test', own, 'https://proxy.test')).toBe(true);
    expect(isAllowedOrigin('https://a.test.evil', own, 'https://proxy.test')).toBe(false);
    expect(isAllowedOrigin('null', own, 'https://proxy.test')).toBe(false);
  });

  test.each([
    ...['http://localhost:3000', 'http://aurora.localhost:5173', 'http://127.0.0.1', 'https://127.0.0.1:8443'],
    ...[
      'http://[::1]:4321',
      'http://192.168.178.20:3000',
      'http://10.1.2.3',
      'http://172.31.0.9:80',
      'http://mac.local:1',
    ],
    ...['http://[fd00::1]:3000', 'http://[fe80::1]'],
  ])('%s is a page of this machine or its network, and allowed only where those are', (origin) => {
    expect(isOwnOrigin(new URL(origin).origin, local)).toBe(true);
    expect(isOwnOrigin(new URL(origin).origin, own)).toBe(false);
  });

  test.each([
    ...[
      'https://evil.test',
      'http://localhost.evil.test',
      'http://192.168.1.1.evil.test',
      'http://172.32.0.1',
      'http://8.8.8.8',
    ],
    ...[
      'null',
      '',
      'http://user@localhost:3000',
      'http://localhost:3000/',
      'ftp://localhost',
      'http://evil-localhost',
      'http://local',
    ],
  ])('%s is not, even where those are allowed', (origin) => {
    expect(isOwnOrigin(origin, local)).toBe(false);
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
