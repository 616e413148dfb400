/** What staff ask of the list of payments: days of the hotel, a search, a table. */
import * as v from 'valibot';
import { isDate } from '../values/local-date-time.ts';
import { isHarmless, textOrNothing } from './fields.ts';
import { LimitSchema } from './list.ts';
import { PAYMENT_LINE_KINDS, PaymentStatusSchema } from './payment.ts';

/** Not before this millennium, and not behind the next one. */
function isDay(text: string): boolean {
  return text.startsWith('2') && isDate(text);
}

const DaySchema = v.optional(
  v.pipe(v.string(), v.examples(['2026-09-01']), v.check(isDay, 'Must be a day such as 2026-09-01')),
);

// Constant, or the typings lose the texts where it is spread.
const rangeEntries = {
  /** One day of the hotel, `YYYY-MM-DD`, or `today`. Instead of `from` and `to`. */
  day: v.optional(
    v.pipe(
      v.string(),
      v.examples(['today']),
      v.check((text) => text === 'today' || isDay(text), 'Must be a day such as 2026-09-01, or today'),
    ),
  ),
  /** First day of the hotel, `YYYY-MM-DD`, included. */
  from: DaySchema,
  /** Last day of the hotel, `YYYY-MM-DD`, not included. */
  to: DaySchema,
  /** Only those in this state. */
  status: v.optional(PaymentStatusSchema),
  /** Only lines of this kind. `reversal` lists every reversal, even of a payment in the same range. */
  kind: v.optional(v.picklist(PAYMENT_LINE_KINDS)),
} as const;

/** Query of `GET /v1/payments`: days, a status, a kind and a place in the list, or `q` alone. */
export const ListPaymentsSchema = v.strictObject({
  ...rangeEntries,
  /**
   * A reference or its beginning in any case, an amount as people write it, the last four digits of a card, or the id of a session or a
   * charge. Without other filters; at most 50 lines.
   */
  q: v.optional(
    v.pipe(
      textOrNothing(64),
      v.examples(['res-12', '330,00', '4242']),
      v.check((text) => text.trim() !== '', 'Must not be empty'),
      v.check(isHarmless, 'Must not contain a card number: search for its last four digits'),
    ),
  ),
  limit: LimitSchema,
  /** `nextCursor` of the page before. */
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
});

/** Days, status and place of a list of payments; or a search. */
export interface ListPayments extends Omit<v.InferInput<typeof ListPaymentsSchema>, 'limit'> {
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
}

/** How the cells of a table can be separated. */
export const CSV_SEPARATORS = ['comma', 'semicolon'] as const;

/** Query of `GET /v1/payments.csv`. */
export const PaymentsCsvSchema = v.strictObject({
  ...rangeEntries,
  /**
   * `semicolon`: with decimal commas and a byte order mark, as spreadsheets in German and most of Europe read it.
   *
   * @default 'comma'
   */
  separator: v.optional(v.picklist(CSV_SEPARATORS), 'comma'),
});

/** A range of the hotel’s days, at most a year, and how the table is to be written. */
export type PaymentsCsv = v.InferInput<typeof PaymentsCsvSchema>;
