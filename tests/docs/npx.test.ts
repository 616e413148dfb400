// npx runs whatever the registry has under a name that no package of the folder answers to: `innkeep` is a command, not a package.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'packages/create-innkeep/templates/**/*.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
});
/** How a folder gets the package: by an install, as a project of ours, or because the page is about such a folder. */
const HAS_IT =
  /^(?:\$ )?npm install(?: --save-dev)?(?: @innkeep\/.+)?$|^npm create innkeep \S+-proxy |`npm create`|folder of your deployment\]/m;

test('npx names a package of ours wherever no install precedes', () => {
  expect(PAGES.length).toBeGreaterThan(50);
  const wrong = PAGES.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const at = text.search(/\bnpx innkeep\b/);
    return at < 0 || HAS_IT.test(text.slice(0, at)) ? [] : [page];
  });
  expect(wrong).toEqual([]);
});
