import { expect, it } from 'vitest';
import { commentedParts } from './commented-source.ts';

const PROBLEMS = 'packages/edge-proxy/src/problem.ts';

it('reads the keys of a table with their values and comments', () => {
  const parts = commentedParts(PROBLEMS, 'STATUSES');
  expect(parts.find(({ name }) => name === 'rate_limited')).toMatchObject({
    value: 429,
    comment: expect.stringMatching(/^Too many[\s\S]*\n\nMoney: [\s\S]*\n\nWhat to do: /),
  });
});

it('reads the members of a union', () => {
  const parts = commentedParts('packages/core/src/checkout/view.ts', 'CheckoutErrorCode');
  expect(parts.map(({ name }) => name)).toContain('record_unreadable');
  expect(parts.filter(({ comment }) => comment === '')).toEqual([]);
});

it('reads the items of a list', () => {
  const parts = commentedParts('packages/edge-proxy/src/config/property-schema.ts', 'SCOPES');
  expect(parts).toContainEqual({ name: 'moto', value: 'moto', comment: expect.stringContaining('Keying in cards') });
});

it('refuses a name that is not there, or has no parts', () => {
  expect(() => commentedParts(PROBLEMS, 'NOTHING')).toThrow('declares no NOTHING');
  expect(() => commentedParts('packages/core/src/values/money.ts', 'MoneyJson')).toThrow();
});
