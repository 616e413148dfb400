import { expect, test } from 'vitest';
import { parseHotelPatch } from './hotel-patch.ts';

const FILES: Readonly<Record<string, string>> = {
  limits: '{ "EUR": 5000.00 }\n',
  empty: '\n',
  none: '[]\n',
  null: 'null\n',
  one: '{ "url": "https://hotel.example", "secret": "whsec_x" }\n',
  text: 'https://a.example, https://b.example\n',
  product: '{ "value": "P-1" }\n',
};

const parse = (word: string) =>
  parseHotelPatch(
    { words: [word], unset: [] },
    { readFile: async (path) => FILES[path] ?? '', readSecret: async () => '' },
  );

test.each([
  ['maxAmount.EUR=500000', { maxAmount: { EUR: 500_000 } }],
  ['maxAmount={"EUR": 500000, "JPY": 800000}', { maxAmount: { EUR: 500_000, JPY: 800_000 } }],
  ['maxSurchargePercent=2.50', { maxSurchargePercent: 2.5 }],
  ['webhooks=@none', { webhooks: [] }],
  ['origins=', { origins: [] }],
  ['gateway.productId=@product', { gateway: { productId: { value: 'P-1' } } }],
  ['origins=@text', { origins: ['https://a.example', 'https://b.example'] }],
])('%s is read', async (word, patch) => {
  expect(await parse(word)).toEqual(patch);
});

test.each(['maxAmount.EUR=5000.00', 'maxAmount.EUR=-1', 'maxAmount={"EUR": 5000.00}', 'maxAmount=@limits'])(
  '%s is no amount in minor units',
  async (word) => {
    await expect(parse(word)).rejects.toThrow(
      /^maxAmount(\.EUR)? is in minor units, such as 500000 for 5000\.00 EUR\.$/,
    );
  },
);

test.each([
  ['webhooks=@empty', 'webhooks: the file is empty. Nothing was changed.'],
  ['origins=@empty', 'origins: the file is empty. Nothing was changed.'],
  ['gateway.allow=@empty', 'gateway.allow: the file is empty. Nothing was changed.'],
  ['webhooks=@one', 'webhooks must be a JSON list.'],
  ['webhooks=@null', 'webhooks must not be null.'],
  ['webhooks=@text', 'webhooks is not JSON.'],
  ['merchantKeys=', 'merchantKeys is not JSON.'],
  ['gateway=@null', 'gateway must not be null.'],
  ['colour=red', 'is not a field of a hotel'],
  ['surcharge=yes', 'surcharge must be true or false'],
  ['maxSurchargePercent=much', 'must be a number'],
  ['webhooks=[]', 'holds a secret'],
  ['gateway.productId={}', 'holds a secret'],
  ['merchantKeys=[{', 'is not JSON'],
  ['displayName.first=X', 'cannot be changed by itself'],
  ['displayName', 'is not field=value'],
])('%s is refused: %s', async (word, message) => {
  await expect(parse(word)).rejects.toThrow(message);
});
