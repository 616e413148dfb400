import { afterEach, expect, it, vi } from 'vitest';
import { findFirefox, findWebKit } from './engines.ts';
import { findPhp, requirePhp } from './php.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['FIREFOX_PATH', findFirefox],
  ['PHP_PATH', findPhp],
])('takes what %s names, and refuses a name that leads nowhere', (variable, find) => {
  vi.stubEnv(variable, process.execPath);
  expect(find()).toBe(process.execPath);
  vi.stubEnv(variable, '/nowhere/tool');
  expect(find).toThrow(`${variable} is set to "/nowhere/tool"`);
});

it('finds no WebKit where nothing can drive it, and says what to install where there is no PHP', () => {
  vi.stubEnv('PATH', '/nowhere');
  vi.stubEnv('PHP_PATH', '');
  expect(findWebKit()).toBeUndefined();
  expect(requirePhp).toThrow(/apt-get install php-cli/);
});
