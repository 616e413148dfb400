import { MerchantError } from '@innkeep/core/merchant';
import { expect, test } from 'vitest';
import { lookUpRoom } from './room-lookup.ts';

const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0));
const answering = (xml: string) => ({
  send: async () => ({ contentType: 'text/xml; charset=ISO-8859-1', bytes: latin1(xml) }),
});

test('reads room, guests and dates, with letters that only windows-1252 has', async () => {
  // \x80 is the euro sign in windows-1252 and nothing in ISO-8859-1, whose name such systems use.
  const room = await lookUpRoom(
    answering(
      `<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document><roomreq>101</roomreq><guest><title>Herr</title>
      <firstname>J\xf6rg</firstname><lastname>Wei\xdf</lastname><from>2026-08-30</from><to>2026-09-04</to></guest>
      <remarks>Minibar 12 \x80</remarks></SIHOT-Document>`,
    ),
    '101',
  );
  expect(room).toMatchObject({
    number: '101',
    guests: [{ name: 'Herr Jörg Weiß', from: '2026-08-30', to: '2026-09-04' }],
    remarks: 'Minibar 12 €',
    problem: null,
  });
});

test('a refusal inside a good answer is a problem, with the answer to look at', async () => {
  const room = await lookUpRoom(
    answering('<SIHOT-Document><RC>1</RC><MSG>Operation failed</MSG></SIHOT-Document>'),
    '1',
  );
  expect(room.problem).toBe('The hotel’s system refused the request.');
  expect(room.xml).toContain('Operation failed');
});

test.each([
  ['upstream_error', 'no answer for room 999'],
  ['forbidden', 'may not ask'],
  ['rate_limited', 'cannot be reached'],
])('%s reads as a sentence', async (code, text) => {
  const send = () => Promise.reject(new MerchantError(code, 'raw', { status: 502 }));
  expect((await lookUpRoom({ send }, '999')).problem).toContain(text);
});
