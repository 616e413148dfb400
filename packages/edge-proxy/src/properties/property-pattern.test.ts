import { expect, it } from 'vitest';
import { isCovered } from './property-pattern.ts';

it.each<[string, string[], boolean]>([
  ['aurora', ['aurora'], true],
  ['aurora', ['auror'], false],
  ['aurora', ['aurora_2'], false],
  ['aurora', ['*'], true],
  ['alpine_1', ['alpine_*'], true],
  ['alpine_', ['alpine_*'], true],
  ['alpine', ['alpine_*'], false],
  ['xalpine_1', ['alpine_*'], false],
  ['alpineA1', ['alpine_*'], false],
  ['borealis', ['aurora', 'bor*'], true],
  ['borealis', [], false],
])('%s with %j: %s', (id, patterns, isMeant) => {
  expect(isCovered(id, patterns)).toBe(isMeant);
});
