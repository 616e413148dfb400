import { describe, expect, test } from 'vitest';
import { useLog } from '../../test-support/log.ts';
import { erasePayments, eraseWords, type KeptBindings } from './old-payments.ts';

interface Row {
  readonly id: string;
  readonly reference: string;
  readonly createdAt: number;
}
const BEFORE = Date.parse('2026-06-01T12:00:00Z');
const until = [BEFORE, '2026-06-01T12:00:00.000Z'];
const rowsOf = (kind: string, count: number): Row[] =>
  Array.from({ length: count }, (_, nth) => ({ id: `${kind}_${nth}`, reference: `RES-${nth}`, createdAt: nth }));

const warnings = useLog('warn');

/** A ledger whose index answers with these pages, and objects that do as `answer` says. */
function oldPayments(pages: Row[][], answer: (name: string) => Promise<unknown> = async () => ({ ok: true })) {
  const asked: unknown[][] = [];
  const sql = {
    exec: (query: string, ...bindings: unknown[]) => {
      asked.push(bindings);
      const page = pages.shift() ?? [];
      const hasReference = query.startsWith('SELECT reference');
      return {
        raw: () => page.map(({ reference, createdAt, id }) => [...(hasReference ? [reference] : []), createdAt, id]),
      };
    },
  } as unknown as SqlStorage;
  const calls: string[] = [];
  const namespace = (binding: string) => ({
    getByName(name: string) {
      const called =
        (method: string) =>
        (...given: unknown[]) => {
          calls.push(`${binding} ${name} ${method} ${JSON.stringify(given)}`);
          return answer(name);
        };
      return { redact: called('redact'), eraseIfOver: called('eraseIfOver') };
    },
  });
  const bindings = { CHECKOUT_SESSIONS: namespace('session'), MONEY_OPERATIONS: namespace('operation') };
  const env = bindings as unknown as KeptBindings;
  const words = eraseWords(env, sql);
  const forgotten: string[] = [];
  const payments = erasePayments(env, sql, ({ id, createdAt }) => forgotten.push(`${id} of ${createdAt}`));
  return {
    redact: () => words.pass('aurora', BEFORE),
    erase: () => payments.pass('aurora', BEFORE),
    forgotten,
    asked,
    calls,
  };
}

describe('the words of old payments', () => {
  test('are erased kind by kind, a batch at a time, and then there is no more', async () => {
    const { redact, asked, calls } = oldPayments([
      rowsOf('cs', 200),
      rowsOf('cs', 1),
      rowsOf('ch', 2),
      rowsOf('rv', 1),
    ]);
    const isMore: boolean[] = [];
    for (let nth = 0; nth < 2; nth++) isMore.push(await redact());
    expect(isMore).toEqual([true, false]);
    const start = ['', 0, ''];
    expect(asked).toEqual([
      ['checkout_session', ...start, ...until, 200],
      ['checkout_session', 'RES-199', 199, 'cs_199', ...until, 200],
      ['charge', ...start, ...until, 199],
      ['reversal', ...start, ...until, 197],
    ]);
    expect(calls).toHaveLength(204);
    expect(calls[0]).toBe(`session cs_0 redact ["aurora",null,null,${BEFORE}]`);
    expect(calls.slice(-3)).toEqual(
      ['ch_0', 'ch_1', 'rv_0'].map((id) => `operation ${id} redact ["aurora",null,null,${BEFORE}]`),
    );
    expect(warnings).toEqual([]);
    await redact();
    expect(asked[4]?.slice(0, 2)).toEqual(['checkout_session', '']);
  });

  test('are over when there are none', async () => {
    const { redact, calls } = oldPayments([]);
    expect(await redact()).toBe(false);
    expect(calls).toEqual([]);
  });

  test('are erased in ten objects at once', async () => {
    let [underWay, most] = [0, 0];
    const { redact, calls } = oldPayments([rowsOf('cs', 35)], async () => {
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
    const { redact, calls } = oldPayments([rowsOf('cs', 5)], async (name) => {
      if (dead.has(name)) throw new Error('dead');
    });
    expect(await redact()).toBe(false);
    expect(calls).toHaveLength(5);
    const line = { level: 'warn', message: 'words_not_erased', property: 'aurora', failed: 2 };
    expect(warnings).toEqual([line]);
  });

  test('are looked for once while that is under way, and again afterwards', async () => {
    const { redact, asked } = oldPayments([rowsOf('cs', 1), rowsOf('ch', 1)]);
    const both = [redact(), redact()];
    expect(await Promise.all(both)).toEqual([false, false]);
    expect(asked).toHaveLength(3);
    await redact();
    expect(asked).toHaveLength(6);
  });
});

describe('old payments', () => {
  test('are forgotten once their objects are gone; those that are needed, or do not answer, are met by the next pass', async () => {
    const kept = new Set(['cs_1', 'cs_3']);
    const { erase, forgotten, asked, calls } = oldPayments([rowsOf('cs', 200), [], rowsOf('ch', 2)], async (name) => {
      if (name === 'cs_2') throw new Error('dead');
      return !kept.has(name);
    });
    const isMore: boolean[] = [];
    for (let nth = 0; nth < 2; nth++) isMore.push(await erase());
    expect(isMore).toEqual([true, false]);
    expect(asked).toEqual([
      ['checkout_session', 0, '', ...until, 200],
      ['checkout_session', 199, 'cs_199', ...until, 200],
      ['charge', 0, '', ...until, 200],
      ['reversal', 0, '', ...until, 198],
    ]);
    expect([calls.length, calls[0], calls.at(-1)]).toEqual([
      202,
      `session cs_0 eraseIfOver [${BEFORE}]`,
      `operation ch_1 eraseIfOver [${BEFORE}]`,
    ]);
    expect([forgotten.length, ...forgotten.slice(0, 2)]).toEqual([199, 'cs_0 of 0', 'cs_4 of 4']);
    const line = { level: 'warn', message: 'payments_not_erased', property: 'aurora', failed: 1 };
    expect(warnings).toEqual([line]);
    await erase();
    expect(asked[4]).toEqual(['checkout_session', 0, '', ...until, 200]);
  });
});
