import { isInnkeepError } from '@innkeep/core/errors';
import { Money, type MoneyJson } from '@innkeep/core/values';
import { usageError } from '../failures/cli-error.ts';

/** The two flags that name an amount. */
export interface AmountFlags {
  /** `['120.00', 'EUR']`, `['120.00 EUR']` or `['120.00']`. */
  readonly amount?: readonly string[] | undefined;
  readonly currency?: string | undefined;
}

/** How an amount is written, for messages. */
export const AMOUNT_FORM = '--amount 120.00 EUR';

/**
 * Reads `--amount 120.00 EUR`, `--amount "120.00 EUR"` or `--amount 120.00 --currency EUR`; undefined without `--amount`.
 *
 * @param form how messages say that it is written
 * @throws `usage` for anything that is not an exact positive amount of a known currency
 */
export function parseAmount({ amount, currency }: AmountFlags, form: string = AMOUNT_FORM): MoneyJson | undefined {
  const [option = ''] = form.split(' ', 1);
  if (amount === undefined) {
    if (currency === undefined) return undefined;
    throw usageError('--currency was given without --amount.', `Write the amount as ${form}`);
  }
  const [decimal = '', code = currency, ...rest] = amount.join(' ').trim().split(/\s+/);
  const written = amount.join(' ');
  if (rest.length > 0 || code === undefined) {
    const what = rest.length > 0 ? 'is more than an amount and a currency' : 'has no currency';
    throw usageError(`${option}: “${written}” ${what}.`, `Write it as ${form}`);
  }
  if (currency !== undefined && currency.toUpperCase() !== code.toUpperCase()) {
    throw usageError(`--amount says ${code}, --currency says ${currency}.`, 'Name the currency once.');
  }
  try {
    const money = Money.parse(decimal, code.toUpperCase());
    if (money.minor > 0n) return money.toJSON();
  } catch (error) {
    if (!isInnkeepError(error, 'invalid_input')) throw error;
    throw usageError(
      `${option}: “${written}” cannot be read. ${error.message}`,
      `Write it as ${form}, with a point and without thousands separators.`,
    );
  }
  throw usageError(`${option}: “${written}” is not more than zero.`, `Write it as ${form}`);
}
