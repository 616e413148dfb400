/** What a ledger holds, counted without reading it all. */

import type { KINDS } from './ledger-storage.ts';
import { indexOf } from './ledger-tables.ts';
import { DOUBTFUL_IDS } from './payment-table.ts';
import type { LedgerCounts } from './property-status.ts';

type Kind = (typeof KINDS)[number];

/** Above this a number says nothing more, and counting on would keep others waiting. */
const MAX_COUNTED = 10_000;

const COUNT_DOUBTFUL = `SELECT count(*) AS rows FROM ${DOUBTFUL_IDS}`;

/** What waits for an outcome, by kind. */
const WAITING: Readonly<Record<Kind, readonly string[]>> = {
  checkout_session: ['open', 'pending'],
  charge: ['created', 'sent'],
  reversal: ['created', 'sent'],
};

/** All that is counted. */
export function countLedger(sql: SqlStorage): LedgerCounts {
  return {
    checkoutSessions: countKind(sql, 'checkout_session'),
    charges: countKind(sql, 'charge'),
    reversals: countKind(sql, 'reversal'),
    oldestWaitingAt: oldestWaitingAt(sql),
  };
}

/** How many outcomes of a kind are unknown now. */
export function countUnknown(sql: SqlStorage, kind: Kind): number {
  const doubtful = kind === 'checkout_session' ? sql.exec<{ rows: number }>(COUNT_DOUBTFUL).one().rows : 0;
  return Math.min(count(sql, kind, ['unknown']) + doubtful, MAX_COUNTED);
}

function countKind(sql: SqlStorage, kind: Kind): LedgerCounts['charges'] {
  const [stored] = sql.exec<{ rows: number }>('SELECT rows FROM stored WHERE kind = ?', kind).toArray();
  return { stored: stored?.rows ?? 0, unknown: countUnknown(sql, kind), waiting: count(sql, kind, WAITING[kind]) };
}

function count(sql: SqlStorage, kind: Kind, statuses: readonly string[]): number {
  return sql
    .exec<{ rows: number }>(
      `SELECT count(*) AS rows FROM (SELECT 1 FROM resource INDEXED BY ${indexOf(['status'], 'created_at')}
       WHERE kind = ? AND status IN (${statuses.map(() => '?').join()}) LIMIT ${MAX_COUNTED})`,
      kind,
      ...statuses,
    )
    .one().rows;
}

function oldestWaitingAt(sql: SqlStorage): number | null {
  // The first of each endpoint, since no index orders all deliveries by position.
  const first = 'SELECT position FROM delivery WHERE endpoint = key ORDER BY position LIMIT 1';
  const [event] = sql
    .exec<{ at: number }>(
      `SELECT at FROM event WHERE position = (SELECT min(first) FROM (SELECT (${first}) AS first FROM endpoint))`,
    )
    .toArray();
  return event?.at ?? null;
}
