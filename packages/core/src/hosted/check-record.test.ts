import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../schemas/transaction-record.ts';
import { Money } from '../values/money.ts';
import { checkRecord, type RecordExpectation } from './check-record.ts';

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

function without(record: TransactionRecord, name: keyof TransactionRecord): TransactionRecord {
  const copy = { ...record };
  delete copy[name];
  return copy;
}

describe('checkRecord', () => {
  it('believes a payment that is what was asked for', () => {
    expect(checkRecord(asked, paid)).toEqual({
      verdict: 'consistent',
      payment: { total: paid.amount, base: asked.amount, surcharge: null },
    });
  });

  it('believes a payment whose optional references are missing', () => {
    const record = without(without(paid, 'paymentObjID'), 'cardInfoRefID');
    expect(checkRecord(asked, record).verdict).toBe('consistent');
  });

  it.each(['payobjid=7701', ' PAYOBJID=7701 ', '7701', '', ' ', 'PAYOBJID='])(
    'takes %j for the same payment',
    (objectID) => {
      expect(checkRecord({ ...asked, objectID }, paid).verdict).toBe('consistent');
      expect(checkRecord({ ...asked, objectID: 'PayObjID=7701' }, { ...paid, paymentObjID: objectID }).verdict).toBe(
        'consistent',
      );
    },
  );

  it.each(['TOKENOBJID=7701', ' tokenobjid=7701', 'XOBJID=7701', '7702'])('takes %j for something else', (objectID) => {
    const contradiction = { verdict: 'contradiction', code: 'record_mismatch', field: 'paymentObjID' };
    expect(checkRecord({ ...asked, objectID }, paid)).toEqual(contradiction);
    expect(checkRecord(asked, { ...paid, paymentObjID: objectID })).toEqual(contradiction);
  });

  it('judges an amount that lost its prototype in a clone', () => {
    const cloned = { ...asked, amount: structuredClone({ ...euro(12000n) }) as unknown as Money };
    expect(checkRecord(cloned, paid).verdict).toBe('consistent');
    expect(checkRecord(cloned, { ...paid, amount: euro(12001n) })).toMatchObject({ code: 'amount_mismatch' });
    expect(checkRecord(cloned, { ...paid, amount: euro(1_200_000n) })).toMatchObject({ code: 'amount_unit_mismatch' });
  });

  it('believes a surcharge that was allowed', () => {
    const surcharge = { amount: euro(240n), percent: 2 };
    const record = { ...paid, amount: euro(12240n), surchargeApplied: true, surcharge };
    expect(checkRecord({ ...asked, surcharge: true }, record)).toEqual({
      verdict: 'consistent',
      payment: { total: euro(12240n), base: euro(12000n), surcharge },
    });
  });

  it('believes a tokenization with a token', () => {
    expect(checkRecord(askedCard, stored)).toEqual({ verdict: 'consistent', token: 'TK-1' });
  });

  it('waits for a record that is not done', () => {
    expect(checkRecord(asked, { ...paid, status: 'working', returnCode: '9' })).toEqual({ verdict: 'not_ready' });
    expect(checkRecord(asked, without(paid, 'status'))).toEqual({ verdict: 'not_ready' });
    expect(checkRecord(asked, { ...without(paid, 'amount'), status: 'working', currency: 'ZZZ' })).toEqual({
      verdict: 'not_ready',
    });
  });

  const surcharge = { amount: euro(240n), percent: 2 };
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
    ['amount_mismatch', 'amount', { ...paid, amount: euro(11999n) }],
    ['amount_mismatch', 'amount', { ...paid, amount: euro(120000n) }],
    ['amount_mismatch', 'amount', { ...paid, amount: euro(12240n) }, { ...asked, surcharge: true }],
    ['amount_mismatch', 'amount', { ...paid, surcharge }, { ...asked, surcharge: true }],
    ['amount_unit_mismatch', 'amount', { ...paid, amount: euro(1200000n) }],
    ['amount_unit_mismatch', 'amount', { ...paid, amount: euro(120n) }],
    [
      'amount_unit_mismatch',
      'amount',
      { ...paid, amount: euro(1224000n), surcharge: { amount: euro(24000n), percent: 2 } },
      { ...asked, surcharge: true },
    ],
    ['record_mismatch', 'token', without(stored, 'token'), askedCard],
    ['record_mismatch', 'token', { ...stored, token: ' ' }, askedCard],
  ])('finds %s in %s', (code, field, record, expectation = asked) => {
    expect(checkRecord(expectation, record)).toEqual({ verdict: 'contradiction', code, field });
  });

  it('has no unit mismatch where the currency has no minor unit', () => {
    const yen = (minor: bigint): Money => Money.ofMinor(minor, 'JPY');
    const record = { ...paid, currency: 'JPY', amount: yen(1000n) };
    expect(checkRecord({ ...asked, amount: yen(10n) }, record)).toMatchObject({ code: 'amount_mismatch' });
    expect(checkRecord({ ...asked, amount: yen(1000n) }, record).verdict).toBe('consistent');
  });
});
