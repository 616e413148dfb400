import * as v from 'valibot';
import { expect, it } from 'vitest';
import { fakeUpstream, sampleContext } from '../../test-support/fake-upstream.ts';
import { pay } from '../operations/pay.ts';
import { Money } from '../values/money.ts';
import { comparableReturnCode, ReturnCodeSchema, saysZero } from './return-code.ts';

const ODD_ZEROS = ['00', '0.0', '-0', '0x0', '０', '0\ufffd', '\ufffd0', '0\u200b', '"0"', '0;'];

it.each([...ODD_ZEROS, '', ' ', '-', '\ufffd'])('%j is no code', (code) => {
  expect(v.is(ReturnCodeSchema, code)).toBe(false);
});

it.each([
  ['0', '0'],
  [0, '0'],
  [' 0 ', '0'],
  [5, '5'],
  ['05', '05'],
  ['-1', '-1'],
  ['0.5', '0.5'],
  ['5\ufffd', '5\ufffd'],
  ['N0', 'N0'],
])('%j is the code %j', (code, text) => {
  expect(v.parse(ReturnCodeSchema, code)).toBe(text);
});

it.each([...ODD_ZEROS, '0', ' 0 ', 0])('%j says zero', (code) => {
  expect(saysZero(code)).toBe(true);
});

it.each(['', ' ', '\ufffd', '5', 5, 'N0', null, undefined, true, [], {}])('%j does not', (code) => {
  expect(saysZero(code)).toBe(false);
});

it.each(['96\u0000', '９６', ' 096\r\n'])('a charge that is answered with %j is in doubt', async (returnCode) => {
  const charge = pay(sampleContext(fakeUpstream([{ returnCode }])), {
    tokenNo: 'TK-1',
    amount: Money.ofMinor(1n, 'EUR'),
  });
  await expect(charge).rejects.toMatchObject({ code: 'outcome_unknown' });
});

it.each(['0\u0000', '０', '\u00010'])('a charge that is answered with %j is no decline', async (returnCode) => {
  const charge = pay(sampleContext(fakeUpstream([{ returnCode }])), {
    tokenNo: 'TK-1',
    amount: Money.ofMinor(1n, 'EUR'),
  });
  await expect(charge).rejects.toMatchObject({ code: 'outcome_unknown', path: 'returnCode' });
});

it.each(['96;', '"96"', '96\u200b', '96.'])('%j is the uncertain code that its digits are', async (returnCode) => {
  const charge = pay(sampleContext(fakeUpstream([{ returnCode }])), {
    tokenNo: 'TK-0001',
    amount: Money.ofMinor(12_000n, 'EUR'),
  });
  await expect(charge).rejects.toMatchObject({ code: 'outcome_unknown' });
});

it('a minus makes another code', () => {
  expect(comparableReturnCode(' -96')).toBe('-96');
});
