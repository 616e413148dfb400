import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../schemas/transaction-record.ts';
import { Money } from '../values/money.ts';
import { checkRecord, type RecordExpectation, recordedRefusal, showsMoney } from './check-record.ts';

const euro = (minor: bigint): Money => Money.ofMinor(minor, 'EUR');
const asked: RecordExpectation = {
  operation: 'initpayNoIframe',
  amount: euro(12000n),
  surcharge: false,
  cardInfoRefID: 'booking-1',
  requestID: 'R-1',
  objectID: '7701',
};
const paid: TransactionRecord = {
  amount: euro(12000n),
  currency: 'EUR',
  cardInfoRefID: 'booking-1',
  operation: 'initpayNoIframe',
  paymentObjID: 'PAYOBJID=7701',
  requestID: 'R-1',
  returnCode: '0',
  status: '_done',
  raw: {},
};
const askedCard: RecordExpectation = {
  operation: 'initCreateTokenNoIframe',
  surcharge: false,
  cardInfoRefID: 'b',
  requestID: 'R',
};
const stored: TransactionRecord = {
  operation: 'initCreateTokenNoIframe',
  requestID: 'R',
  returnCode: '0',
  status: '_done',
  token: 'TK-1',
  raw: {},
};

const OTHER_PAYMENT = { decision: 'contradiction', code: 'record_mismatch', field: 'paymentObjID' };

function without(record: TransactionRecord, name: keyof TransactionRecord): TransactionRecord {
  const copy = { ...record };
  delete copy[name];
  return copy;
}

describe('checkRecord', () => {
  it.each([Number.NaN, -1, 101, Infinity, '10', null])('refuses a largest surcharge of %s percent', (percent) => {
    const expected = { ...asked, maxSurchargePercent: percent as never };
    expect(() => checkRecord(expected, { ...paid, status: '_open' })).toThrow(
      expect.objectContaining({ code: 'invalid_input', path: 'maxSurchargePercent' }),
    );
  });

  it('believes a payment that is what was asked for', () => {
    expect(checkRecord(asked, paid)).toEqual({
      decision: 'consistent',
      payment: { total: paid.amount, base: asked.amount, surcharge: null },
    });
  });

  it('believes a payment whose optional references are missing', () => {
    const record = without(without(paid, 'paymentObjID'), 'cardInfoRefID');
    expect(checkRecord(asked, record).decision).toBe('consistent');
  });

  it.each(['', ' '])('takes a reference of %j for a missing one', (cardInfoRefID) => {
    expect(checkRecord(asked, { ...paid, cardInfoRefID }).decision).toBe('consistent');
    const refused = { ...paid, returnCode: '51', cardInfoRefID, operation: cardInfoRefID };
    expect(recordedRefusal(asked, refused, [])).toBe('declined');
  });

  it('believes no amount alone without state 1', () => {
    const { objectID: _, ...ended } = asked;
    const bare = without(paid, 'paymentObjID');
    expect(checkRecord({ ...ended, objectID: '' }, bare).decision).toBe('consistent');
    expect(checkRecord(ended, paid).decision).toBe('consistent');
    expect(checkRecord(ended, { ...bare, transactionID: 'T-1' }).decision).toBe('consistent');
    for (const record of [bare, { ...bare, paymentObjID: 'PAYOBJID=', transactionID: ' ' }]) {
      expect(checkRecord(ended, record)).toEqual(OTHER_PAYMENT);
      expect(checkRecord(ended, { ...record, amount: euro(1n) })).toMatchObject({ code: 'amount_mismatch' });
    }
  });

  it.each(['payobjid=7701', ' PAYOBJID=7701 ', '7701', '', ' ', 'PAYOBJID='])(
    'takes %j for the same payment',
    (objectID) => {
      expect(checkRecord({ ...asked, objectID }, paid).decision).toBe('consistent');
      expect(checkRecord({ ...asked, objectID: 'PayObjID=7701' }, { ...paid, paymentObjID: objectID }).decision).toBe(
        'consistent',
      );
    },
  );

  it.each(['TOKENOBJID=7701', '7PAYOBJID=701', ' tokenobjid=7701', 'XOBJID=7701', '7702'])(
    'takes %j for something else',
    (objectID) => {
      expect(checkRecord({ ...asked, objectID }, paid)).toEqual(OTHER_PAYMENT);
      expect(checkRecord(asked, { ...paid, paymentObjID: objectID })).toEqual(OTHER_PAYMENT);
    },
  );

  it.each(['TOKENOBJID=7701', ' tokenobjid=7701', 'XOBJID=7701', 'ERROR=card%20declined', 'error='])(
    'takes %j for no payment, even if nothing else names one',
    (objectID) => {
      expect(checkRecord({ ...asked, objectID }, without(paid, 'paymentObjID'))).toEqual(OTHER_PAYMENT);
      expect(checkRecord({ ...asked, objectID: '' }, { ...paid, paymentObjID: objectID })).toEqual(OTHER_PAYMENT);
      const ended: RecordExpectation = { ...asked, objectID: undefined };
      expect(checkRecord(ended, { ...paid, paymentObjID: objectID, transactionID: 'T-1' })).toEqual(OTHER_PAYMENT);
    },
  );

  it('judges an amount that lost its prototype in a clone', () => {
    const cloned = { ...asked, amount: structuredClone({ ...euro(12000n) }) as unknown as Money };
    expect(checkRecord(cloned, paid).decision).toBe('consistent');
    expect(checkRecord(cloned, { ...paid, amount: euro(12001n) })).toMatchObject({ code: 'amount_mismatch' });
    expect(checkRecord(cloned, { ...paid, amount: euro(1_200_000n) })).toMatchObject({ code: 'amount_unit_mismatch' });
  });

  it('believes a surcharge that was allowed', () => {
    const surcharge = { amount: euro(240n), percent: 2 };
    const record = { ...paid, amount: euro(12240n), surchargeApplied: true, surcharge };
    expect(checkRecord({ ...asked, surcharge: true }, record)).toEqual({
      decision: 'consistent',
      payment: { total: euro(12240n), base: euro(12000n), surcharge },
    });
  });

  it('believes a tokenization with a token', () => {
    const token = { decision: 'consistent', token: 'TK-1' };
    expect(checkRecord(askedCard, stored)).toEqual(token);
    expect(checkRecord(askedCard, { ...stored, amount: euro(0n), paymentObjID: 'TOKENOBJID=1' })).toEqual(token);
    expect(checkRecord({ ...askedCard, objectID: '8801' }, { ...stored, paymentObjID: 'PAYOBJID=' })).toEqual(token);
  });

  it('waits for a record that is not done', () => {
    expect(checkRecord(asked, { ...paid, status: 'working', returnCode: '9' })).toEqual({ decision: 'not_ready' });
    expect(checkRecord(asked, without(paid, 'status'))).toEqual({ decision: 'not_ready' });
    expect(checkRecord(asked, { ...without(paid, 'amount'), status: 'working', currency: 'ZZZ' })).toEqual({
      decision: 'not_ready',
    });
  });

  const surcharge = { amount: euro(240n), percent: 2 };
  const hundredfold = { amount: euro(24000n), percent: 2 };
  const withSurcharge = { ...asked, surcharge: true };
  it.each<[string, string, TransactionRecord, RecordExpectation?]>([
    ['record_mismatch', 'requestID', { ...paid, requestID: 'R-2' }],
    ['record_mismatch', 'requestID', without(paid, 'requestID')],
    ['record_mismatch', 'operation', { ...paid, operation: 'initCreateTokenNoIframe' }],
    ['record_mismatch', 'operation', without(paid, 'operation')],
    ['record_mismatch', 'cardInfoRefID', { ...paid, cardInfoRefID: 'other' }],
    ['record_mismatch', 'returnCode', { ...paid, returnCode: '1' }],
    ['record_mismatch', 'currency', { ...paid, currency: 'USD', amount: Money.ofMinor(12000n, 'USD') }],
    ['record_mismatch', 'currency', without(paid, 'currency')],
    ['record_mismatch', 'paymentObjID', { ...paid, paymentObjID: 'PAYOBJID=7702' }],
    ['record_mismatch', 'amount', without(paid, 'amount')],
    ['amount_mismatch', 'amount', { ...without(paid, 'amount'), raw: { amount: -12000 } }],
    ['record_mismatch', 'currency', { ...without(paid, 'amount'), currency: 'eur', raw: { amount: 12000 } }],
    ['record_mismatch', 'currency', { ...without(paid, 'amount'), currency: 'ZZZ', raw: { amount: -1.5 } }],
    ['record_mismatch', 'surchargeAmount', { ...paid, amount: euro(12240n), surcharge }],
    ['record_mismatch', 'surchargeApplied', { ...paid, surchargeApplied: true }],
    ['record_mismatch', 'surchargeApplied', { ...paid, surchargeApplied: true, amount: euro(12240n) }],
    ['amount_mismatch', 'amount', { ...paid, amount: euro(11999n) }],
    ['amount_mismatch', 'amount', { ...paid, amount: euro(12240n) }, { ...asked, surcharge: true }],
    ['amount_mismatch', 'amount', { ...paid, surcharge }, { ...asked, surcharge: true }],
    ['amount_unit_mismatch', 'amount', { ...paid, amount: euro(1200000n) }],
    ['amount_unit_mismatch', 'amount', { ...paid, amount: euro(120n) }],
    ['amount_unit_mismatch', 'amount', { ...paid, amount: euro(1224000n), surcharge: hundredfold }, withSurcharge],
    ['record_mismatch', 'token', without(stored, 'token'), askedCard],
    ['record_mismatch', 'token', { ...stored, token: ' ' }, askedCard],
    ['record_mismatch', 'amount', { ...stored, amount: euro(1n) }, askedCard],
    ['record_mismatch', 'amount', { ...stored, raw: { amount: 12000 } }, askedCard],
    ['record_mismatch', 'paymentObjID', { ...stored, paymentObjID: ' payobjid=9' }, askedCard],
    ['record_mismatch', 'paymentObjID', stored, { ...askedCard, objectID: 'PAYOBJID=5' }],
    // An error is no stored card, either.
    ['record_mismatch', 'paymentObjID', { ...stored, paymentObjID: ' ERROR=card%20declined' }, askedCard],
    ['record_mismatch', 'paymentObjID', stored, { ...askedCard, objectID: 'ERROR=card%20declined' }],
  ])('finds %s in %s', (code, field, record, expectation = asked) => {
    expect(checkRecord(expectation, record)).toEqual({ decision: 'contradiction', code, field });
  });

  it('has no unit mismatch where the currency has no minor unit', () => {
    const yen = (minor: bigint): Money => Money.ofMinor(minor, 'JPY');
    const record = { ...paid, currency: 'JPY', amount: yen(1000n) };
    expect(checkRecord({ ...asked, amount: yen(10n) }, record)).toMatchObject({ code: 'amount_mismatch' });
    expect(checkRecord({ ...asked, amount: yen(1000n) }, record).decision).toBe('consistent');
  });

  describe('with a surcharge that was asked for', () => {
    const allowed: RecordExpectation = { ...asked, surcharge: true };
    const surcharged = (minor: bigint, percent: number, more: Partial<TransactionRecord> = {}): TransactionRecord => ({
      ...paid,
      amount: euro(12000n + minor),
      surchargeApplied: true,
      surcharge: { amount: euro(minor), percent },
      raw: { surchargePercentUsed: percent },
      ...more,
    });
    it.each<[string, TransactionRecord, Partial<RecordExpectation>?]>([
      ['10 %', surcharged(1200n, 10)],
      ['a percentage that makes no sense', surcharged(300n, -25)],
      ['a percentage, and no surcharge', { ...paid, raw: { surchargePercentUsed: 2.5 } }],
      ['an amount, and no word that it was applied', without(surcharged(300n, 2.5), 'surchargeApplied')],
      ['more than 10 % where that is allowed', surcharged(1201n, 10), { maxSurchargePercent: 11 }],
      ['none where none is allowed', paid, { maxSurchargePercent: 0 }],
      ['10 % of 10.05', surcharged(101n, 10, { amount: euro(1106n) }), { amount: euro(1005n) }],
    ])('believes a record of %s', (_, record, more) => {
      expect(checkRecord({ ...allowed, ...more }, record).decision).toBe('consistent');
    });

    it.each<[string, string, TransactionRecord, Partial<RecordExpectation>?]>([
      ['surchargeApplied', 'an amount that was not applied', surcharged(300n, 2.5, { surchargeApplied: false })],
      ['surchargeApplied', 'none that was applied', { ...paid, surchargeApplied: true }],
      ['surchargeApplied', 'nothing that was applied', surcharged(0n, 0)],
      ['surchargeAmount', 'more than 10 %', surcharged(1201n, 10)],
      ['surchargeAmount', 'more than is allowed', surcharged(300n, 2.5), { maxSurchargePercent: 2 }],
      ['surchargeAmount', 'some where none is allowed', surcharged(1n, 0.01), { maxSurchargePercent: 0 }],
      ['surchargeAmount', 'more of 10.05', surcharged(102n, 10, { amount: euro(1107n) }), { amount: euro(1005n) }],
    ])('finds in %s a record of %s', (field, _, record, more) => {
      const contradiction = { decision: 'contradiction', code: 'record_mismatch', field };
      expect(checkRecord({ ...allowed, ...more }, record)).toEqual(contradiction);
    });
  });

  it('names the unit when the amount was written in the major one', () => {
    const record = { ...without(paid, 'amount'), raw: { amount: 120.5 } };
    const unit = { decision: 'contradiction', code: 'amount_unit_mismatch', field: 'amount' };
    expect(checkRecord({ ...asked, amount: euro(12050n) }, record)).toEqual(unit);
    const surcharged = { ...record, raw: { amount: 123.51, surchargeAmount: 3.01 } };
    expect(checkRecord({ ...asked, amount: euro(12050n) }, surcharged)).toEqual(unit);
    expect(checkRecord(asked, record)).toMatchObject({ code: 'amount_mismatch' });
  });
});

it('tells an amount in the other unit only when the surcharge can be read, too', () => {
  const record = { ...without(paid, 'amount'), raw: { amount: 120.5, surchargeAmount: 'some' } };
  expect(checkRecord(asked, record)).toMatchObject({ code: 'amount_mismatch', field: 'amount' });
});

it('does not believe a payment when no amount was asked for', () => {
  const { amount: _, ...nothing } = asked;
  expect(checkRecord(nothing, without(paid, 'currency'))).toMatchObject({ field: 'currency' });
});

describe('showsMoney', () => {
  const nothing: TransactionRecord = { ...without(paid, 'paymentObjID'), amount: euro(0n) };

  it.each([
    ['an amount', { ...nothing, amount: euro(1n) }],
    ['an amount that cannot be read', { ...without(nothing, 'amount'), raw: { amount: 120.5 } }],
    ['a payment', { ...nothing, paymentObjID: 'PAYOBJID=7701' }],
    ['a token', { ...nothing, token: ' TK-1 ' }],
  ])('sees %s', (_, record) => {
    expect(showsMoney(record)).toBe(true);
  });

  it.each([
    ['says nothing', nothing],
    ['has no amount at all', without(nothing, 'amount')],
    ['names an empty payment and an empty token', { ...nothing, paymentObjID: 'PAYOBJID=', token: '  ' }],
    ['is not done', { ...paid, status: '_open' }],
    ['was refused', { ...paid, returnCode: '5' }],
  ])('sees nothing in a record that %s', (_, record) => {
    expect(showsMoney(record)).toBe(false);
  });
});

describe('recordedRefusal', () => {
  const refused: TransactionRecord = {
    ...paid,
    returnCode: '51',
    status: '_error',
    maskedCardNo: '411111......1111',
    raw: { maskedCardNo: '411111......1111' },
  };
  const UNCERTAIN = ['68', '091', '96'];

  it.each([
    ['has an error code', refused],
    ['is done all the same', { ...refused, status: '_done' }],
    ['does not mention cards', { ...without(refused, 'maskedCardNo'), raw: {} }],
    ['names neither reference nor operation', without(without(refused, 'cardInfoRefID'), 'operation')],
  ])('a record that %s says that the card was declined', (_, record) => {
    expect(recordedRefusal(asked, record, UNCERTAIN)).toBe('declined');
  });

  it.each(['68', '91', '0091', ' 96'])('code %s leaves open what happened', (returnCode) => {
    expect(recordedRefusal(asked, { ...refused, returnCode }, UNCERTAIN)).toBe('unclear');
    expect(recordedRefusal(asked, { ...refused, returnCode }, [])).toBe('declined');
  });

  it.each(['', '  '])(
    'a record that says that no card was entered (%j) does not say that one was declined',
    (blank) => {
      expect(recordedRefusal(asked, { ...refused, raw: { maskedCardNo: blank } }, UNCERTAIN)).toBe('unclear');
    },
  );

  it.each([
    ['without an error code', { ...refused, returnCode: '0' }],
    ['of another request', { ...refused, requestID: 'R-2' }],
    ['without a request', without(refused, 'requestID')],
    ['of another operation', { ...refused, operation: 'initCreateTokenNoIframe' }],
    ['of another booking', { ...refused, cardInfoRefID: 'booking-2' }],
  ])('a record %s says nothing', (_, record) => {
    expect(recordedRefusal(asked, record, UNCERTAIN)).toBeUndefined();
  });
});
