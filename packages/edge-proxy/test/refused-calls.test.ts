/** Entries of the audit that count refused calls. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { AuditTable } from '../src/ledger/audit-table.ts';
import { makeLedger } from '../src/ledger/ledger-tables.ts';

const NOON = Date.parse('2026-09-01T10:00:00Z');
const HOUR = 3_600_000;

test('are told apart by their id: one of each hotel and hour, however many calls it counts', async () => {
  const by = { key: 'books', person: null, via: 'key' } as const;
  const refused = { by, route: 'GET /v1/charges', code: 'forbidden' } as const;
  await runInDurableObject(env.LEDGERS.getByName('refused-calls'), async (_ledger, { storage: { sql } }) => {
    makeLedger(sql, 'refused-calls');
    const table = new AuditTable(sql);
    const first = await table.count('aurora', refused, NOON);
    expect(await table.count('aurora', refused, NOON + HOUR - 1)).toBeUndefined();
    const next = await table.count('aurora', refused, NOON + HOUR);
    expect([first, next]).toMatchObject([{ at: NOON }, { at: NOON + HOUR }]);
    const slice = { from: NOON, to: NOON + 2 * HOUR, cursor: null, isAscending: true, limit: 9 };
    const entries = table.read(slice);
    expect(entries.map(({ id, count }) => [id, count])).toEqual([
      [first?.id, 2],
      [next?.id, 1],
    ]);
    expect(next?.id).not.toBe(first?.id);
    // A platform reads those of many hotels, whose keys may have the same names.
    expect((await table.count('borealis', refused, NOON + 2 * HOUR))?.id).not.toBe(
      (await table.count('aurora', refused, NOON + 2 * HOUR))?.id,
    );
  });
});
