import { parseCardMask } from '@innkeep/core/values';

const BRANDS: ReadonlyArray<readonly [start: RegExp, name: string]> = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2[2-7])/, 'Mastercard'],
  [/^3[47]/, 'American Express'],
  [/^35/, 'JCB'],
  [/^3[068]/, 'Diners Club'],
];

/** The brand by the first digits that a masked number shows; `Card` when they are not known here. */
export function brandOf(maskedCard: string): string {
  const first = parseCardMask(maskedCard)?.first ?? '';
  return BRANDS.find(([start]) => start.test(first))?.[1] ?? 'Card';
}

/** `424242......4242` → `•••• 4242`: how guests recognize their card. */
export function shortCard(maskedCard: string): string {
  const last4 = parseCardMask(maskedCard)?.last4;
  return last4 === undefined ? maskedCard : `•••• ${last4}`;
}
