import { currencyCodes, currencyExponent } from '@innkeep/core/values';
import { beforeEach, expect, vi } from 'vitest';
import { SECRET, view } from '../../test-support/fake-proxy.ts';
import { create, mount, part, proxy, settle, test } from '../../test-support/fixture.ts';
import { formatMoney, formatPercent, formatPlural } from './format.ts';
import { inTime } from './in-time.ts';
import { LOCALES, loadLocale, registerLocale } from './locale-loader.ts';
import { localeNames } from './locale-names.ts';
import { messages as en } from './locales/en.ts';

const languages = [...LOCALES];

beforeEach(() => {
  document.documentElement.removeAttribute('lang');
});

/** Waits for the texts of an element to be loaded. */
async function drawn(element: HTMLElement): Promise<void> {
  await expect.poll(() => part(element, 'skeleton')).toBeNull();
}

for (const locale of languages) {
  test(`${locale} has every text, its placeholders and plurals, none of English, and none twice where it matters`, async () => {
    const messages = await loadLocale(locale);
    expect(Object.keys(messages)).toEqual(Object.keys(en));

    for (const [key, value] of Object.entries(messages)) {
      if (typeof value !== 'string') continue;
      expect(value.trim(), key).toBe(value);
      expect(value, key).not.toBe('');
      expect(value.includes('{amount}'), key).toBe(key === 'pay');
      // A line that wraps would begin with the mark.
      expect(value, key).not.toMatch(/ [?!:;…]/);
    }
    const rules = new Intl.PluralRules(locale);
    for (let n = 1; n <= 60; n++) {
      expect(messages.minutesLeft[rules.select(n)], `plural for ${n}`).toBeTruthy();
      if (n > 2) expect(formatPlural(messages.minutesLeft, n, locale)).toContain(n.toLocaleString(locale));
    }

    const { failed, unknown, unknownHint, paid, canceled, expired } = messages;
    if (locale !== 'en') expect(unknownHint).not.toBe(en.unknownHint);
    expect(new Set([failed, unknown, paid, canceled, expired]).size).toBe(5);
  });
}

test('knows the digits of every currency as ISO 4217 has them', () => {
  for (const currency of currencyCodes()) {
    const digits = currencyExponent(currency) ?? 2;
    const text = formatMoney({ value: 10 ** digits, currency }, 'en').replace(/[^\d.]/g, '');
    expect(text, currency).toBe(digits ? `1.${'0'.repeat(digits)}` : '1');
  }
});

test('writes money and percent the way of the language', () => {
  expect(formatMoney({ value: 123456, currency: 'EUR' }, 'de')).toBe('1.234,56\u00A0€');
  expect(formatMoney({ value: 123456, currency: 'JPY' }, 'en')).toBe('¥123,456');
  expect(formatMoney({ value: 9007199254740991, currency: 'EUR' }, 'en')).toBe('€90,071,992,547,409.91');
  expect(formatPercent(1.25, 'fr')).toBe('1,25\u00A0%');
});

test.for([
  ['de-AT', 'de'],
  ['zh-TW', 'zh-Hant'],
  ['zh', 'zh-Hans'],
  ['no', 'nb'],
  ['iw', 'he'],
  ['pt-AO', 'pt'],
  ['pt-BR', 'pt-BR'],
  ['en-GB', 'en'],
  ['de_DE', 'de'],
  ['sr-Cyrl-ME', 'sr'],
  ['sr-Latn', undefined],
  ['hi-Latn', undefined],
])('finds the texts for %s in %s', ([tag, locale]) => {
  expect(localeNames(tag ?? '').find((name) => languages.includes(name))).toBe(locale);
});

test('tears no amount and no label apart on the smallest phone', async () => {
  const amount = { value: 350_000_000, currency: 'IDR' };
  proxy.current = view({ amount });
  const element = await mount('pay-widget', { clientSecret: SECRET, locale: 'id' });
  element.style.cssText = 'inline-size: 296px; font-family: monospace';
  await drawn(element);
  const linesOf = (selector: string) =>
    Array.from(element.shadowRoot?.querySelectorAll(selector) ?? [], (each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getClientRects().length;
    });
  expect(linesOf('.amount')).toEqual([1]);

  const surcharge = { amount: { value: 5_250_000, currency: 'IDR' }, percent: 1.5 };
  const receipt = { base: amount, surcharge, total: amount, maskedCard: null, completedAt: '2026-11-21T10:00:00Z' };
  proxy.moveTo('succeeded', { receipt });
  await element.resume();
  await settle();
  expect(linesOf('dt, .row:not(:last-child) bdi, .badge')).toEqual(Array(10).fill(1));
});

test('speaks the language of its attribute, else of the nearest lang, across shadow roots, else of the page', async () => {
  const button = async (element: HTMLElement): Promise<string> => {
    await drawn(element);
    return part(element, 'button')?.textContent?.trim() ?? '';
  };
  document.documentElement.lang = 'fr';
  const fromPage = await mount('pay-widget', { clientSecret: SECRET, locale: undefined });
  expect(await button(fromPage)).toBe('Payer 120,00\u00A0€');

  const outer = document.createElement('div');
  outer.lang = 'de-AT';
  const inner = outer.attachShadow({ mode: 'open' });
  document.body.append(outer);
  const fromNearest = create('pay-widget', { clientSecret: SECRET, locale: undefined });
  inner.append(fromNearest);
  await settle();
  expect(await button(fromNearest)).toContain('bezahlen');

  for (const tag of ['ckb', 'sd', 'ks', 'az-Arab', 'uz-AF', 'dv']) registerLocale(tag, en);
  for (const locale of ['ar', 'de', 'iw', 'FA-IR', 'ckb', 'sd', 'ks', 'az-Arab', 'uz-AF', 'dv']) {
    fromNearest.locale = locale;
    await expect
      .poll(() => [part(fromNearest, 'base')?.lang, part(fromNearest, 'base')?.dir])
      .toEqual([locale, locale === 'de' ? 'ltr' : 'rtl']);
  }
});

test('waits five seconds for a language', async () => {
  vi.useFakeTimers();
  try {
    const late = expect(inTime(new Promise(() => {}))).rejects.toThrow('late');
    const early = inTime(new Promise((resolve) => setTimeout(resolve, 4_900, 'here')));
    await vi.advanceTimersByTimeAsync(5_000);
    await late;
    expect(await early).toBe('here');
  } finally {
    vi.useRealTimers();
  }
});

test('changes with the page’s language, and leaves the focus where it is', async () => {
  document.documentElement.lang = 'en';
  const element = await mount('pay-widget', { clientSecret: SECRET, locale: undefined });
  const button = part(element, 'button');
  button?.focus();
  // No other test speaks it: its texts are loaded now.
  document.documentElement.lang = 'fi';
  await settle();
  expect(button?.textContent).toContain('Pay €120.00');
  await expect.poll(() => part(element, 'base')?.lang).toBe('fi');
  expect(button?.textContent).toContain('Maksa');
  expect(element.shadowRoot?.activeElement).toBe(button);
});

test('shows what comes on a page that the browser translates', async () => {
  const element = await mount('pay-widget');
  // As Firefox does it: texts are put back without the comments between which Lit draws.
  for (const each of element.shadowRoot?.querySelectorAll(':not([translate=no], [translate=no] *)') ?? [])
    each.replaceChildren(...[...each.childNodes].filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE));
  proxy.moveTo('unknown');
  await element.resume();
  await settle();

  expect(part(element, 'title')?.textContent).toBe(en.unknown);
  expect(part(element, 'live')?.textContent).toContain(en.unknownHint);
});

test('takes a tag that is written with an underscore', async () => {
  const element = await mount('pay-widget', { clientSecret: SECRET, locale: 'pt_BR' });
  await drawn(element);
  expect(part(element, 'base')?.lang).toBe('pt-BR');
  expect(part(element, 'button')?.textContent?.trim()).toBe('Pagar €\u00A0120,00');
});

test.for([
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['no', 'nb'],
  ['pt-AO', 'pt'],
] as const)('takes from %s, which a site has added to, what is missing from %s', async ([tag, locale]) => {
  registerLocale(tag, { payNow: 'Own' });
  expect(await loadLocale(tag)).toBe(await loadLocale(locale));
});

test('lets a site change any text, for one element or for a language, also one that is not built in', async () => {
  const one = await mount('pay-widget', { clientSecret: SECRET, messages: { pay: 'Deposit {amount}' } });
  expect(part(one, 'button')?.textContent).toContain('Deposit €120.00');

  registerLocale('en-IE', { pay: 'Pay {amount} so' });
  const irish = await mount('pay-widget', { clientSecret: SECRET, locale: 'en-IE' });
  await drawn(irish);
  expect(part(irish, 'button')?.textContent).toContain('Pay €120.00 so');
  expect(part(irish, 'notes')?.textContent).toContain(en.secure);

  registerLocale('ga', { ...en, pay: 'Íoc {amount}' });
  const gaelic = await mount('pay-widget', { clientSecret: SECRET, locale: 'ga' });
  await drawn(gaelic);
  expect(part(gaelic, 'button')?.textContent).toContain('Íoc');
  expect(part(gaelic, 'base')?.lang).toBe('ga');
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['what is no plural', {}],
])('takes the language’s own text where a translation helper gives %s', async (_, none) => {
  registerLocale('en-NZ', { secure: 'Kia ora' });
  registerLocale('en-NZ', { pay: none, unknown: none } as never);
  proxy.current = view({ expiresAt: new Date(Date.now() + 100_000).toISOString() });
  const messages = { pay: none, secure: none, minutesLeft: none } as never;
  const widget = await mount('pay-widget', { clientSecret: SECRET, locale: 'en-NZ', messages });
  await drawn(widget);
  expect(part(widget, 'button')?.textContent).toContain('Pay €120.00');
  expect(part(widget, 'notes')?.textContent).toMatch(/2 minutes left\s*Kia ora/);
  widget.messages = { minutesLeft: { other: '{n} min', one: none, few: none } } as never;
  await settle();
  expect(part(widget, 'time-left')?.textContent).toBe('2 min');
  proxy.moveTo('unknown');
  await widget.resume();
  await settle();
  expect(part(widget, 'title')?.textContent).toBe(en.unknown);
});
