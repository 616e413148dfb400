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

it.each<[returnCode: string, path: string | undefined]>([
  ...['96\u0000', '９６', ' 096\r\n', '96;', '"96"', '96\u200b', '96.'].map((code): [string, undefined] => [
    code,
    undefined,
  ]),
  ...['0\u0000', '０', '\u00010'].map((code): [string, string] => [code, 'returnCode']),
])('a charge that is answered with %j is in doubt, and no decline', async (returnCode, path) => {
  const context = sampleContext(fakeUpstream([{ returnCode }]));
  const charge = pay(context, { tokenNo: 'TK-1', amount: Money.ofMinor(1n, 'EUR') });
  await expect(charge).rejects.toMatchObject({ code: 'outcome_unknown', path });
});

it('a minus makes another code', () => {
  expect(comparableReturnCode(' -96')).toBe('-96');
});
