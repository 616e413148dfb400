import { expect, test } from 'vitest';
import { toCsvRow } from './csv.ts';

test('quotes every cell and ends the line as RFC 4180 says', () => {
  expect(toCsvRow(['a', 1, true, null, undefined, 'x,"y"\n'])).toBe('"a","1","true","","","x,""y""\n"\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r=1', ' =1', '＝1', '\n@x'])('makes %j text', (formula) => {
  expect(toCsvRow([formula])).toBe(`"'${formula}"\r\n`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x;+1;-1', "x;'+1;'-1"],
  ['x\t@SUM(A1)', "x\t'@SUM(A1)"],
  ['x; \t＝1', "x; \t'＝1"],
  ['\t=1', "'\t'=1"],
  ['T1\r\n=1+1', "T1\r\n'=1+1"],
  ['x;y=1\tz', 'x;y=1\tz'],
])('makes text of a formula behind another separator: %j', (cell, text) => {
  expect(toCsvRow([cell])).toBe(`"${text}"\r\n`);
});

test('a comma begins a cell only where the file has semicolons', () => {
  expect(toCsvRow(['x, =1'], ';')).toBe('"x, \'=1"\r\n');
  expect(toCsvRow(['x, =1'])).toBe('"x, =1"\r\n');
});

test.each(['a=1', '1-1', 'x@y', "'=1"])('leaves %j as it is', (text) => {
  expect(toCsvRow([text])).toBe(`"${text}"\r\n`);
});

test('numbers keep their sign: only a text can be a formula', () => {
  expect(toCsvRow([-1, '-1'])).toBe(`"-1","'-1"\r\n`);
});
