import { expect, test } from 'vitest';
import { tableWidths } from './table-widths.ts';

const LONG = 'a sentence that is too long for a column of its own width';

test('a column of short texts is as wide as the longest, one of sentences takes what is left', () => {
  expect(
    tableWidths([
      ['Code', 'Meaning'],
      ['declined', LONG],
      ['x', LONG],
    ]),
  ).toEqual({
    columns: [6.5, undefined],
    least: 17.25,
  });
});

test('a row that is shorter or empty changes nothing', () => {
  expect(tableWidths([['one', 'two'], ['three']])).toEqual({ columns: [4.75, 3.75], least: 8.5 });
  expect(tableWidths([])).toEqual({ columns: [], least: 0 });
});
