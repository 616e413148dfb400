import { expect } from 'vitest';
import { mount, one, test } from '../../test-support/fixture.ts';
import { messages } from './locales/en.ts';

test.each([
  ['ar', 'rtl'],
  ['fa-IR', 'rtl'],
  ['he', 'rtl'],
  ['dv', 'rtl'],
  ['ckb', 'rtl'],
  ['sd', 'rtl'],
  ['ks', 'rtl'],
  ['uz-Arab', 'rtl'],
  ['ks-Deva', 'ltr'],
  ['ar-Latn', 'ltr'],
  ['de', 'ltr'],
])('writes %s %s', async (locale, dir) => {
  const list = await mount('payments-list', { locale, messages });
  expect(one(list, '.base').dir).toBe(dir);
});
