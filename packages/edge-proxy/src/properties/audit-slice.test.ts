import { expect, test } from 'vitest';
import type { AuditRow } from './audit-row.ts';
import { type AuditSlice, inOrder, isInSlice } from './audit-slice.ts';

const SLICE: AuditSlice = { from: 10, to: 20, cursor: null, isAscending: true, limit: 10 };
const row = (at: number, id: string) => ({ at, id }) as AuditRow;

test.each([
  ['before it begins', row(9, 'au_a'), {}, false],
  ['as it begins', row(10, 'au_a'), {}, true],
  ['just before it ends', row(19, 'au_a'), {}, true],
  ['as it ends', row(20, 'au_a'), {}, false],
  ['after the cursor', row(15, 'au_c'), { cursor: row(15, 'au_b') }, true],
  ['the cursor itself', row(15, 'au_b'), { cursor: row(15, 'au_b') }, false],
  ['before the cursor', row(15, 'au_a'), { cursor: row(15, 'au_b') }, false],
  ['earlier than the cursor', row(14, 'au_z'), { cursor: row(15, 'au_b') }, false],
  ['earlier than the cursor, newest first', row(14, 'au_z'), { cursor: row(15, 'au_b'), isAscending: false }, true],
  ['after the cursor, newest first', row(15, 'au_c'), { cursor: row(15, 'au_b'), isAscending: false }, false],
  ['the cursor itself, newest first', row(15, 'au_b'), { cursor: row(15, 'au_b'), isAscending: false }, false],
])('an entry %s', (_where, entry, slice: Partial<AuditSlice>, isIn) => {
  expect(isInSlice(entry, { ...SLICE, ...slice })).toBe(isIn);
});

test('what several places gave is in the order of time, then of ids, no more than is wanted', () => {
  const rows = [row(12, 'au_b'), row(11, 'au_c'), row(12, 'au_a'), row(13, 'au_a')];
  const order = (slice: Partial<AuditSlice>) => inOrder(rows, { ...SLICE, ...slice }).map(({ at, id }) => `${at}${id}`);
  expect(order({})).toEqual(['11au_c', '12au_a', '12au_b', '13au_a']);
  expect(order({ isAscending: false })).toEqual(['13au_a', '12au_b', '12au_a', '11au_c']);
  expect(order({ limit: 2 })).toEqual(['11au_c', '12au_a']);
  expect(rows[0]).toEqual(row(12, 'au_b'));
});
