import { RESOLUTION_STATUSES } from '@innkeep/core/contract';
import { InvalidArgumentError, Option } from 'commander';
import { usageError } from '../failures/cli-error.ts';
import { parseAmount } from '../input/amount.ts';

/** Reads a whole number from `least` to `most`, with no more digits than that; `name` is what it must be. */
export function wholeNumber(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && text.length <= `${most}`.length && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be ${name}.`);
  };
}

/** A whole number above zero. */
export const parseCount: (text: string) => number = wholeNumber('a whole number above zero', 1, 999_999_999);

/** A position in the feed of events. */
export const parsePosition: (text: string) => number = wholeNumber('a whole number', 0, 999_999_999_999_999);

/** `--amount 120.00 EUR`. */
export function amountOptions(what: string): readonly Option[] {
  return [
    new Option('--amount <amount...>', `${what}, for instance 120.00 EUR`),
    new Option('--currency <code>', 'currency, when --amount is a bare number'),
  ];
}

/** How much may be refunded in a day: `--max-reversal "500.00 EUR"`, once for each currency. */
export function maxReversalOption(what: string): Option {
  return new Option('--max-reversal <amount>', `${what}, such as "500.00 EUR"; once for each currency`).argParser(
    (text: string, before: Readonly<Record<string, number>> = {}) => {
      const { value = 0, currency = '' } = parseAmount({ amount: [text] }, '--max-reversal "120.00 EUR"') ?? {};
      // Which one applies would be a guess.
      if (currency in before) throw usageError(`--max-reversal: ${currency} was given twice.`);
      return { ...before, [currency]: value };
    },
  );
}

/** The key that makes a repeated call the same call. */
export function idempotencyOption(text: string): Option {
  return new Option('--idempotency-key <key>', text).argParser((key: string) => {
    if (/^[!-~]{1,255}$/.test(key)) return key;
    throw new InvalidArgumentError('It must be 1 to 255 visible ASCII characters.');
  });
}

/** Why something is done. */
export const NOTE_OPTION: Option = new Option(
  '--note <text>',
  'why, in words that stay with it here; at most 500 characters',
);

/** Which local stack is meant, when it is not the one of this folder. */
export const DATA_OPTION: Option = new Option('--data <folder>', 'the stack of innkeep dev with the same --data');

/** Filters and place of a list. */
export function listOptions(statuses: readonly string[]): readonly Option[] {
  return [
    new Option('--status <status>', 'only these').choices([...statuses]),
    new Option('--reference <reference>', 'only those of this reservation'),
    new Option('--completed-from <day>', 'only those completed on this day or instant, UTC, or later'),
    new Option('--completed-to <day>', 'only those completed before this day or instant, UTC'),
    new Option('--limit <count>', 'at most this many, 1 to 100').argParser(parseCount),
    new Option('--cursor <cursor>', 'the next page: nextCursor of the page before'),
    new Option('--all', 'every page').conflicts('cursor'),
  ];
}

/** What somebody found out about an unknown outcome. */
export const RESOLVE_OPTIONS: readonly Option[] = [
  new Option('--status <status>', 'what happened').choices(RESOLUTION_STATUSES).makeOptionMandatory(),
  new Option('--evidence <text>', 'how it was found out; kept for the audit').makeOptionMandatory(),
  new Option('--transaction-id <id>', 'the payment service’s own id, when it is known'),
];

/** How much really moved. Reversals do not have it. */
export const MOVED_AMOUNT_OPTIONS: readonly Option[] = amountOptions(
  'what really moved, if it is not what was asked for',
);

/** One attempt of a session. */
export const ATTEMPT_OPTION: Option = new Option(
  '--attempt <number>',
  'number of the attempt, if you could mean more than one',
).argParser(parseCount);
