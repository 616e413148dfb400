import { InvalidInputError } from '../errors.ts';
import { currencyExponent } from './currencies.ts';
import { type AmountUnit, Money, type MoneyJson } from './money.ts';

/** Returns money, even if another copy of this package made it. @throws `invalid_input` naming `amount` */
export function requireMoney(amount: Money): Money {
  const { minor, currency } = Object(amount) as Partial<Money>;
  if (typeof minor !== 'bigint' || typeof currency !== 'string') {
    throw new InvalidInputError('amount', 'amount must be Money, for example Money.parse("120.00", "EUR").');
  }
  return Money.ofMinor(minor, currency);
}

/** Money that storage has turned into a plain object, or its JSON form. @throws `invalid_input` */
export function reviveMoney(amount: Money | MoneyJson): Money {
  return 'value' in Object(amount) ? Money.fromJSON(amount as MoneyJson) : requireMoney(amount as Money);
}

/**
 * Writes an amount as the upstream's integer digits.
 *
 * @throws `invalid_input` when the amount is not above zero, or the unit cannot express it
 * @see upstream API, section "Payment request"
 */
export function toWireAmount(amount: Money, unit: AmountUnit): string {
  if (amount.minor <= 0n) throw new InvalidInputError('amount', 'The amount must be above zero.');
  if (unit === 'minor') return amount.minor.toString();
  const scale = 10n ** BigInt(amount.exponent);
  if (amount.minor % scale !== 0n) {
    throw new InvalidInputError(
      'amount',
      `${amount} cannot be sent: this upstream takes whole ${amount.currency} only.`,
    );
  }
  return (amount.minor / scale).toString();
}

/** Major amounts past this many minor units cannot be told apart once they were a JSON number. */
const MAX_EXACT_SCALED = 1e15;

/**
 * Reads the upstream's JSON number as money, or `undefined` when it is not exactly an amount of that currency.
 * A binary fraction such as 123.69999999999999 is the amount it stands for; 1.005 EUR is not an amount.
 */
export function fromWireAmount(value: unknown, currency: string, unit: AmountUnit): Money | undefined {
  const exponent = currencyExponent(currency);
  if (typeof value !== 'number' || exponent === undefined || value < 0) return undefined;
  if (unit === 'minor') return Number.isSafeInteger(value) ? Money.ofMinor(BigInt(value), currency) : undefined;
  const scaled = value * 10 ** exponent;
  const rounded = Math.round(scaled);
  if (!(rounded < MAX_EXACT_SCALED)) return undefined;
  // An absolute slack catches half-cents; the relative one allows for the rounding of the multiplication itself.
  const slack = Math.max(1e-6, scaled * 2 * Number.EPSILON);
  return Math.abs(scaled - rounded) <= slack ? Money.ofMinor(BigInt(rounded), currency) : undefined;
}
