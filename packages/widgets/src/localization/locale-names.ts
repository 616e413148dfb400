/**
 * Names under which texts for a language tag may be kept: the tag itself as BCP 47 writes it, then the closest first; none for
 * anything that is not a language tag.
 */
export function localeNames(wish: string): string[] {
  try {
    const tag = wish.replaceAll('_', '-');
    // Likely subtags make `zh-TW` find `zh-Hant`, and canonical ones `iw` find `he`.
    const { language, script, region } = new Intl.Locale(tag).maximize();
    const inScript = `${language}-${script}`;
    // Texts in another script than the language's usual one are others: `sr-Latn` does not find `sr`.
    const shortest = new Intl.Locale(inScript).minimize().baseName;
    return [tag, `${language}-${region}`, inScript, shortest === 'no' ? 'nb' : shortest];
  } catch {
    return [];
  }
}
