// Where the project is kept, talked about and paid for is said once, in the package.json of this folder: repository, homepage, bugs and
// funding. Every package that is published gets it from there.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const ROOT = import.meta.dirname;

/** @param {Record<string, unknown>} manifest @param {string} folder */
function beforePacking(manifest, folder) {
  const { repository, homepage, bugs, funding } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const own = typeof repository === 'string' ? { type: 'git', url: repository } : repository;
  return {
    ...manifest,
    ...(own && { repository: { ...own, directory: relative(ROOT, folder) } }),
    ...(homepage && { homepage }),
    ...(bugs && { bugs }),
    ...(funding && { funding }),
  };
}

export const hooks = { beforePacking };
