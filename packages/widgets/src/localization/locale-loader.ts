/** Loads a language from beside this module. Bundlers see one file per language and load none before it is needed. */
import { inTime } from './in-time.ts';
import { localeNames } from './locale-names.ts';
import { messages as en } from './locales/en.ts';
import type { Messages } from './messages.ts';

const LOADERS: Readonly<Record<string, () => Promise<{ messages: Messages }>>> = {
  ar: () => import('./locales/ar.ts'),
  bg: () => import('./locales/bg.ts'),
  ca: () => import('./locales/ca.ts'),
  cs: () => import('./locales/cs.ts'),
  da: () => import('./locales/da.ts'),
  de: () => import('./locales/de.ts'),
  el: () => import('./locales/el.ts'),
  en: () => import('./locales/en.ts'),
  es: () => import('./locales/es.ts'),
  et: () => import('./locales/et.ts'),
  fa: () => import('./locales/fa.ts'),
  fi: () => import('./locales/fi.ts'),
  fr: () => import('./locales/fr.ts'),
  he: () => import('./locales/he.ts'),
  hi: () => import('./locales/hi.ts'),
  hr: () => import('./locales/hr.ts'),
  hu: () => import('./locales/hu.ts'),
  id: () => import('./locales/id.ts'),
  is: () => import('./locales/is.ts'),
  it: () => import('./locales/it.ts'),
  ja: () => import('./locales/ja.ts'),
  ko: () => import('./locales/ko.ts'),
  lt: () => import('./locales/lt.ts'),
  lv: () => import('./locales/lv.ts'),
  ms: () => import('./locales/ms.ts'),
  nb: () => import('./locales/nb.ts'),
  nl: () => import('./locales/nl.ts'),
  pl: () => import('./locales/pl.ts'),
  pt: () => import('./locales/pt.ts'),
  'pt-BR': () => import('./locales/pt-BR.ts'),
  ro: () => import('./locales/ro.ts'),
  ru: () => import('./locales/ru.ts'),
  sk: () => import('./locales/sk.ts'),
  sl: () => import('./locales/sl.ts'),
  sr: () => import('./locales/sr.ts'),
  sv: () => import('./locales/sv.ts'),
  th: () => import('./locales/th.ts'),
  tr: () => import('./locales/tr.ts'),
  uk: () => import('./locales/uk.ts'),
  vi: () => import('./locales/vi.ts'),
  'zh-Hans': () => import('./locales/zh-Hans.ts'),
  'zh-Hant': () => import('./locales/zh-Hant.ts'),
};

const own = new Map<string, Partial<Messages>>();

/** The languages there are. */
export const LOCALES: string[] = Object.keys(LOADERS);

/** The texts of one of {@link LOCALES}; English for a language that is the site's own. Rejects when they cannot be had in time. */
export async function loadLocale(locale: string): Promise<Messages> {
  // A language that a site has added may be a variant of one of ours.
  const load = localeNames(locale)
    .map((name) => LOADERS[name])
    .find(Boolean);
  return load ? (await inTime(load())).messages : en;
}

/**
 * Adds texts of the site's own to one language of every element: a few to override, or all of a language that is not
 * built in. Call it before the elements are drawn.
 *
 * @param tag - language as BCP 47 writes it: `de`, `pt-BR`
 * @param messages - the texts; what is missing is taken from the closest language that is built in, else from English
 * @example
 * ```ts
 * import { registerLocale } from '@innkeep/widgets';
 *
 * registerLocale('en', { payNow: 'Pay the deposit' });
 * ```
 */
export function registerLocale(tag: string, messages: Partial<Messages>): void {
  own.set(tag, { ...own.get(tag), ...messages });
  if (!LOCALES.includes(tag)) LOCALES.push(tag);
}

/** What a site has registered under these names; the last counts most. */
export function ownTexts(names: readonly string[]): (Partial<Messages> | undefined)[] {
  return names.toReversed().map((name) => own.get(name));
}
