/** `/v1/payments.csv`: the lines of a range, as a table. */
import { type MoneyJson, type PaymentLine, PaymentsCsvSchema } from '@innkeep/core/contract';
import { Money, toLocalDateTime } from '@innkeep/core/values';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { query } from '../http/validate.ts';
import { merchantApp } from '../properties/resource-app.ts';
import { toCsvRow } from './csv.ts';
import { csvFile } from './export-routes.ts';
import { dayOf } from './hotel-days.ts';
import { type LedgerDependencies, noteRead } from './lists.ts';
import { rangeOf } from './payment-range.ts';
import type { PaymentPlace } from './payment-table.ts';

const PAGE = 200;
const MAX_DAYS = 366;

/** How a table is written. */
interface Style {
  readonly separator: ',' | ';';
  /** Of decimals. */
  readonly point: '.' | ',';
  /** What the file begins with. */
  readonly mark: string;
}

/** Excel in German takes a file for UTF-8 by its mark, and reads decimal commas. */
const STYLES: Readonly<Record<'comma' | 'semicolon', Style>> = {
  comma: { separator: ',', point: '.', mark: '' },
  semicolon: { separator: ';', point: ',', mark: '\ufeff' },
};

/** The sub-app. The newest first, as the list is; `taken` and `reversed` are what each line adds to the totals of the range. */
export const paymentTable = merchantApp<LedgerDependencies>({ tag: 'Payments' }).get(
  '/',
  describe({ id: 'exportPayments', scopes: ['read'], desk: 'export' }),
  query(PaymentsCsvSchema),
  async (c) => {
    const { status = null, kind = null, separator, ...asked } = c.req.valid('query');
    const { from, to, length, days } = rangeOf(c, asked);
    if (from === null) throw refusal('Must be given, or "day"', 'from');
    if (to === null || length > MAX_DAYS) throw refusal('Must be given, and at most a year after "from"', 'to');
    const { id, livemode } = c.get('property');
    const ledger = c.get('dependencies').ledger(id);
    await noteRead(c, { action: 'export.read', resource: null, route: 'GET /v1/payments.csv' });
    const style = STYLES[separator];
    const rows = async function* (): AsyncGenerator<string> {
      yield style.mark + toCsvRow(COLUMNS, style.separator);
      const query = { from, to, status, kind, limit: PAGE, withTotals: false, livemode };
      let cursor: PaymentPlace | null = null;
      do {
        const page = await ledger.payments({ ...query, cursor });
        yield page.data.map((line) => toRow(line, days.timeZone, style)).join('');
        cursor = page.next;
      } while (cursor !== null);
    };
    // The file is named after the days of the hotel.
    const named = (at: number): number => Date.parse(dayOf(at, days));
    return csvFile(c, rows(), { name: `${id}-payments`, from: named(from), to: named(to) });
  },
);

const COLUMNS = [
  'local_time',
  'happened_at',
  'kind',
  'type',
  'id',
  'attempt',
  'payment',
  'status',
  'reference',
  'description',
  'currency',
  'amount',
  'taken',
  'reversed',
  'reversible',
  'card_brand',
  'card_last4',
  'created_at',
  'paid_at',
  'key',
  'person',
  'via',
  'flags',
  'livemode',
] as const;

function toRow(line: PaymentLine, timeZone: string, { separator, point }: Style): string {
  const decimal = (money: MoneyJson | null | undefined): string | null =>
    money == null ? null : Money.fromJSON(money).toDecimal().replace('.', point);
  // A person may have found that the currency taken was not the one asked for.
  const currency = (line.taken ?? line.amount)?.currency ?? null;
  const cells: Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>> = {
    ...line.by,
    local_time: toLocalDateTime(new Date(line.happenedAt), timeZone).replace('T', ' '),
    happened_at: line.happenedAt,
    kind: line.kind,
    type: line.type,
    id: line.id,
    attempt: line.attempt,
    payment: line.payment,
    status: line.status,
    reference: line.reference,
    description: line.description,
    currency,
    amount: decimal(line.amount?.currency === currency ? line.amount : null),
    taken: decimal(line.counted?.taken),
    reversed: decimal(line.counted?.reversed),
    reversible: decimal(line.reversible),
    card_brand: line.card?.brand ?? null,
    card_last4: line.card?.last4 ?? null,
    created_at: line.createdAt,
    paid_at: line.paidAt,
    flags: line.flags.join(' '),
    livemode: line.livemode,
  };
  return toCsvRow(
    COLUMNS.map((name) => cells[name]),
    separator,
  );
}

function refusal(detail: string, param: string): ProblemError {
  return new ProblemError('invalid_request', { detail, param });
}
