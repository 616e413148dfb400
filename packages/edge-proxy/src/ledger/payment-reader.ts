/** What staff read of a hotel’s payments, read from one ledger at once, so that it matches its position in the feed. */
import type {
  CheckoutSession,
  Payment,
  PaymentLine,
  PaymentLineKind,
  PaymentStatus,
  PaymentTotals,
  Reversal,
} from '@innkeep/core/contract';
import type { ListedPayment } from './duplicate-payment.ts';
import type { LedgerStorage } from './ledger-storage.ts';
import { paymentDetails } from './payment-details.ts';
import { duplicatesOf } from './payment-duplicates.ts';
import { type BareLine, linesOf } from './payment-lines.ts';
import type { PaymentSearch } from './payment-search.ts';
import { type ListedReversal, type PaymentPlace, type PaymentRange, PaymentTable } from './payment-table.ts';

/** Which lines to read. An end that is null is open. */
export interface PaymentQuery {
  readonly from: number | null;
  readonly to: number | null;
  readonly status: PaymentStatus | null;
  readonly kind: PaymentLineKind | null;
  readonly cursor: PaymentPlace | null;
  readonly limit: number;
  /** The hotel’s mode, whose money counts; absent: any. */
  readonly livemode?: boolean | undefined;
}

/** What of a line counts: money that moved in a range, and in the hotel’s mode if that is given. */
interface Counting {
  readonly range: PaymentRange;
  readonly livemode: boolean | undefined;
  /** Whether only lines of one state are read. */
  readonly isNarrowed?: boolean;
}

/** Lines, the newest first. */
export interface PaymentLines {
  readonly data: PaymentLine[];
  /** Where the next page begins; null at the end. */
  readonly next: PaymentPlace | null;
  /** Of the hotel’s feed. */
  readonly position: number;
}

/** A session, and the attempt that puts it in a list. */
export interface PaidSession {
  readonly place: PaymentPlace;
  readonly session: CheckoutSession;
}

/** With how many payments of the same reference one is compared. */
const MAX_DUPLICATES = 20;
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const ALWAYS: PaymentRange = { from: FIRST_INSTANT, to: LAST_INSTANT };
/** A range that has no payment, so that every reversal stands alone. */
const NEVER: PaymentRange = { from: LAST_INSTANT, to: FIRST_INSTANT };
/** How many pages are read until one shows something. */
const MAX_PAGES = 10;

export class PaymentReader {
  readonly #store: LedgerStorage;
  readonly #table: PaymentTable;

  constructor(sql: SqlStorage, store: LedgerStorage) {
    this.#store = store;
    this.#table = new PaymentTable(sql);
  }

  /** A page. It may have fewer lines than places: a reversal is no line where that of its payment is one. */
  list({ cursor, ...query }: PaymentQuery): PaymentLines {
    let page = this.#page({ ...query, cursor });
    // Stored cards may be few among many payments.
    for (let more = 1; more < MAX_PAGES && page.data.length === 0 && page.next !== null; more++)
      page = this.#page({ ...query, cursor: page.next });
    return { ...page, position: this.#store.position() };
  }

  #page({ from, to, status, kind, cursor, limit, livemode }: PaymentQuery): Omit<PaymentLines, 'position'> {
    const range = { from: from ?? ALWAYS.from, to: to ?? ALWAYS.to };
    const isOfReversals = kind === 'reversal';
    const isNarrowed = status !== null;
    const places = this.#table.page(range, {
      status,
      withReversals: isOfReversals || kind === null,
      withPayments: !isOfReversals,
      cursor,
      limit: limit + 1,
    });
    const shown = places.slice(0, limit);
    const lines = this.#linesOf(shown, { range: isOfReversals ? NEVER : range, livemode, isNarrowed });
    const data = kind === null ? lines : lines.filter((line) => line.kind === kind);
    return { data, next: places.length > limit ? (shown.at(-1) ?? null) : null };
  }

  /** Lines of the best matches first. */
  search(search: PaymentSearch, limit: number, livemode: boolean | undefined): Omit<PaymentLines, 'next'> {
    const ids = 'id' in search ? [search.id] : this.#table.search(search.readings, limit);
    return {
      data: this.#linesOf(
        ids.map((id) => ({ id })),
        { range: ALWAYS, livemode },
      ).slice(0, limit),
      position: this.#store.position(),
    };
  }

  /** What was taken and refunded in a range, by currency: in a mode, if one is given. */
  totals(range: PaymentRange, livemode: boolean | undefined): PaymentTotals[] {
    // Looking at each payment takes long where there are many.
    const isOfOneMode = livemode === true && !this.#store.mayHaveTest(range.from);
    return this.#table.totals(range, isOfOneMode ? undefined : livemode);
  }

  /** Sessions by when each of their attempts was paid, the oldest first: those after a place. */
  paidSessions(range: PaymentRange, cursor: PaymentPlace | null, limit: number): PaidSession[] {
    return this.#table.paidAttempts(range, cursor, limit).flatMap((place) => {
      const session = this.#store.resource(place.id);
      return session?.object === 'checkout_session' ? [{ place, session }] : [];
    });
  }

  /** Everything about a session or a charge; undefined when it is neither. */
  retrieve(id: string): Payment | undefined {
    const resource = this.#store.resource(id);
    if (resource === undefined || resource.object === 'reversal') return undefined;
    const reversals = this.#table.reversals(id).flatMap(({ id }) => {
      const reversal = this.#store.resource(id);
      return reversal?.object === 'reversal' ? [reversal] : [];
    });
    const duplicates = linesOf(resource).flatMap((line) => duplicatesOf(resource, line, this.#paidOf()));
    return paymentDetails(resource, {
      reversals: reversals.sort(byCreation),
      duplicates: [...new Set(duplicates)],
      position: this.#store.position(),
    });
  }

  /** @param places the lines of one attempt, or all of an id */
  #linesOf(places: readonly { readonly id: string; readonly attempt?: number }[], counting: Counting): PaymentLine[] {
    const paidOf = this.#paidOf();
    return places.flatMap(({ id, attempt }) => {
      const resource = this.#store.resource(id);
      const lines = resource === undefined ? [] : linesOf(resource);
      if (resource?.object === 'reversal') return lines.flatMap((line) => this.#reversalLine(line, counting) ?? []);
      const reversals = this.#table.reversals(id);
      return lines
        .filter((line) => attempt === undefined || attempt === (line.attempt ?? 0))
        .map((line) =>
          paymentLine(line, {
            ...counting,
            reversals: reversals.filter((reversal) => reversal.attempt === (line.attempt ?? 0)),
            isDuplicate: resource !== undefined && duplicatesOf(resource, line, paidOf).length > 0,
          }),
        );
    });
  }

  /** A reversal that stands alone; undefined when the line of its payment shows it. */
  #reversalLine(line: BareLine, { range: { from, to }, livemode, isNarrowed }: Counting): PaymentLine | undefined {
    const payment = this.#store.resource(line.payment);
    const lines = payment === undefined ? [] : linesOf(payment);
    const own = lines.find(({ attempt }) => attempt === line.attempt) ?? lines[0];
    const at = own === undefined ? Number.NaN : Date.parse(own.happenedAt);
    const { amount, status } = line;
    // What has not gone back changes no state of its payment.
    const isSeen = status === 'succeeded' || (status !== 'unknown' && !isNarrowed);
    if (at >= from && at < to && isSeen) return undefined;
    const isCounted = amount !== null && status === 'succeeded' && isOf(line, livemode);
    return {
      ...line,
      description: own?.description ?? null,
      card: own?.card ?? null,
      flags: [...line.flags],
      counted: isCounted ? { taken: { ...amount, value: 0 }, reversed: amount } : null,
    };
  }

  /** The payments of a reference, each read once. */
  #paidOf(): (reference: string) => readonly ListedPayment[] {
    const known = new Map<string, readonly ListedPayment[]>();
    return (reference) => {
      const paid = known.get(reference) ?? this.#readPaidOf(reference);
      known.set(reference, paid);
      return paid;
    };
  }

  #readPaidOf(reference: string): readonly ListedPayment[] {
    const paid = { kind: 'checkout_session', status: 'succeeded', reference, limit: MAX_DUPLICATES + 1, cursor: null };
    return this.#store.list(paid, 'newest').items.map((item) => JSON.parse(item) as CheckoutSession);
  }
}

function paymentLine(
  line: BareLine,
  {
    range: { from, to },
    livemode,
    reversals,
    isDuplicate,
  }: Counting & { readonly reversals: readonly ListedReversal[]; readonly isDuplicate: boolean },
): PaymentLine {
  const { taken, flags } = line;
  const isDoubtful = reversals.some(({ status }) => status === 'unknown');
  const value = reversals.reduce((sum, { at, amount }) => (at >= from && at < to ? sum + (amount ?? 0) : sum), 0);
  return {
    ...line,
    flags: [...(isDoubtful ? ['unknown' as const] : []), ...flags, ...(isDuplicate ? ['duplicate' as const] : [])],
    counted: taken === null || !isOf(line, livemode) ? null : { taken, reversed: { ...taken, value } },
  };
}

function isOf(line: BareLine, livemode: boolean | undefined): boolean {
  return livemode === undefined || line.livemode === livemode;
}

function byCreation(one: Reversal, other: Reversal): number {
  return one.createdAt < other.createdAt ? -1 : 1;
}
