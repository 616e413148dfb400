import { InvalidInputError } from '../errors.ts';
import { currencyExponent } from './currencies.ts';

/** Money in JSON of the proxy: integer minor units by ISO 4217. */
export interface MoneyJson {
  /** Integer minor units, for example cents. */
  value: number;
  /** ISO 4217 alphabetic code, upper case. */
  currency: string;
}

/** Which unit the payment service means by a bare amount. */
export type AmountUnit = 'minor' | 'major';

const DECIMAL = /^(-?)(0|[1-9]\d{0,99})(?:\.(\d{1,9}))?$/;

/** An exact amount of one currency. Immutable; never a float. */
export class Money {
  /** Integer minor units by ISO 4217. */
  readonly minor: bigint;
  /** ISO 4217 alphabetic code, upper case. */
  readonly currency: string;

  private constructor(minor: bigint, currency: string) {
    this.minor = minor;
    this.currency = currency;
    Object.freeze(this);
  }

  /**
   * Makes money from integer minor units.
   *
   * @throws `invalid_input` for an unknown currency or a value that is not a bigint
   */
  static ofMinor(minor: bigint, currency: string): Money {
    if (typeof minor !== 'bigint') throw new InvalidInputError('minor', 'Minor units must be a bigint.');
    exponentOf(currency);
    return new Money(minor, currency);
  }

  /**
   * Reads a plain decimal such as `120`, `120.5` or `120.00`.
   *
   * @throws `invalid_input` for anything else, for more decimals than the currency has, and for an unknown currency
   */
  static parse(decimal: string, currency: string): Money {
    const exponent = exponentOf(currency);
    const match = typeof decimal === 'string' ? DECIMAL.exec(decimal) : null;
    const [, sign = '', whole = '', fraction = ''] = match ?? [];
    if (match === null || fraction.length > exponent) {
      throw new InvalidInputError(
        'decimal',
        `Not an amount of ${currency}: expected digits and at most ${exponent} decimals.`,
      );
    }
    return new Money(BigInt(sign + whole + fraction.padEnd(exponent, '0')), currency);
  }

  /**
   * Reads the JSON form that the proxy uses.
   *
   * @throws `invalid_input` unless `value` is a safe integer and `currency` is known
   */
  static fromJSON(json: MoneyJson): Money {
    if (!Number.isSafeInteger(json?.value)) throw new InvalidInputError('value', 'The value must be a safe integer.');
    return Money.ofMinor(BigInt(json.value), json.currency);
  }

  /** Decimal digits of the currency's minor unit. */
  get exponent(): number {
    return exponentOf(this.currency);
  }

  /** Plain decimal with exactly the currency's decimals: `120.00`, `120`, `120.000`. For display use Intl. */
  toDecimal(): string {
    const digits = (this.minor < 0n ? -this.minor : this.minor).toString().padStart(this.exponent + 1, '0');
    const point = digits.length - this.exponent;
    const sign = this.minor < 0n ? '-' : '';
    return sign + digits.slice(0, point) + (this.exponent === 0 ? '' : `.${digits.slice(point)}`);
  }

  /** Whether both the currency and the amount are the same. */
  equals(other: Money): boolean {
    return this.currency === other.currency && this.minor === other.minor;
  }

  /** Sum. @throws `invalid_input` when the currencies differ */
  plus(other: Money): Money {
    return new Money(this.minor + sameCurrency(this, other), this.currency);
  }

  /** Difference; may be negative. @throws `invalid_input` when the currencies differ */
  minus(other: Money): Money {
    return new Money(this.minor - sameCurrency(this, other), this.currency);
  }

  /** The proxy's JSON form. @throws `invalid_input` outside the safe integer range */
  toJSON(): MoneyJson {
    const value = Number(this.minor);
    if (!Number.isSafeInteger(value)) throw new InvalidInputError('minor', 'The amount is too large for JSON.');
    return { value, currency: this.currency };
  }

  /** `120.00 EUR`. */
  toString(): string {
    return `${this.toDecimal()} ${this.currency}`;
  }
}

function exponentOf(currency: string): number {
  const exponent = currencyExponent(currency);
  if (exponent === undefined) {
    throw new InvalidInputError('currency', 'Not an ISO 4217 currency code (three upper-case letters).');
  }
  return exponent;
}

function sameCurrency(left: Money, right: Money): bigint {
  if (left.currency !== right.currency) {
    throw new InvalidInputError('currency', `Cannot combine ${left.currency} with ${right.currency}.`);
  }
  return right.minor;
}
