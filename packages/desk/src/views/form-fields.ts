/** The fields of a form, and what is wrong with what was typed into them. */
import type { Values } from '../controllers/draft.ts';
import { holdsCard } from '../values/card-number.ts';
import { type Format, fill } from './format.ts';

/** The longest reference that the proxy takes. */
const MAX_REFERENCE = 64;

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'amount' | 'text' | 'area' | 'select';
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly options?: readonly (readonly [value: string, label: string])[];
}

/** The amount, and its currency where there is a choice. */
export function amountFields(currencies: readonly string[], { texts }: Format): readonly Field[] {
  const [only] = currencies;
  const amount = {
    name: 'amount',
    label: only && currencies.length === 1 ? fill(texts.amountIn, { currency: only }) : texts.amount,
    type: 'amount',
  } as const;
  if (currencies.length === 1) return [amount];
  const currency = { name: 'currency', label: texts.currency };
  return [
    amount,
    currencies.length === 0
      ? { ...currency, type: 'text', hint: texts.currencyHint }
      : { ...currency, type: 'select', options: currencies.map((each) => [each, each] as const) },
  ];
}

/** A choice of reasons, in the order in which the texts have them. */
export function reasonField(reasons: Readonly<Record<string, string>>, { texts }: Format): Field {
  const options = [['', texts.choose] as const, ...Object.entries(reasons)];
  return { name: 'reason', label: texts.reason, type: 'select', options };
}

/** What the proxy would refuse of what was typed, by field. */
export function fieldErrors(
  fields: readonly Field[],
  values: Values,
  { texts }: Format,
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { name, type, isOptional } of fields) {
    const text = values[name]?.trim() ?? '';
    // An amount has a check of its own.
    if (!text && !isOptional && type !== 'amount') errors[name] = type === 'select' ? texts.chooseOne : texts.fillIn;
    else if (type !== 'amount' && holdsCard(text)) errors[name] = texts.refused;
    else if (name === 'reference' && text.length > MAX_REFERENCE) errors[name] = texts.tooLong;
  }
  return errors;
}

/** What is sent of what was typed: without blanks around it, and without what was left empty. */
export function typed(names: readonly string[], values: Values): object {
  return Object.fromEntries(names.map((name) => [name, values[name]?.trim() || undefined]));
}
