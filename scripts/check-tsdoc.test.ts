import { expect, it } from 'vitest';
import { findUndocumented } from './check-tsdoc.ts';

function names(source: string): readonly string[] {
  return findUndocumented('a.ts', source).map(({ line, message }) => `${line} ${message}`);
}

it('accepts what has a sentence, and what is not exported', () => {
  expect(
    names(
      '/** One. */\nexport const one = 1;\nconst two = 2;\n/** Three. */\nexport interface Three {}\nexport { two };',
    ),
  ).toEqual([]);
});

it.each([
  ['a constant', 'export const one = 1;', '1 one has no TSDoc'],
  ['a function', '// Adds.\nexport function add() {}', '2 add has no TSDoc'],
  [
    'a class under a comment about the module',
    '/** Module. */\nimport a from "a";\nexport class One {}',
    '3 One has no TSDoc',
  ],
  ['a type', 'export type One = 1;', '1 One has no TSDoc'],
])('finds %s without one', (_, source, problem) => {
  expect(names(source)).toEqual([problem]);
});

it('looks past a remark to a tool in between', () => {
  expect(names('/** One. */\n// biome-ignore lint/x/y: because\nexport type One = void;')).toEqual([]);
});

it('lets the first overload speak for all', () => {
  expect(
    names(
      '/** Adds. */\nexport function add(a: 1): 1;\nexport function add(a: 2): 2;\nexport function add(a: number) { return a; }',
    ),
  ).toEqual([]);
});

it('lets a row of a table speak for itself', () => {
  expect(names("export const slow = { name: 'slow', description: 'Answers take 3 seconds.' };")).toEqual([]);
});

it('lets the comment at the top of a file speak for its only export, unless that is a class', () => {
  expect(names('/** German. */\nimport a from "a";\nexport const messages = a;')).toEqual([]);
  expect(names('/** German. */\nimport a from "a";\nexport const messages = a;\nexport const more = a;')).toHaveLength(
    2,
  );
});
