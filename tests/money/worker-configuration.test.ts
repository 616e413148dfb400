import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the two worker configurations differ in their entry, their description and in nothing else', () => {
  const lines = (path: string): string[] =>
    read(path)
      .split('\n')
      .filter((line) => !/^\s*\/\//.test(line));
  const [plain, moto] = [lines('packages/edge-proxy/wrangler.jsonc'), lines('packages/edge-proxy/wrangler.moto.jsonc')];
  const swapped = moto.map((line) =>
    line.replace('dist/bundle-moto/worker-moto.js', 'dist/bundle/worker.js').replace('dist/assets-moto', 'dist/assets'),
  );
  expect(swapped).toEqual(plain);
  expect(moto).not.toEqual(plain);
});
