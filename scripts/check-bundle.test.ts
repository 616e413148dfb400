import { expect, it } from 'vitest';
import { bundle, findBundleProblems } from './check-bundle.ts';

const MADE = {
  name: 'checkout',
  text: 'fetch(a+"/v1/checkout")',
  words: ['access_token', '/login'],
  mayContain: /^browser\//,
};

it('accepts a bundle of what it may contain', () => {
  expect(findBundleProblems({ ...MADE, modules: ['browser/index.js'] })).toEqual([]);
});

it('finds a forbidden word, and not a part of a longer one', () => {
  const found = (text: string): readonly string[] => findBundleProblems({ ...MADE, text, modules: [] });
  expect(found('fetch(a+"/login")')).toEqual(['checkout contains the word “/login”']);
  expect(found('b.access_tokens')).toEqual([]);
});

it('finds a forbidden module', () => {
  expect(findBundleProblems({ ...MADE, modules: ['server/login.js'] })).toEqual([
    'checkout contains the module server/login.js',
  ]);
});

it('refuses an empty bundle', () => {
  expect(findBundleProblems({ ...MADE, text: '', modules: [] })).toHaveLength(1);
});

it.each(['packages/core/dist/auth/access-token.js', 'packages/core/dist/operations/login.js'])(
  'lets no browser have %s',
  async (entry) => {
    expect(findBundleProblems(await bundle(entry, []))).toContainEqual(expect.stringContaining(entry));
  },
);
