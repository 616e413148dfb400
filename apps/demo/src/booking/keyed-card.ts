import { passesLuhn } from '@innkeep/core/values';

/** What the proxy's route for keyed-in cards takes. In memory for one request, never kept. */
export interface CardToKeyIn {
  readonly cardNo: string;
  /** `YYYY-MM-DD`: the last day of the month on the card. */
  readonly valid: string;
  readonly cvc?: string;
}

/** Field of the form → what to do about it. No text quotes what was typed. The names are ones that tools which redact know. */
export type CardErrors = Readonly<Partial<Record<'card_number' | 'expiry' | 'cvc', string>>>;

/** Reads the card fields of the telephone form. */
export function parseKeyedCard(
  form: Readonly<Record<string, string>>,
  today: string,
): { card: CardToKeyIn } | { errors: CardErrors } {
  const cardNo = (form.card_number ?? '').replaceAll(/[\s-]/g, '');
  const valid = endOfMonth((form.expiry ?? '').trim());
  const cvc = (form.cvc ?? '').trim();
  const errors: CardErrors = {
    ...(/^\d{12,19}$/.test(cardNo) && passesLuhn(cardNo) ? {} : { card_number: 'Check the card number.' }),
    ...(valid !== null && valid >= today ? {} : { expiry: 'Enter month and year as on the card, such as 12/31.' }),
    ...(cvc === '' || /^\d{3,4}$/.test(cvc) ? {} : { cvc: 'Enter the 3 or 4 digits, or leave it empty.' }),
  };
  if (valid === null || Object.keys(errors).length > 0) return { errors };
  return { card: { cardNo, valid, ...(cvc === '' ? {} : { cvc }) } };
}

/** `12/31` → `2031-12-31`. */
function endOfMonth(text: string): string | null {
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2]) ?\/? ?(?:20)?(\d\d)$/.exec(text) ?? [];
  if (month === '') return null;
  return new Date(Date.UTC(2000 + Number(year), Number(month), 0)).toISOString().slice(0, 10);
}
