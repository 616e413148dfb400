/** Which language a page is in. */
import { parseAccept } from 'hono/utils/accept';

/** Languages of the pages; the first is the fallback. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** The best language for an `Accept-Language` header. */
export function chooseLanguage(header = ''): Language {
  for (const { type, q } of parseAccept(header)) {
    const [wanted] = type.toLowerCase().split('-');
    const known = LANGUAGES.find((language) => language === wanted);
    if (known !== undefined && q > 0) return known;
  }
  return 'en';
}
