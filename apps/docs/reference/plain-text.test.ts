import { expect, it } from 'vitest';
import { sentence, withCode } from './plain-text.ts';

it.each([
  ['add --from-session or a file', 'add `--from-session` or a file'],
  ['in INNKEEP_CARD_TOKEN, or a prompt', 'in `INNKEEP_CARD_TOKEN`, or a prompt'],
  ['PROPERTY_<ID>.json', '`PROPERTY_<ID>.json`'],
  ['begins with sk_live_', 'begins with `sk_live_`'],
  ['for instance https://pay.hotel.example.', 'for instance `https://pay.hotel.example`.'],
  ['already `--json` here', 'already `--json` here'],
  ['a well-known JSON, 120.00 EUR', 'a well-known JSON, 120.00 EUR'],
])('sets as code what is typed in “%s”', (text, expected) => {
  expect(withCode(text)).toBe(expected);
});

it('makes a sentence of a description', () => {
  expect(sentence('print the version')).toBe('Print the version.');
  expect(sentence('What is it?')).toBe('What is it?');
});
