import { ChargeSchema, CheckoutSessionSchema, ReversalSchema } from '@innkeep/core/contract';
import { REDACTED } from '@innkeep/core/values';
import type { GenericSchema } from 'valibot';
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

/** What a schema is made of, as far as this file reads it. */
interface Parts {
  readonly type: string;
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly options?: readonly GenericSchema[];
  readonly wrapped?: GenericSchema;
  readonly item?: GenericSchema;
}

/** The fields of a schema whose values are words: texts, and records of them. */
function wordsIn(schema: GenericSchema, name = ''): string[] {
  // Which of these it has is a matter of its type.
  const { type, entries = {}, options = [], wrapped, item } = schema as Partial<GenericSchema> & Parts;
  if (type === 'string' || type === 'record') return [name];
  // The options of a picklist are no schemas.
  const others = type === 'picklist' ? [] : [...options, ...(wrapped ? [wrapped] : []), ...(item ? [item] : [])];
  return [
    ...Object.entries(entries).flatMap(([field, of]) => wordsIn(of, field)),
    ...others.flatMap((other) => wordsIn(other, name)),
  ];
}

/** Texts that stay: ids, instants, codes, and who of the hotel did it. */
const NAMES_NO_GUEST =
  'at code completedAt createdAt currency endedAt expiresAt id key payment paymentObjectId person property redactedAt returnCode startedAt tokenKeptUntil tokenObjectId tokenValidUntil transactionId via';

test('every field with words is blanked, or known to name no guest', () => {
  const words = [CheckoutSessionSchema, ChargeSchema, ReversalSchema].flatMap((schema) => wordsIn(schema));
  const kept = [...new Set(words)].filter((name) => redacted({ [name]: 'Ann' })[name] === 'Ann');
  expect(kept.sort(), 'What may name a guest belongs in BLANKS of records/redacted.ts, anything else here').toEqual(
    NAMES_NO_GUEST.split(' '),
  );
});
