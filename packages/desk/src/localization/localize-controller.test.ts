import { expect } from 'vitest';
import { mount, one, settle, test, textOf } from '../../test-support/fixture.ts';
import { messages } from './locales/en.ts';

test('writes in the direction of the script that a tag stands for', async () => {
  const tags = { rtl: ['ar', 'fa-IR', 'he', 'dv', 'ckb', 'sd', 'ks', 'uz-Arab'], ltr: ['ks-Deva', 'ar-Latn', 'de'] };
  for (const [dir, locales] of Object.entries(tags)) {
    for (const locale of locales) {
      const list = await mount('payments-list', { locale, messages });
      expect([locale, one(list, '.base').dir]).toEqual([locale, dir]);
    }
  }
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
