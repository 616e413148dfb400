import { expect, it } from 'vitest';
import { readAdvice } from './advice.ts';

it('splits a comment into its meaning, the money and the remedy', () => {
  const comment =
    'The card was refused.\nOr it had expired.\n\nMoney: did not\nmove.\n\nWhat to do: ask for another card.\nOr cash.';
  expect(readAdvice(comment)).toEqual({
    meaning: 'The card was refused. Or it had expired.',
    money: 'did not move.',
    remedy: 'ask for another card. Or cash.',
  });
});

it('leaves empty what a comment does not say', () => {
  expect(readAdvice('Something failed. Money: is not a paragraph here.')).toEqual({
    meaning: 'Something failed. Money: is not a paragraph here.',
    money: '',
    remedy: '',
  });
});
