/** `GET /v1/export.csv?from&to`: what was charged and given back, for reconciliation with the acquirer's statement. */
import { Money } from '@innkeep/core/values';
import type { MerchantOperation } from '../durable-objects/money-record.ts';
import type { MerchantSession } from '../durable-objects/session-record.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readQuery } from '../middleware/read-json-body.ts';
import { toCsvRow } from '../policy/csv.ts';
import type { MoneyValue } from '../policy/payment-limits.ts';
import { ProblemError } from '../problem.ts';
import { ExportRangeSchema } from './money-schemas.ts';
import type { Route } from './route.ts';

const COLUMNS = [
  'type',
  'id',
  'status',
  'final',
  'created_at',
  'reference',
  'reason',
  'payment',
  'currency',
  'amount',
  'surcharge',
  'reversed',
  'reversing',
  'transaction_id',
  'masked_card',
  'error_code',
  'return_code',
  'livemode',
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string | boolean | null>>;

const KINDS = ['checkout_session', 'charge', 'reversal'] as const;
const PAGE = 200;
const MAX_RANGE_MS = 366 * 24 * 60 * 60_000;

/** The route. Started payment sessions, charges and reversals created in the range, oldest first within each kind. */
export const exportCsv: Route = {
  method: 'GET',
  path: '/v1/export.csv',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'events');
    const { from, to } = readQuery(c, ExportRangeSchema);
    if (to <= from || to - from > MAX_RANGE_MS) {
      throw new ProblemError('invalid_request', { detail: 'Must be after "from", by a year at most', param: 'to' });
    }
    const { ledgers } = c.get('dependencies');
    const rows = async function* (): AsyncGenerator<string> {
      yield toCsvRow(COLUMNS);
      for (const kind of KINDS) {
        let cursor: string | null = null;
        do {
          const page = await ledgers.range(property.id, { kind, from, to, limit: PAGE, cursor });
          yield page.items.map(toRows).join('');
          cursor = page.nextCursor;
        } while (cursor !== null);
      }
    };
    return new Response(toStream(rows()), {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${property.id}-${day(from)}-${day(to)}.csv"`,
      },
    });
  },
};

/** Page by page as the caller reads, so that a year of a large hotel does not lie in memory. */
function toStream(rows: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await rows.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

function toRows(item: string): string {
  const row = toRow(JSON.parse(item) as MerchantSession | MerchantOperation);
  return row === undefined ? '' : toCsvRow(COLUMNS.map((column) => row[column]));
}

function toRow(resource: MerchantSession | MerchantOperation): Row | undefined {
  if (resource.object === 'checkout_session') return sessionRow(resource);
  const { amount, transactionId, error } = resource;
  const row = {
    ...common(resource),
    ...sums({ amount }),
    transaction_id: transactionId,
    return_code: error?.returnCode ?? null,
  };
  if (resource.object === 'reversal') return { ...row, payment: resource.payment };
  const { reference, reason, maskedCard, reversed, reversing } = resource;
  return { ...row, ...sums({ amount, reversed, reversing }), reference, reason, masked_card: maskedCard };
}

/** Sessions that nobody started, and stored cards, are not about money. */
function sessionRow(session: MerchantSession): Row | undefined {
  if (session.startedAt === null || session.amount === null) return undefined;
  const { result, reference, reversed, reversing } = session;
  const payment = result !== null && 'total' in result ? result : undefined;
  return {
    ...common(session),
    ...sums({ amount: payment?.total ?? session.amount, surcharge: payment?.surcharge?.amount, reversed, reversing }),
    reference,
    transaction_id: payment?.transactionId ?? null,
    masked_card: payment?.maskedCard ?? null,
  };
}

function common(resource: MerchantSession | MerchantOperation): Row {
  const { object, id, status, final, createdAt, error, livemode } = resource;
  return { type: object, id, status, final, created_at: createdAt, error_code: error?.code ?? null, livemode };
}

function sums(amounts: {
  readonly amount: MoneyValue;
  readonly surcharge?: MoneyValue | null | undefined;
  readonly reversed?: MoneyValue | null;
  readonly reversing?: MoneyValue | null;
}): Row {
  const { amount, surcharge, reversed, reversing } = amounts;
  return {
    currency: amount.currency,
    amount: decimal(amount),
    surcharge: decimal(surcharge),
    reversed: decimal(reversed),
    reversing: decimal(reversing),
  };
}

function decimal(value: MoneyValue | null | undefined): string | null {
  return value === null || value === undefined ? null : Money.fromJSON(value).toDecimal();
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
