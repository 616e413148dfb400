import { expect } from 'vitest';
import { mount, one, settle, test, textOf } from '../../test-support/fixture.ts';
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

test('shows what comes on a page that the browser translates', async () => {
  const list = await mount('payments-list', { locale: 'en' });
  // As Firefox does it: texts are put back without the comments between which Lit draws.
  for (const each of list.renderRoot.querySelectorAll(':not([translate=no], [translate=no] *)'))
    each.replaceChildren(...[...each.childNodes].filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE));
  list.locale = 'de';
  await settle();
  expect(one(list, 'h2').textContent).toBe('Heute');
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
])('takes the language’s own text where a translation helper gives %s', async (_, none) => {
  const messages = {
    statuses: none,
    search: none,
    kinds: { card: none, reversal: 'Zurück', later: 'Später' },
  } as never;
  const list = await mount('payments-list', { locale: 'de', messages });
  expect(textOf(list)).toContain('Suche');
  expect(textOf(list)).toMatch(/Zahlungen ?Zurück ?Hinterlegte Karten .*Bezahlt/);
});
