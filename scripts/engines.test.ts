import { afterEach, expect, it, vi } from 'vitest';
import { findFirefox, findWebKit } from './engines.ts';

afterEach(() => vi.unstubAllEnvs());

it('takes the Firefox that is named', () => {
  vi.stubEnv('FIREFOX_PATH', process.execPath);
  expect(findFirefox()).toBe(process.execPath);
});

it('refuses a name that leads nowhere', () => {
  vi.stubEnv('FIREFOX_PATH', '/nowhere/firefox');
  expect(findFirefox).toThrow('FIREFOX_PATH is set to "/nowhere/firefox"');
});

it('finds no WebKit where nothing can drive it', () => {
  vi.stubEnv('PATH', '/nowhere');
  expect(findWebKit()).toBeUndefined();
});
