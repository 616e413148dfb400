import { expect, test } from 'vitest';
import { codeRegions } from './code-regions.ts';

test('takes what stands between the marks, at the left margin, with its line', () => {
  const source = ['const a = 1;', '  // #region pay', '  if (a) {', '', '    pay();', '  }', '  // #endregion', 'b();'];
  expect(codeRegions(source.join('\n'))).toEqual([{ name: 'pay', line: 3, code: 'if (a) {\n\n  pay();\n}' }]);
});

test('takes several regions of one file', () => {
  const source = '// #region a\n1\n// #endregion\n// #region b-c\n2\n// #endregion\n';
  expect(codeRegions(source).map(({ name }) => name)).toEqual(['a', 'b-c']);
});

test.each([
  ['never ends', '// #region a\n1\n', 'region "a" never ends'],
  ['never began', '1\n// #endregion\n', 'line 2 ends a region that never began'],
  ['is nested', '// #region a\n// #region b\n', 'region "b" begins inside region "a"'],
  ['is empty', '// #region a\n\n// #endregion\n', 'region "a" is empty'],
])('refuses a region that %s', (_how, source, message) => {
  expect(() => codeRegions(source)).toThrow(message);
});
