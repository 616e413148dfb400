/** The lists of a hotel: how they are asked for, and where the last page of each begins. */
import type { ListQuery } from '../../src/ledger/resource-list.ts';
import type { LedgerFile } from './fill.ts';
import { GROUP, type Kind } from './payments.ts';

/** Lists by name; the cursor of the last page is null where the first is the last. */
export type Lists = readonly (readonly [name: string, path: string, last: string | null])[];

const PER_PAGE = 20;

const PATHS: Readonly<Record<Kind, string>> = {
  checkout_session: 'checkout-sessions',
  charge: 'charges',
  reversal: 'reversals',
};

/** What staff read: a day, a month, a state, and searches, with what each is called. Days are those of a hotel in UTC. */
export function paymentLists(now: number): Lists {
  const day = (daysAgo: number): string => new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const queries: readonly (readonly [name: string, query: string])[] = [
    ['all', ''],
    ['a day, totals', `day=${day(200)}`],
    ['31 days, totals', `from=${day(231)}&to=${day(200)}`],
    ['a year', `from=${day(380)}&to=${day(15)}`],
    ['unknown', 'status=unknown'],
    ['refunded in part', 'status=partly_reversed'],
    ['search: beginning', 'q=res-1'],
    ['search: every reference', 'q=r'],
    ['search: one reference', 'q=res-4711'],
    ['search: conference', `q=${GROUP.toLowerCase()}`],
    ['search: amount', 'q=120,00'],
    ['search: card', 'q=4242'],
  ];
  return queries.map(([name, query]) => [
    `payments, ${name}`,
    `payments?limit=${query === '' ? PER_PAGE : 100}&${query}`.replace('limit=100&q=', 'q='),
    null,
  ]);
}

export function listsOf({ store }: LedgerFile, kind: Kind): Lists {
  const completed = { by: 'completed_at', from: 0 } as const;
  const filters: readonly (readonly [name: string, query: string, filter: Partial<ListQuery>])[] = [
    ['all', '', {}],
    ['by status', 'status=succeeded', { status: 'succeeded' }],
    ['by a rare status', 'status=unknown', { status: 'unknown' }],
    ['by reference', `reference=${GROUP}`, { reference: GROUP }],
    ['by a reference of few', 'reference=RES-8', { reference: 'RES-8' }],
    ['by both', `reference=${GROUP}&status=succeeded`, { reference: GROUP, status: 'succeeded' }],
    ['by completion', 'completedFrom=2000-01-01', completed],
    ['by completion and status', 'completedFrom=2000-01-01&status=succeeded', { ...completed, status: 'succeeded' }],
    ['by completion and reference', `completedFrom=2000-01-01&reference=${GROUP}`, { ...completed, reference: GROUP }],
  ];
  return filters.map(([name, query, filter]) => {
    // Seen from the oldest, the page after the last one begins where the last one does, seen from the newest.
    const { nextCursor } = store.list({ kind, ...filter, limit: PER_PAGE + 1, cursor: null }, 'oldest');
    return [`${kind}s ${name}`, `${PATHS[kind]}?limit=${PER_PAGE}&${query}`, nextCursor];
  });
}
