/**
 * Values that mean the same everywhere: money, hotel-local time, masked cards, redaction.
 *
 * Import path: `@innkeep/core/values`. Holds no secret and touches no network.
 *
 * @module
 */
export { addressGroups, isInRanges } from './address-range.ts';
export { type CardBrand, cardBrand } from './card-brand.ts';
export {
  blankCardNumbers,
  type CardMask,
  type CardNumberRule,
  type CardNumberSearch,
  cardNumberSpans,
  holdsCardNumber,
  isIssued,
  maskCardNumber,
  parseCardMask,
  passesLuhn,
} from './card-mask.ts';
export { currencyCodes, currencyExponent, minorUnitDigits } from './currencies.ts';
export {
  type Disambiguation,
  fromLocalDateTime,
  toLocalDateTime,
} from './local-date-time.ts';
export { type AmountUnit, Money, type MoneyJson } from './money.ts';
export { redactJson, redactText, redactUrl } from './redact.ts';
export { REDACTED, Redacted } from './redacted.ts';
export { isAddressLiteral, isLocalNetworkHost, isLoopbackHost, isOrigin, parseHttpUrl } from './web-address.ts';
export { toWireAmount } from './wire-amount.ts';
