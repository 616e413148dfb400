import { REDACTED } from '@innkeep/core/values';
import { expect, test } from 'vitest';
import { redacted, redactedText } from './redacted.ts';

const PAYMENT = {
  id: 'cs_1',
  amount: { value: 8_000, currency: 'EUR' },
  reference: 'RES-1',
  description: 'Suite for Ann',
  metadata: { guest: 'Ann' },
  returnUrl: 'https://hotel.test/ann',
  note: 'called twice',
  text: 'Dear Ann',
  evidence: 'a mail of Ann',
  attempts: [
    {
      number: 1,
      status: 'succeeded',
      hosted: { viewUrl: 'https://view.test/ann' },
      result: { maskedCard: '424242......4242', sealedToken: 'sealed', tokenLast4: '9876', token: 'TOKEN-9876' },
      failure: { code: 'declined', message: 'Ann has no money' },
    },
  ],
  constructor: 'its own',
};

test('nothing that may name a person is left, wherever it stands, and everything else is', () => {
  const expected = {
    id: 'cs_1',
    amount: { value: 8_000, currency: 'EUR' },
    reference: null,
    description: null,
    metadata: {},
    returnUrl: null,
    note: null,
    text: null,
    evidence: REDACTED,
    attempts: [
      {
        number: 1,
        status: 'succeeded',
        hosted: { viewUrl: '' },
        result: { maskedCard: null, sealedToken: null, tokenLast4: null, token: null },
        failure: { code: 'declined', message: REDACTED },
      },
    ],
    constructor: 'its own',
  };
  expect(redacted(PAYMENT)).toEqual(expected);
  expect(JSON.parse(redactedText(JSON.stringify(PAYMENT)))).toEqual(expected);
});

test('what is handed in stays as it was', () => {
  const before = structuredClone(PAYMENT);
  redacted(PAYMENT);
  expect(PAYMENT).toEqual(before);
});
