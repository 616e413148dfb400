// ISO 4217 by hand: Intl's digits are display conventions, differ between engines and change with their releases.

/** Currencies whose minor unit is not a hundredth, by its digits. */
const OTHER_DIGITS: ReadonlyMap<string, number> = new Map(
  ['BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF', '', '', 'BHDIQDJODKWDLYDOMRTND', 'CLFUYW'].flatMap(
    (codes, digits) => codesIn(codes).map((code) => [code, digits] as const),
  ),
);

// Withdrawn codes that old records may still have come last: ANG BGN CUC HRK SLL ZWL.
const WITH_HUNDREDTHS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ codesIn(
    'AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCNYCOPCOUCRCCUPCVECZKDKKDOPDZDEGP' +
      'ERNETBEURFJDFKPGBPGELGHSGIPGMDGTQGYDHKDHNLHTGHUFIDRILSINRIRRJMDKESKGSKHRKPWKYDKZTLAKLBPLKRLRDLSLMADMDLMGAMKDMMKMNT' +
      'MOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDPABPENPGKPHPPKRPLNQARRONRSDRUBSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVC' +
      'SYPSZLTHBTJSTMTTOPTRYTTDTWDTZSUAHUSDUSNUYUUZSVEDVESWSTXADXCDXCGYERZARZMWZWGANGBGNCUCHRKSLLZWL',
  ),
);

/** Digits of the minor unit, by ISO 4217, of a known currency. */
export function minorUnitDigits(currency: string): number {
  return OTHER_DIGITS.get(currency) ?? 2;
}

/**
 * Number of decimal digits between a currency's major and minor unit by ISO 4217, or `undefined` for a text that is not
 * the code of a currency in capitals.
 */
export function currencyExponent(currency: string): number | undefined {
  return OTHER_DIGITS.has(currency) || WITH_HUNDREDTHS.has(currency) ? minorUnitDigits(currency) : undefined;
}

/** Every currency code that {@link currencyExponent} knows, in no particular order. */
export function currencyCodes(): string[] {
  return [...OTHER_DIGITS.keys(), ...WITH_HUNDREDTHS];
}

function codesIn(codes: string): readonly string[] {
  return codes.match(/.{3}/g) ?? [];
}
