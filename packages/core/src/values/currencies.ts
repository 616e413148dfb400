// ISO 4217 by hand: Intl's digits are display conventions, differ between engines and change with their releases.

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  [
    'BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF',
    '',
    // Withdrawn codes that old records may still have come last: ANG BGN CUC HRK SLL ZWL.
    'AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCNYCOPCOUCRCCUPCVECZKDKKDOPDZDEGP' +
      'ERNETBEURFJDFKPGBPGELGHSGIPGMDGTQGYDHKDHNLHTGHUFIDRILSINRIRRJMDKESKGSKHRKPWKYDKZTLAKLBPLKRLRDLSLMADMDLMGAMKDMMKMNT' +
      'MOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDPABPENPGKPHPPKRPLNQARRONRSDRUBSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVC' +
      'SYPSZLTHBTJSTMTTOPTRYTTDTWDTZSUAHUSDUSNUYUUZSVEDVESWSTXADXCDXCGYERZARZMWZWGANGBGNCUCHRKSLLZWL',
    'BHDIQDJODKWDLYDOMRTND',
    'CLFUYW',
  ].flatMap((codes, exponent) => (codes.match(/.{3}/g) ?? []).map((code) => [code, exponent] as const)),
);

/**
 * Number of decimal digits between a currency's major and minor unit by ISO 4217, or `undefined` for a text that is not
 * the code of a currency in capitals.
 */
export function currencyExponent(currency: string): number | undefined {
  return EXPONENTS.get(currency);
}

/** Every currency code that {@link currencyExponent} knows, in no particular order. */
export function currencyCodes(): string[] {
  return [...EXPONENTS.keys()];
}
