/** What a newer version has stored is refused, and left as it is. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { alarmForNewer, alarmSetFor } from '../src/objects/moved-alarms.ts';
import type { PlacedObject } from '../src/objects/placed-object.ts';
import { makeTables, SCHEMA_VERSION } from '../src/objects/schema-version.ts';
import { createSession } from '../test-support/client.ts';
import { charge, useMoneyFakes } from '../test-support/money.ts';
import { dumpOf, inStorage } from '../test-support/objects.ts';

const fakes = useMoneyFakes('NEWER');
const NEWER = SCHEMA_VERSION + 1;
const RECORD = `CREATE TABLE object (k INTEGER PRIMARY KEY, body TEXT NOT NULL);
  INSERT INTO object (k, body) VALUES (1, '{"schema":${NEWER},"record":{"property":"aurora"},"unsent":[]}')`;
const TABLES = `CREATE TABLE schema_version (k INTEGER PRIMARY KEY, version INTEGER NOT NULL);
  INSERT INTO schema_version (k, version) VALUES (1, ${NEWER})`;

/** A stored object of each kind, and calls of it. */
const OBJECTS = {
  'a session': [RECORD, () => env.CHECKOUT_SESSIONS, (object) => object.retrieve('aurora')],
  'a charge': [RECORD, () => env.MONEY_OPERATIONS, (object) => object.retrieve('aurora')],
  'a ledger': [
    TABLES,
    () => env.LEDGERS,
    (object) => object.append('aurora', []),
    (object) => object.dropIntent('ch_1'),
  ],
  'an access token': [
    TABLES,
    () => env.ACCESS_TOKENS,
    (object) => object.getToken('aurora', null),
    (object) => object.noteReturnCode('aurora', '51'),
  ],
  'an id key': [TABLES, () => env.ID_KEYS, (object) => object.read()],
  'a property': [
    TABLES,
    () => env.PROPERTIES,
    (object) => object.read(),
    (object) => object.noteKeyUse('hash', 1),
    (object) => object.keyUses(),
  ],
  'a directory': [
    TABLES,
    () => env.DIRECTORIES,
    (object) => object.has('aurora'),
    (object) => object.noteKeyUse('hash', 1),
    (object) => object.keyUses(),
  ],
  'a platform feed': [
    TABLES,
    () => env.FEEDS,
    (object) => object.events({ after: 0, limit: 1, patterns: [] }),
    (object) => object.append('aurora', []),
  ],
  // biome-ignore lint/suspicious/noExplicitAny: each row calls another class of objects
} as const satisfies Record<string, readonly [string, () => unknown, ...((object: any) => Promise<unknown>)[]]>;

describe.each(Object.entries(OBJECTS))('%s of a newer version', (name, [stored, namespace, ...calls]) => {
  const stub = (of: string): DurableObjectStub<PlacedObject> =>
    (namespace() as unknown as DurableObjectNamespace<PlacedObject>).getByName(`${name} ${of}`);

  test.each(calls.map((call, nth) => [nth, call] as const))('is refused, and left as it is (%i)', (nth, call) =>
    runInDurableObject(stub(String(nth)), async (object, { storage }) => {
      storage.sql.exec(stored);
      const before = dumpOf(storage);
      await expect((async () => (call as (object: unknown) => unknown)(object))()).rejects.toThrow(
        `A newer version of the proxy stored this (version ${NEWER}; this proxy knows ${SCHEMA_VERSION})`,
      );
      expect(dumpOf(storage)).toEqual(before);
    }),
  );

  // Nothing wakes an id key.
  test.skipIf(name === 'an id key')('is left to its alarm, which comes again some minutes later', () =>
    runInDurableObject(stub('alarm'), async (object, { storage }) => {
      storage.sql.exec(stored);
      const before = dumpOf(storage);
      await object.alarm();
      const wait = ((await storage.getAlarm()) ?? 0) - Date.now();
      expect(wait).toBeGreaterThanOrEqual(5 * 60_000);
      expect(wait).toBeLessThanOrEqual(6 * 60_000);
      await storage.deleteAlarm();
      expect(dumpOf(storage)).toEqual(before);
    }),
  );
});

test('nothing is concluded from the time of an alarm that an older version has set', () => {
  const at = alarmForNewer(Date.now());
  expect(alarmSetFor({ scheduledTime: at }, {})).toBeUndefined();
  expect(alarmSetFor({ scheduledTime: at + 1 }, {})).toBe(at + 1);
});

test('every object says which version it has stored', async () => {
  const { id } = await createSession();
  const made = await charge(fakes.key());
  for (const [stub, query] of [
    [env.CHECKOUT_SESSIONS.getByName(id), "SELECT body ->> '$.schema' AS version FROM object"],
    [env.MONEY_OPERATIONS.getByName(made.id), "SELECT body ->> '$.schema' AS version FROM object"],
    [env.LEDGERS.getByName('aurora'), 'SELECT version FROM schema_version'],
  ] as const) {
    const rows = await runInDurableObject(stub as DurableObjectStub<PlacedObject>, (_object, { storage }) =>
      storage.sql.exec(query).toArray(),
    );
    expect(rows).toEqual([{ version: SCHEMA_VERSION }]);
  }
});

test('tables that are made later leave the version as it is', () =>
  inStorage(({ sql }) => {
    makeTables(sql, 'CREATE TABLE one (a INTEGER)');
    sql.exec('UPDATE schema_version SET version = 0');
    makeTables(sql, 'CREATE TABLE two (a INTEGER)');
    expect(sql.exec('SELECT version FROM schema_version').toArray()).toEqual([{ version: 0 }]);
  }));
