/**
 * `/v1/export.csv`: what was charged and refunded, for reconciliation with the acquirer's statement. By the time of
 * creation (`from`, `to`), or of completion (`completedFrom`, `completedTo`), which a statement goes by.
 */
import {
  type Author,
  type Charge,
  type CheckoutSession,
  ExportRangeSchema,
  type MoneyJson,
  type Reversal,
} from '@innkeep/core/contract';
import { Money } from '@innkeep/core/values';
import type { Context } from 'hono';
import type { InferOutput } from 'valibot';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { query } from '../http/validate.ts';
import { merchantApp } from '../properties/resource-app.ts';
import { toCsvRow } from './csv.ts';
import type { LedgerObject } from './ledger-object.ts';
import { KINDS } from './ledger-storage.ts';
import type { ListOrder } from './ledger-tables.ts';
import { type LedgerDependencies, noteRead } from './lists.ts';
import { chargedOf } from './payment-lines.ts';
import type { PaidSession } from './payment-reader.ts';
import type { PaymentRange } from './payment-table.ts';

/** Name of each column, and of the value under it. */
const COLUMNS = {
  type: 'object',
  id: 'id',
  status: 'status',
  final: 'final',
  created_at: 'createdAt',
  completed_at: 'completedAt',
  reference: 'reference',
  reason: 'reason',
  payment: 'payment',
  currency: 'currency',
  amount: 'amount',
  surcharge: 'surcharge',
  reversed: 'reversed',
  reversing: 'reversing',
  transaction_id: 'transactionId',
  masked_card: 'maskedCard',
  error_code: 'code',
  return_code: 'returnCode',
  livemode: 'livemode',
  attempt: 'attempt',
  note: 'note',
  key: 'key',
  person: 'person',
  via: 'via',
} as const;

type Cell = string | number | boolean | null | undefined;
type Row = Readonly<Record<string, unknown>> & { readonly amount?: MoneyJson | null; readonly by?: Author };

/** For an attempt in doubt, whatever another attempt of the session brought. */
const UNDECIDED = { status: 'unknown', final: false, completedAt: null, reversed: null, reversing: null } as const;

/** Larger pages are read faster, but each step of a charge may have to wait for the page under way. */
const PAGE = 200;
const MAX_RANGE_MS = 366 * 24 * 60 * 60_000;

/** The sub-app. Payments, charges and reversals of the range, oldest first within each kind. */
export const csvExport = merchantApp<LedgerDependencies>({ tag: 'Charges and reversals' }).get(
  '/',
  describe({ id: 'exportCsv', scopes: ['read'] }),
  query(ExportRangeSchema),
  async (c) => {
    const property = c.get('property').id;
    const range = toRange(c.req.valid('query'));
    const ledger = c.get('dependencies').ledger(property);
    await noteRead(c, { action: 'export.read', resource: null, route: 'GET /v1/export.csv' });
    const rows = async function* (): AsyncGenerator<string> {
      yield toCsvRow(Object.keys(COLUMNS));
      const isByCompletion = range.by === 'completed_at';
      if (isByCompletion) yield* paidSessions(ledger, range);
      for (const kind of KINDS) {
        if (isByCompletion && kind === 'checkout_session') continue;
        let cursor: string | null = null;
        do {
          const page = await ledger.range({ kind, ...range, limit: PAGE, cursor });
          yield page.items.map(toRows).join('');
          cursor = page.nextCursor;
        } while (cursor !== null);
      }
    };
    return csvFile(c, rows(), { name: property, ...range });
  },
);

/** A session may have been paid twice, and not in the same month: each row is in the month in which its attempt was paid. */
async function* paidSessions(ledger: Pick<LedgerObject, 'paidSessions'>, range: PaymentRange): AsyncGenerator<string> {
  let last: PaidSession | undefined;
  do {
    const page = await ledger.paidSessions(range, last?.place ?? null, PAGE);
    yield page.map(({ session, place }) => toCsv(paidRows(session, place.attempt))).join('');
    last = page.at(-1);
  } while (last !== undefined);
}

/** An answer that is a table. It is refused if its first page cannot be read; a later failure breaks it off. */
export async function csvFile(
  c: Pick<Context, 'body'>,
  rows: AsyncGenerator<string>,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): Promise<Response> {
  const begun = [await rows.next(), await rows.next()];
  return c.body(toStream(begun, rows), 200, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}-${day(from)}-${day(to)}.csv"`,
  });
}

function toRange(query: InferOutput<typeof ExportRangeSchema>): {
  readonly by: ListOrder;
  readonly from: number;
  readonly to: number;
} {
  const isByCompletion = query.completedFrom !== undefined || query.completedTo !== undefined;
  if (isByCompletion && query.from !== undefined) refuse('Must not be combined with "completedFrom"', 'from');
  if (isByCompletion && query.to !== undefined) refuse('Must not be combined with "completedTo"', 'to');
  return {
    by: isByCompletion ? 'completed_at' : 'created_at',
    ...requireRange(query, isByCompletion ? ['completedFrom', 'completedTo'] : ['from', 'to']),
  };
}

/** Both ends of a range of at most a year. Throws naming the parameter that is wrong. */
export function requireRange<Name extends string>(
  query: { readonly [Each in Name]?: number | undefined },
  names: readonly [from: Name, to: Name],
): { readonly from: number; readonly to: number } {
  const [from, to] = names.map((name) => query[name] ?? refuse('Must be given', name)) as [number, number];
  if (to <= from || to - from > MAX_RANGE_MS) refuse(`Must be after "${names[0]}", and at most a year later`, names[1]);
  return { from, to };
}

function refuse(detail: string, param: string): never {
  throw new ProblemError('invalid_request', { detail, param });
}

/** Page by page as the caller reads, so that a year of a large hotel is never in memory at once. */
function toStream(begun: IteratorResult<string>[], rows: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = begun.shift() ?? (await rows.next());
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

/** A row for each payment; none for stored cards and for sessions that nobody started, which are not about money. */
function toRows(item: string): string {
  const resource = JSON.parse(item) as CheckoutSession | Charge | Reversal;
  if (resource.object === 'checkout_session') return toCsv(sessionRows(resource));
  const amount = resource.object === 'charge' ? chargedOf(resource) : resource.amount;
  return toCsv([{ ...resource, ...resource.error, amount }]);
}

function toCsv(rows: readonly Row[]): string {
  return rows
    .map((entry) => {
      const cells: Row = { ...entry, ...entry.by, currency: entry.amount?.currency };
      return toCsvRow(Object.values(COLUMNS).map((name) => toCell(cells[name])));
    })
    .join('');
}

/** What each attempt that succeeded brought, and each unknown attempt; if there is neither, how the last attempt ended. */
function sessionRows(whole: CheckoutSession): Row[] {
  const { attempts, ...session } = whole;
  if (session.kind === 'card') return [];
  const paid = paidRows(whole);
  const doubtful = attempts.filter(({ status }) => status === 'unknown');
  const others = paid.length + doubtful.length > 0 ? doubtful : attempts.slice(-1);
  return [
    ...paid,
    ...others.map(({ number: attempt, status, amount, error }) => ({
      ...session,
      ...(status === 'unknown' ? { ...UNDECIDED, amount } : {}),
      ...error,
      surcharge: null,
      attempt,
    })),
  ];
}

/** What each attempt that succeeded brought, in the words of a charge; or one of them. */
function paidRows({ attempts, ...session }: CheckoutSession, only?: number): Row[] {
  const rows = attempts.flatMap(({ number: attempt, status, endedAt: completedAt, result, reversed, reversing }) =>
    result?.kind === 'payment'
      ? [
          {
            ...session,
            ...result,
            attempt,
            status,
            completedAt,
            amount: result.total,
            surcharge: result.surcharge?.amount,
            reversed,
            reversing,
          },
        ]
      : [],
  );
  return only === undefined ? rows : rows.filter(({ attempt }) => attempt === only);
}

function toCell(value: unknown): Cell {
  // Money is the only object in the views with a column. The other values are texts, booleans and a number.
  if (typeof value === 'object' && value !== null) return Money.fromJSON(value as MoneyJson).toDecimal();
  return value as Cell;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
