import { describe, expect, test } from 'vitest';
import { isAllowedOrigin, isOwnOrigin } from '../sessions/origins.ts';
import { checkAmount, type PaymentLimits } from './payment-limits.ts';
import { requestFingerprint } from './request-fingerprint.ts';

const minor: PaymentLimits = { amountUnit: 'minor', maxAmount: undefined };
const eur = (value: number) => ({ value, currency: 'EUR' });
const major = { ...minor, amountUnit: 'major' } as const;
const limited = { ...minor, maxAmount: { EUR: 500 } };
const at = (param: string): unknown => expect.objectContaining({ param });

test.each<[string, Parameters<typeof checkAmount>[0], PaymentLimits, unknown]>([
  ['in a known currency without a limit', eur(1), minor, undefined],
  ['that a major-unit upstream cannot express', eur(1999), major, at('amount.value')],
  ['that it can express', eur(1900), major, undefined],
  ['of a currency without decimals', { value: 1999, currency: 'JPY' }, major, undefined],
  ['of one with three', { value: 1500, currency: 'KWD' }, major, at('amount.value')],
  ['at the limit', eur(500), limited, undefined],
  ['above it', eur(501), limited, { param: 'amount.value', detail: "Above this property's limit of 5.00 EUR" }],
  ['in a currency without one where there are limits', { ...eur(1), currency: 'JPY' }, limited, at('amount.currency')],
])('an amount %s', (_, amount, limits, refusal) => {
  expect(checkAmount(amount, limits)).toEqual(refusal);
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
    'http://aurora.localhost:5173',
    'https://127.0.0.1:8443',
    'http://192.168.178.20:3000',
    'http://[fe80::1]',
  ])('%s is a page of this machine or its network, and allowed only where those are', (origin) => {
    expect(isOwnOrigin(origin, local)).toBe(true);
    expect(isOwnOrigin(origin, own)).toBe(false);
  });

  test.each(['https://localhost.evil.test', 'null', '', 'http://localhost:3000/', 'ftp://localhost'])(
    '%s is not, even where those are allowed',
    (origin) => {
      expect(isOwnOrigin(origin, local)).toBe(false);
    },
  );
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
