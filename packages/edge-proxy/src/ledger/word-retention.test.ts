import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RedactableBindings, WordRetention } from './word-retention.ts';

interface Row {
  readonly id: string;
  readonly reference: string;
  readonly createdAt: number;
}
const BEFORE = Date.parse('2026-06-01T12:00:00Z');
const rowsOf = (kind: string, count: number): Row[] =>
  Array.from({ length: count }, (_, nth) => ({ id: `${kind}_${nth}`, reference: `RES-${nth}`, createdAt: nth }));

const warn = vi.fn();
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(warn);
});
afterEach(() => {
  vi.restoreAllMocks();
  warn.mockReset();
});

/** A ledger whose index answers with these pages, and objects that do as `redact` says. */
function retentionOf(pages: Row[][], redact: (name: string) => Promise<unknown> = async () => ({ ok: true })) {
  const asked: unknown[][] = [];
  const sql = {
    exec: (_query: string, ...bindings: unknown[]) => {
      asked.push(bindings);
      return { toArray: () => pages.shift() ?? [] };
    },
  };
  const calls: string[] = [];
  const namespace = (binding: string) => ({
    getByName: (name: string) => ({
      redact(...given: unknown[]) {
        calls.push(`${binding} ${name} ${JSON.stringify(given)}`);
        return redact(name);
      },
    }),
  });
  const env = { CHECKOUT_SESSIONS: namespace('session'), MONEY_OPERATIONS: namespace('operation') };
  const retention = new WordRetention(sql as unknown as SqlStorage, env as unknown as RedactableBindings);
  return { redact: () => retention.redact('aurora', BEFORE), asked, calls };
}

describe('the words of old payments', () => {
  test('are erased kind by kind, a batch at a time, and then there is no more', async () => {
    const { redact, asked, calls } = retentionOf([
      rowsOf('cs', 200),
      rowsOf('cs', 1),
      rowsOf('ch', 2),
      rowsOf('rv', 1),
    ]);
    const isMore: boolean[] = [];
    for (let nth = 0; nth < 4; nth++) isMore.push(await redact());
    expect(isMore).toEqual([true, true, true, false]);
    const start = ['', 0, ''];
    const until = [BEFORE, '2026-06-01T12:00:00.000Z'];
    expect(asked).toEqual([
      ['checkout_session', ...start, ...until],
      ['checkout_session', 'RES-199', 199, 'cs_199', ...until],
      ['charge', ...start, ...until],
      ['reversal', ...start, ...until],
    ]);
    expect(calls).toHaveLength(204);
    expect(calls[0]).toBe(`session cs_0 ["aurora",null,null,${BEFORE}]`);
    expect(calls.slice(-3)).toEqual(
      ['ch_0', 'ch_1', 'rv_0'].map((id) => `operation ${id} ["aurora",null,null,${BEFORE}]`),
    );
    expect(warn).not.toHaveBeenCalled();
    await redact();
    expect(asked.at(-1)?.[0]).toBe('checkout_session');
  });

  test('are over when there are none', async () => {
    const { redact, calls } = retentionOf([]);
    expect([await redact(), await redact(), await redact()]).toEqual([true, true, false]);
    expect(calls).toEqual([]);
  });

  test('are erased in ten objects at once', async () => {
    let [underWay, most] = [0, 0];
    const { redact, calls } = retentionOf([rowsOf('cs', 35)], async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
    });
    await redact();
    expect([most, new Set(calls).size]).toEqual([10, 35]);
  });

  test('stay where an object does not answer, which is said once with how many', async () => {
    const dead = new Set(['cs_1', 'cs_3']);
    const { redact, calls } = retentionOf([rowsOf('cs', 5)], async (name) => {
      if (dead.has(name)) throw new Error('dead');
    });
    expect(await redact()).toBe(true);
    expect(calls).toHaveLength(5);
    const line = { level: 'warn', message: 'words_not_erased', property: 'aurora', failed: 2 };
    expect(warn.mock.calls.map(([text]) => JSON.parse(text))).toEqual([line]);
  });

  test('are looked for once while that is under way, and again afterwards', async () => {
    const { redact, asked } = retentionOf([rowsOf('cs', 1), rowsOf('ch', 1)]);
    const both = [redact(), redact()];
    expect(await Promise.all(both)).toEqual([true, true]);
    expect(asked).toHaveLength(1);
    await redact();
    expect(asked).toHaveLength(2);
  });
});
