import { parseAccept } from 'hono/utils/accept';

/** Languages of the pages; the first is the fallback. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** Language and region of a tag, whatever is between or after them. */
const TAG = /^([a-z]+)(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-|$)/i;

/** More than any browser sends. Reading more would make everybody wait. */
const LONGEST_HEADER = 1_000;

/** The best language for an `Accept-Language` header; `locale` also names the guest's region, which decides how figures are written. */
export function chooseLanguage(header = ''): { readonly language: Language; readonly locale: string } {
  for (const { type, q } of parseAccept(header.slice(0, LONGEST_HEADER))) {
    const [, wanted, region] = TAG.exec(type) ?? [];
    const language = LANGUAGES.find((each) => each === wanted?.toLowerCase());
    if (language === undefined || q <= 0) continue;
    return { language, locale: region === undefined ? language : `${language}-${region.toUpperCase()}` };
  }
  return { language: 'en', locale: 'en' };
}
