import { expect, test } from 'vitest';
import { inStorage } from '../../test-support/objects.ts';
import { makeLedger } from './ledger-tables.ts';
import { ReversalLimitTable } from './reversal-limit-table.ts';

const ASKED = { id: 'rv_1', key: 'desk', person: null, day: '2026-06-01', epoch: 5, limit: { EUR: 100 } };
const claim = (value: number, changes: object = {}) => ({ ...ASKED, amount: { value, currency: 'EUR' }, ...changes });

type Step = readonly [does: (table: ReversalLimitTable) => unknown, code?: string | undefined];
const asks = (value: number, changes?: object, code?: string): Step => [
  (table) => {
    const claimed = table.claim(claim(value, changes));
    return claimed.ok ? undefined : claimed.code;
  },
  code,
];
const ends = (epoch: number): Step => [(table) => table.release('rv_1', epoch)];
const OTHER = { id: 'rv_2' };
const FRANCS = { value: 5, currency: 'CHF' };
/** Of a desk, whose key has no limit. */
const ANNA = { person: 'anna', limit: undefined, personLimit: { EUR: 100 } };

const TOO_MUCH = 'limit_reached';
const FOLLOWED = 'idempotency_in_progress';

test.each<[string, ...Step[]]>([
  ['counts one reversal once', asks(60), asks(60), asks(40, OTHER), asks(1, { id: 'rv_3' }, TOO_MUCH)],
  ['counts a later attempt’s amount', asks(60), asks(90, { epoch: 6 }), asks(11, OTHER, TOO_MUCH), asks(10, OTHER)],
  ['counts each key for itself', asks(100), asks(100, { ...OTHER, key: 'office' })],
  [
    'counts each person of a desk for itself, whatever key their session has',
    asks(60, { ...ANNA, key: 'office' }),
    asks(41, { ...OTHER, ...ANNA }, TOO_MUCH),
    asks(41, { ...OTHER, ...ANNA, person: 'Anna' }, TOO_MUCH),
    asks(100, { ...OTHER, ...ANNA, person: 'ben' }),
    asks(40, { id: 'rv_3', ...ANNA }),
  ],
  [
    'lets nobody through whose key or whose person has no more',
    asks(90, { person: 'anna' }),
    asks(11, { ...OTHER, person: 'ben', personLimit: { EUR: 100 } }, TOO_MUCH),
    asks(10, { ...OTHER, person: 'anna', personLimit: { EUR: 99 } }, TOO_MUCH),
    asks(10, { ...OTHER, person: 'anna', personLimit: { EUR: 100 } }),
  ],
  ['counts each day for itself', asks(100), asks(100, { ...OTHER, day: '2026-06-02' })],
  ['counts each currency for itself', asks(100), asks(0, { ...OTHER, amount: FRANCS, limit: { CHF: 5 } })],
  ['frees what was surely not refunded', asks(100), ends(5), asks(100, OTHER)],
  ['frees nothing for an attempt that another followed', asks(100, { epoch: 6 }), ends(5), asks(1, OTHER, TOO_MUCH)],
  ['takes nothing from one that another followed', asks(60, { epoch: 6 }), asks(60, {}, FOLLOWED), asks(40, OTHER)],
  ['refunds nothing in a currency without a limit', asks(1, { limit: { CHF: 100 } }, TOO_MUCH)],
  ['takes nothing from an attempt that has ended', asks(60), ends(5), asks(60, {}, FOLLOWED)],
  ['takes nothing from one that has ended before it came', ends(5), asks(60, {}, FOLLOWED), asks(100, OTHER)],
  ['lets a later attempt in', ends(5), asks(60, { epoch: 6 })],
])('%s', (_, ...steps) =>
  inStorage((storage) => {
    makeLedger(storage.sql, 'aurora');
    const table = new ReversalLimitTable(storage.sql);
    expect(steps.map(([does]) => does(table))).toEqual(steps.map(([, code]) => code));
    const rows = () => storage.sql.exec('SELECT 1 FROM reversal_limit').toArray().length;
    const kept = rows();
    table.forget(Date.now() + 3 * 86_400_000 - 60_000);
    expect(rows()).toBe(kept);
    table.forget(Date.now() + 3 * 86_400_000 + 60_000);
    expect(rows()).toBe(0);
  }),
);

test.each([
  ['is left', 40, 'This key may refund 0.60 EUR more today'],
  ['was left before the limit was lowered', 100, 'This key may refund 0.00 EUR more today'],
])('a refusal says what %s', (_, value, detail) =>
  inStorage((storage) => {
    makeLedger(storage.sql, 'aurora');
    const table = new ReversalLimitTable(storage.sql);
    table.claim(claim(value));
    const limit = { EUR: value === 100 ? 50 : 100 };
    expect(table.claim(claim(61, { ...OTHER, limit }))).toMatchObject({ code: TOO_MUCH, detail, param: 'amount' });
  }),
);
