/** What a list shows: as many pages of it as were asked for, and what needs a person. */
import type { PaymentLine, PaymentPage } from '@innkeep/core/contract';
import { DeskFault } from '../client/desk-fault.ts';
import { type PaymentFilter, toQuery } from '../values/payment-filter.ts';
import type { DeskConnection } from './desk-connection.ts';
import { Reader, type ReaderHost } from './reader.ts';

/** More are beyond what a person goes through. */
const MAX_PAGES = 10;
const PAGE = '100';

/** The pages of a list as one. */
export interface ListedPayments extends PaymentPage {
  /** What is unknown, whatever day it is of. */
  readonly unknown: readonly PaymentLine[];
}

/** The element's side. */
interface ListHost extends ReaderHost {
  readonly filter: PaymentFilter;
}

/** Reads a list, and then the rest of its day. */
export class PaymentsReader extends Reader<ListedPayments> {
  /** How many pages are shown. */
  pages = 1;
  readonly #host: ListHost;
  /** All the day, for what needs a person in it. */
  readonly #ofDay: Reader<PaymentPage>;

  constructor(host: ListHost) {
    super(host, (link, signal) => this.#readList(link, signal));
    this.#host = host;
    this.#ofDay = new Reader(host, (link, signal) => readPages(link, signal, toQuery(host.filter), MAX_PAGES));
  }

  /** What needs a person: the unknown first. Of a line that was read twice, what came with the list counts: the rest of the day comes later. */
  get urgent(): readonly PaymentLine[] {
    if (!this.value || this.#host.filter.q) return [];
    const { unknown, data } = this.value;
    const found = [...unknown, ...(this.#ofDay.value?.data ?? []), ...data, ...unknown];
    const newest = new Map(found.map((line) => [`${line.id}-${line.attempt}`, line]));
    return [...newest.values()].filter(({ flags }) => flags.length > 0);
  }

  override clear(): void {
    this.pages = 1;
    super.clear();
    this.#ofDay.clear();
  }

  override async load(): Promise<ListedPayments | undefined> {
    const value = await super.load();
    if (value) void (value.nextCursor && toQuery(this.#host.filter).day ? this.#ofDay.load() : this.#ofDay.clear());
    return value;
  }

  async #readList(link: DeskConnection, signal: AbortSignal): Promise<ListedPayments> {
    await link.open();
    const { filter } = this.#host;
    const [shown, unknown] = await Promise.all([
      readPages(link, signal, toQuery(filter), this.pages),
      filter.q ? undefined : readPages(link, signal, { status: 'unknown' }, MAX_PAGES),
    ]);
    return { ...shown, unknown: unknown?.data ?? [] };
  }
}

async function readPages(
  link: DeskConnection,
  signal: AbortSignal,
  query: Record<string, string | undefined>,
  pages: number,
): Promise<PaymentPage> {
  const page = await link.client.json<PaymentPage>('payments', { query: { ...query, limit: PAGE }, signal });
  if (!Array.isArray(page.data)) throw new DeskFault('invalid_response');
  if (pages === 1 || !page.nextCursor) return page;
  const rest = await readPages(link, signal, { ...query, cursor: page.nextCursor }, pages - 1);
  return { ...page, data: [...page.data, ...rest.data], nextCursor: rest.nextCursor };
}
