import { expect, it } from 'vitest';
import { HOTEL } from '../../test-support/hotel.ts';
import { parseProperty } from './property.ts';

it('keeps a hotel’s settings as they were given, without the proxy’s defaults', () => {
  const property = { ...HOTEL, merchantKeys: [{ id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] }] };
  expect(parseProperty(property)).toEqual({ property });
});
