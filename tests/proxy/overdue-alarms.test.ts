// What becomes due while the proxy is down, in the runtime's own tables.
import { globSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENT } from '../../scripts/test-limits.ts';
import { type Answer, type MoneyStack, startMoneyStack } from '../support/money-stack.ts';

const MINUTES = 60_000;
/** Twenty run a second: for so long that a start on a busy machine is over before most of them have. */
const ALARMS = 400;
/** As many of them are of sessions; there are no sessions to the others, which come after them. */
const SESSIONS = 40;
let proxy: MoneyStack;

beforeAll(async () => {
  proxy = await startMoneyStack();
});
afterAll(() => proxy?.close());

const alarmsFile = (): string =>
  globSync(join(proxy.dataDir, 'storage/objects/*CheckoutSessionObject/metadata.sqlite'))[0] ?? '';
/** The alarms of the sessions, in milliseconds. */
function withAlarms<Result>(read: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(alarmsFile());
  try {
    return read(database);
  } finally {
    database.close();
  }
}
const alarms = (): number[] =>
  withAlarms((database) =>
    database
      .prepare('SELECT scheduled_time / 1000000 AS at FROM _cf_ALARM ORDER BY at')
      .all()
      .map(({ at }) => Number(at)),
  );

test('does not run all at once when the proxy starts, and nothing of it is lost', async () => {
  const create = (nth: number): Promise<Answer> =>
    proxy.call('/v1/checkout-sessions', {
      body: {
        kind: 'payment',
        amount: { value: 12_000, currency: 'EUR' },
        reference: `RES-${nth}`,
        expiresInSeconds: 1_800,
      },
    });
  for (let nth = 0; nth < SESSIONS; nth++) expect((await create(nth)).status).toBe(201);
  await proxy.kill();
  // As if it had been down for longer than any of them lives.
  const past = BigInt(Date.now() - 10 * MINUTES) * 1_000_000n;
  withAlarms((database) => {
    database.prepare('UPDATE _cf_ALARM SET scheduled_time = ?').run(past);
    const insert = database.prepare('INSERT INTO _cf_ALARM (actor_id, scheduled_time) VALUES (?, ?)');
    for (let nth = SESSIONS; nth < ALARMS; nth++) insert.run(String(nth).padStart(64, 'f'), past + 1n);
  });
  const startedAt = Date.now();
  await proxy.restart();
  const moved = alarms();
  // Those of the first moments may have run by now, and have set others.
  const spread = moved.filter((at) => at > startedAt + 3_000 && at < startedAt + 5 * MINUTES);
  // Fewer, the longer the start has taken.
  expect(spread.length).toBeGreaterThan(50 * (1 - (Date.now() - startedAt) / (5 * MINUTES)));
  expect(new Set(spread).size).toBe(spread.length);
  // Whoever asks for a session meanwhile finds it, and one whose alarm comes goes on.
  expect((await proxy.call('/v1/checkout-sessions?limit=1')).body).toMatchObject({ data: [{ status: 'open' }] });
  await vi.waitFor(() => expect(alarms().filter((at) => at > startedAt + 5 * MINUTES)).not.toEqual([]), PATIENT);
});

test('follows a clock that was set back while the proxy was down', async () => {
  await proxy.kill();
  const then = Date.now() + 60 * MINUTES;
  const planned = BigInt(then + 10 * MINUTES) * 1_000_000n;
  const objects = globSync(join(dirname(alarmsFile()), '*.sqlite')).filter((file) => file !== alarmsFile());
  /** What the objects themselves know of their alarms, in milliseconds. */
  const known = (): number[] =>
    objects.map((file) => {
      const database = new DatabaseSync(file);
      const row = database.prepare('SELECT value / 1000000 AS at FROM _cf_METADATA WHERE key = 1').get();
      database.close();
      return Number(row?.at);
    });
  for (const file of objects) {
    const database = new DatabaseSync(file);
    database.prepare('UPDATE _cf_METADATA SET value = ? WHERE key = 1').run(planned);
    database.close();
  }
  withAlarms((database) => database.prepare('UPDATE _cf_ALARM SET scheduled_time = ?').run(planned));
  utimesSync(alarmsFile(), then / 1_000, then / 1_000);
  for (let starts = 0; starts < 2; starts++) {
    const startedAt = Date.now();
    await proxy.restart();
    const moved = [...alarms(), ...known()];
    expect(moved.length).toBeGreaterThan(SESSIONS * 2 - 1);
    expect(Math.max(...moved)).toBeLessThanOrEqual(Date.now() + 10 * MINUTES);
    // Once only.
    expect(Math.min(...moved)).toBeGreaterThan(startedAt + 5 * MINUTES);
    await proxy.kill();
  }
  await proxy.restart();
});
