import { afterEach, expect, it, vi } from 'vitest';
import { findPhp, requirePhp } from './php.ts';

afterEach(() => vi.unstubAllEnvs());

it('takes the PHP that is named', () => {
  vi.stubEnv('PHP_PATH', process.execPath);
  expect(findPhp()).toBe(process.execPath);
});

it('refuses a name that leads nowhere', () => {
  vi.stubEnv('PHP_PATH', '/nowhere/php');
  expect(findPhp).toThrow('PHP_PATH is set to "/nowhere/php"');
});

it('says what to install where there is none', () => {
  vi.stubEnv('PHP_PATH', '');
  vi.stubEnv('PATH', '/nowhere');
  expect(requirePhp).toThrow(/apt-get install php-cli/);
});
