import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeText } from './charge-text.ts';

const CHARGE = { id: 'ch_1', reason: 'no_show', reference: 'RES-1', text: null };

test('leads with the id, so that a person finds the charge', () => {
  expect(chargeText(CHARGE)).toBe('ch_1 no_show RES-1');
  expect(chargeText({ ...CHARGE, text: 'Minibar' })).toBe('ch_1 no_show RES-1 Minibar');
});

test('is cut at a hundred characters, and never inside one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const cut = chargeText({ ...CHARGE, text });
      expect(cut.length).toBeLessThanOrEqual(100);
      expect(cut).not.toMatch(/[\uD800-\uDBFF]$/);
      expect(`ch_1 no_show RES-1 ${text}`.startsWith(cut)).toBe(true);
    }),
  );
});

test('is filled to the hundredth character, and ends in no space', () => {
  const lead = 'ch_1 no_show RES-1 ';
  const rest = 'x'.repeat(100 - lead.length);
  expect(chargeText({ ...CHARGE, text: rest })).toBe(lead + rest);
  expect(chargeText({ ...CHARGE, text: `${rest}y` })).toBe(lead + rest);
  expect(chargeText({ ...CHARGE, text: `${rest.slice(2)} 😀` })).toBe(lead + rest.slice(2));
  expect(chargeText({ ...CHARGE, id: ' ch_1', text: '  ' })).toBe(' ch_1 no_show RES-1');
});
