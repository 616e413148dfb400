import { expect, test } from 'vitest';
import { parseHotelPatch } from './hotel-patch.ts';

const parse = (word: string) =>
  parseHotelPatch(
    { words: [word], unset: [] },
    { readFile: async () => '{ "EUR": 5000.00 }\n', readSecret: async () => '' },
  );

test.each([
  ['maxAmount.EUR=500000', { maxAmount: { EUR: 500_000 } }],
  ['maxAmount={"EUR": 500000, "JPY": 800000}', { maxAmount: { EUR: 500_000, JPY: 800_000 } }],
  ['maxSurchargePercent=2.50', { maxSurchargePercent: 2.5 }],
])('%s is read', async (word, patch) => {
  expect(await parse(word)).toEqual(patch);
});

test.each(['maxAmount.EUR=5000.00', 'maxAmount.EUR=-1', 'maxAmount={"EUR": 5000.00}', 'maxAmount=@limits.json'])(
  '%s is no amount in minor units',
  async (word) => {
    await expect(parse(word)).rejects.toThrow(
      /^maxAmount(\.EUR)? is in minor units, such as 500000 for 5000\.00 EUR\.$/,
    );
  },
);
