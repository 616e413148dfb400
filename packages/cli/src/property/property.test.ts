import { expect, it } from 'vitest';
import { parseProperty } from './property.ts';

const PROPERTY = {
  displayName: 'Hotel Aurora',
  baseUrl: 'https://pay.example/api',
  customerId: '1234',
  username: 'demo',
  password: 'demo-password',
  hotelID: '1',
  hotelIDType: 'X',
  user: 'web',
  timeZone: 'Europe/Vienna',
  amountUnit: 'minor',
  providerDirect: 'D',
  providerHosted: 'H',
  origins: ['https://hotel.example'],
  merchantKeys: [{ id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] }],
};

it('keeps a hotel’s settings as they were given, without the proxy’s defaults', () => {
  expect(parseProperty(PROPERTY)).toEqual({ property: PROPERTY });
});
