import { MerchantError } from '@innkeep/core/merchant';
import { expect, test } from 'vitest';
import { lookUpRoom } from './room-lookup.ts';

test('a refusal inside a good answer is a problem, with the answer to look at', async () => {
  const bytes = new TextEncoder().encode('<SIHOT-Document><RC>1</RC><MSG>Operation failed</MSG></SIHOT-Document>');
  const room = await lookUpRoom({ send: async () => ({ contentType: 'text/xml', bytes }) }, '1');
  expect(room.problem).toBe('The hotel’s system refused the request.');
  expect(room.xml).toContain('Operation failed');
});

test.each([
  ['forbidden', 'may not ask'],
  ['rate_limited', 'cannot be reached'],
])('%s reads as a sentence', async (code, text) => {
  const send = () => Promise.reject(new MerchantError(code, 'raw', { status: 502 }));
  expect((await lookUpRoom({ send }, '999')).problem).toContain(text);
});
