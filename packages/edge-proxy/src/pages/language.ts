/** Which language a page is in. */

/** Languages of the pages; the first is the fallback. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** The best language for an `Accept-Language` header. */
export function chooseLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.trim().split(';');
      const quality = /^\s*q=([\d.]+)\s*$/.exec(parameters.join(';'))?.[1];
      return { language: tag.toLowerCase().split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality);
  for (const { language } of wanted) {
    const known = LANGUAGES.find((candidate) => candidate === language);
    if (known !== undefined) return known;
  }
  return 'en';
}
