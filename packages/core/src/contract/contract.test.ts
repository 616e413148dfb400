import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { PAID_VIEW as done, OPEN_VIEW as view } from '../../test-support/checkout-view.ts';
import * as contract from './index.ts';

const { CheckoutViewSchema, CreateCheckoutSessionSchema, ListCheckoutSessionsSchema, StartedCheckoutSchema } = contract;

const components = Object.entries(contract).flatMap(([name, schema]) => {
  const { ref, examples = [] } = (v.isOfKind('schema', Object(schema)) ? v.getMetadata(schema as never) : {}) as {
    ref?: string;
    examples?: readonly unknown[];
  };
  return ref === undefined ? [] : [{ name, ref, examples, schema: schema as v.GenericSchema }];
});

describe('the schemas of answers', () => {
  it('have names of their own', () => {
    expect(components.length).toBeGreaterThan(15);
    expect(new Set(components.map(({ ref }) => ref)).size).toBe(components.length);
    for (const { name, ref } of components) expect(name).toBe(`${ref}Schema`);
  });

  it('fit their examples, field by field', () => {
    for (const { ref, schema, examples } of components) {
      for (const example of examples) expect([ref, v.parse(schema, example)]).toEqual([ref, example]);
    }
  });

  it('take fields that a later version adds', () => {
    const [event] = components.find(({ ref }) => ref === 'Event')?.examples ?? [];
    expect(v.is(contract.EventSchema, { ...Object(event), type: 'checkout.paused', more: 1 })).toBe(true);
    const problem = { type: 'a', title: 'b', status: 502, code: 'upstream_error', detail: 'c', traceId: 't', more: 1 };
    expect(v.is(contract.ProblemSchema, problem)).toBe(true);
  });
});

describe('the guest view', () => {
  it('accepts what the types say', () => {
    expect(v.parse(CheckoutViewSchema, view)).toEqual(view);
    expect(v.parse(CheckoutViewSchema, done)).toEqual(done);
    expect(v.parse(StartedCheckoutSchema, { ...view, viewUrl: 'https://view.example/' }).viewUrl).toBe(
      'https://view.example/',
    );
  });

  it.each([
    [{ ...view, extra: 1 }],
    [{ ...view, amount: { value: 1.5, currency: 'EUR' } }],
    [{ ...view, amount: { value: -1, currency: 'EUR' } }],
    [{ ...view, amount: { value: 1, currency: 'EURO' } }],
    [{ ...view, expiresAt: '2026-06-01T12:00:00+02:00' }],
    [{ ...view, status: 'failed' }],
    [{ ...view, terms: undefined }],
    [{ ...view, seq: 0 }],
  ])('refuses %j', (bad) => {
    expect(v.is(CheckoutViewSchema, bad)).toBe(false);
  });
});

describe('a request', () => {
  const payment = { kind: 'payment', amount: { value: 12000, currency: 'EUR' }, reference: 'RES-1234' };

  it('has its defaults filled in', () => {
    expect(v.parse(CreateCheckoutSessionSchema, payment)).toEqual({
      ...payment,
      surcharge: false,
      metadata: {},
      expiresInSeconds: 1800,
    });
  });

  it.each([
    [{ ...payment, extra: 1 }, 'extra'],
    [{ ...payment, amount: { ...payment.amount, extra: 1 } }, 'amount.extra'],
    [{ ...payment, amount: { value: 0, currency: 'EUR' } }, 'amount.value'],
    [{ ...payment, amount: { value: 1, currency: 'EUX' } }, 'amount.currency'],
    [{ ...payment, returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    [{ ...payment, returnUrl: 'https://hotel.example/?card=4242424242424242' }, 'returnUrl'],
    [{ ...payment, returnUrl: 'https://hotel.example/?note=card%204242424242424242' }, 'returnUrl'],
    [{ ...payment, returnUrl: 'https://hotel.example/?note=4242+4242%204242%2D4242' }, 'returnUrl'],
    [{ ...payment, returnUrl: 'https://hotel.example/?note=%EF%BC%94242424242424242' }, 'returnUrl'],
    [{ ...payment, returnUrl: 'https://hotel.example/\ud83d' }, 'returnUrl'],
    [{ ...payment, returnUrl: 'https://hotel.example/\r\nX: y' }, 'returnUrl'],
    [{ ...payment, kind: 'card' }, 'amount'],
    [{ ...payment, kind: 'cards' }, 'kind'],
    [{ ...payment, reference: 'a\nb' }, 'reference'],
    [{ ...payment, reference: ' \u00a0 ' }, 'reference'],
    [{ ...payment, metadata: { note: 1 } }, 'metadata.note'],
    [{ ...payment, expiresInSeconds: 59 }, 'expiresInSeconds'],
  ])('%j is refused because of %s', (body, path) => {
    const [issue] = v.safeParse(CreateCheckoutSessionSchema, body).issues ?? [];
    expect(issue && v.getDotPath(issue)).toBe(path);
  });

  describe.each([
    ['a card number', '4242424242424242'],
    ['a card number in groups', 'n 4242 4242-4242 4242.'],
    ['13 digits with a valid check digit', '4222222222222'],
    ['19 digits with a valid check digit', '4000000000000000006'],
    ['half a character', 'a\ud83d'],
  ])('with %s', (_what, text) => {
    const charge = { token: 'TK-1', amount: payment.amount, reference: 'RES-1', reason: 'no_show' };
    const card = { cardNo: '4242424242424242', valid: '2031-12-31' };
    const resolution = { status: 'failed', evidence: 'Portal' };

    it.each<[string, string, v.GenericSchema, object]>([
      ['The reference', 'reference', CreateCheckoutSessionSchema, { ...payment, reference: text }],
      ['The description', 'description', CreateCheckoutSessionSchema, { ...payment, description: text }],
      ['The metadata', 'metadata', CreateCheckoutSessionSchema, { ...payment, metadata: { note: text } }],
      ['The metadata', 'metadata', CreateCheckoutSessionSchema, { ...payment, metadata: { [text]: 'note' } }],
      ['The reference', 'reference', contract.CreateChargeSchema, { ...charge, reference: text }],
      ['The text', 'text', contract.CreateChargeSchema, { ...charge, text }],
      ['The cardholder text', 'cardText', contract.CreateCardSchema, { ...card, cardText: text }],
      ['The evidence', 'evidence', contract.ResolutionSchema, { ...resolution, evidence: text }],
    ])('is refused in a sentence that begins with "%s" (%s)', (subject, path, schema, body) => {
      const [issue] = v.safeParse(schema, body).issues ?? [];
      expect(issue && v.getDotPath(issue)).toBe(path);
      expect(issue?.message).toMatch(new RegExp(`^${subject} must not contain a card number .* or half a character$`));
      expect(issue?.message).not.toContain(text);
    });
  });

  it('may have digits that are no card number, and whole characters', () => {
    const texts = ['4242424242424241', '424242424242', '2026-11-22 14:30', '😀', 'DE89 3704 0044 0532 0130 00'];
    // Every tenth of such numbers passes the Luhn check.
    for (let count = 0; count < 40; count++)
      texts.push(`RES-${1_763_820_000_000 + count}`, `20261122-1430${10 + count}`);
    for (const text of texts) {
      const body = { ...payment, reference: text, description: text, metadata: { [text]: text } };
      expect(v.is(CreateCheckoutSessionSchema, body), text).toBe(true);
    }
    // A token is what the payment service made it.
    const charge = { token: '1234567890123452', amount: payment.amount, reference: 'RES-1', reason: 'no_show' };
    expect(v.is(contract.CreateChargeSchema, charge)).toBe(true);
  });

  // Of hashes, one in 4,000 has digits that pass for a card number.
  it.each(['RES-1234-deposit', 'a:b_c', 'x'.repeat(200), 'RES-ca5d598b5485636088630664ebc4e26d'])(
    'names a session by the key %s',
    (key) => {
      expect(v.is(contract.SessionKeySchema, { key })).toBe(true);
    },
  );

  it.each(['', 'a b', 'a/b', 'ü', 'a.b', 'x'.repeat(201), '4242424242424242', 'RES-4242-4242-4242-4242'])(
    'names no session by the key %j',
    (key) => {
      expect(v.is(contract.SessionKeySchema, { key })).toBe(false);
    },
  );

  it.each(['', '  ', 'A\r\n=1', 'A\ud800', '4242 4242 4242 4242'])('%j is no transaction id', (transactionId) => {
    const finding = { status: 'succeeded', evidence: 'Portal', transactionId };
    const [issue] = v.safeParse(contract.ResolutionSchema, finding).issues ?? [];
    expect(issue && v.getDotPath(issue)).toBe('transactionId');
  });

  it('a transaction id is kept without the blanks around it', () => {
    const finding = { status: 'succeeded', evidence: 'Portal', transactionId: ' 4711 ' };
    expect(v.parse(contract.ResolutionSchema, finding)).toMatchObject({ transactionId: '4711' });
  });

  it('a card number is no token', () => {
    const charge = { token: '4242 4242 4242 4242', amount: payment.amount, reference: 'RES-1', reason: 'no_show' };
    const [issue] = v.safeParse(contract.CreateChargeSchema, charge).issues ?? [];
    expect(issue && v.getDotPath(issue)).toBe('token');
  });

  it.each([0, 21, 1.5, '1'])('is about no attempt with the number %j', (attempt) => {
    expect(v.is(contract.SessionResolutionSchema, { status: 'failed', evidence: 'Portal', attempt })).toBe(false);
    expect(v.is(contract.CreateReversalSchema, { payment: 'cs_1', attempt })).toBe(false);
  });

  it('reads the numbers and instants of a query', () => {
    const query = { limit: '7', completedFrom: '2026-03-01', completedTo: '2026-03-01T12:00:00Z' };
    expect(v.parse(ListCheckoutSessionsSchema, query)).toEqual({
      limit: 7,
      completedFrom: Date.UTC(2026, 2, 1),
      completedTo: Date.UTC(2026, 2, 1, 12),
    });
  });
});
