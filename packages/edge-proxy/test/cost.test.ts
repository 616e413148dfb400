/** What one typical payment makes Cloudflare count, beside the page that computes its price. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { AccessTokenObject } from '../src/upstream/access-token-object.ts';
import { type Created, guest, merchant, PAYMENT, send, startAttempt, startSession } from '../test-support/client.ts';
import { FakeUpstream } from '../test-support/fake-upstream.ts';

const PAGES: Readonly<Record<string, string>> = import.meta.glob('../../../docs/concepts/cost.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** When the guest, who pays 90 seconds after the start, comes back. */
const PAID_AFTER_MS = 90_000;
const CLASSES = [CheckoutSessionObject, LedgerObject, AccessTokenObject];
/** How long a call of the payment service or of a webhook is taken to last; an object is awake, and billed, as long. */
const CALL_SECONDS = 0.2;
/** What else an object does in a request or an alarm. */
const WORK_SECONDS = 0.01;
const OBJECT_GB = 0.128;

let upstream: FakeUpstream;
const alarms = new Map<DurableObjectStorage, number>();
const counted = { workerRequests: 0, objectRequests: 0, alarmsRun: 0, alarmsSet: 0, otherWrites: 0 };
/** Each is at least a row written, though no statement says so. */
const OTHER_WRITES = ['put', 'delete', 'deleteAll', 'deleteAlarm'] as const;
const cursors: SqlStorageCursor<never>[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-01T12:00:00Z') });
  upstream = new FakeUpstream().install();
});

/** A call of the Worker. */
function ask(answer: () => Promise<Response>): Promise<Response> {
  counted.workerRequests += 1;
  return answer();
}

/** Counts from now on. Alarms are noted instead of set: the test runs each at its time. */
async function count(stub: DurableObjectStub<LedgerObject>): Promise<void> {
  for (const { prototype } of CLASSES) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (name === 'constructor') continue;
      const method: unknown = Reflect.get(prototype, name);
      if (typeof method !== 'function') continue;
      vi.spyOn(prototype as unknown as Record<string, () => unknown>, name).mockImplementation(function (
        this: unknown,
        ...args: unknown[]
      ) {
        counted[name === 'runAlarm' ? 'alarmsRun' : 'objectRequests'] += 1;
        return Reflect.apply(method, this, args);
      });
    }
  }
  await runInDurableObject(stub, (_ledger, { storage }) => {
    const storages = Object.getPrototypeOf(storage) as DurableObjectStorage;
    vi.spyOn(storages, 'setAlarm').mockImplementation(function (this: DurableObjectStorage, at: number | Date) {
      counted.alarmsSet += 1;
      alarms.set(this, Number(at));
      return Promise.resolve();
    } as DurableObjectStorage['setAlarm']);
    const { kv } = storage;
    for (const name of OTHER_WRITES) {
      for (const writer of name === 'put' || name === 'delete' ? [storages, Object.getPrototypeOf(kv)] : [storages]) {
        const write: unknown = Reflect.get(writer, name);
        vi.spyOn(writer as Record<string, () => unknown>, name).mockImplementation(function (
          this: DurableObjectStorage,
          ...args: unknown[]
        ) {
          counted.otherWrites += 1;
          if (name === 'deleteAlarm') alarms.delete(this);
          return Reflect.apply(write as () => unknown, this, args);
        });
      }
    }
    const tables = Object.getPrototypeOf(storage.sql) as { exec(...args: unknown[]): SqlStorageCursor<never> };
    const { exec } = tables;
    vi.spyOn(tables, 'exec').mockImplementation(function (this: unknown, ...args) {
      const cursor: SqlStorageCursor<never> = Reflect.apply(exec, this, args);
      cursors.push(cursor);
      return cursor;
    });
  });
}

/** Runs every alarm until then, each at its time. */
async function runAlarms(
  stubs: readonly DurableObjectStub<CheckoutSessionObject | LedgerObject>[],
  until: number,
): Promise<void> {
  for (let isAny = true; isAny; ) {
    isAny = false;
    for (const stub of stubs) {
      const at = await runInDurableObject(stub, (_object, { storage }) => alarms.get(storage));
      if (at === undefined || at > until) continue;
      isAny = true;
      vi.setSystemTime(Math.max(Date.now(), at));
      await runInDurableObject(stub, (object, { storage }) => {
        alarms.delete(storage);
        return object.alarm();
      });
    }
  }
  vi.setSystemTime(until);
}

/** The table of the page. */
function table(rows: readonly (readonly [what: string, count: number, dollars: number])[]): string {
  const total = rows.reduce((sum, [, , dollars]) => sum + dollars, 0);
  const lines = rows.map(
    ([what, each, dollars]) => `| ${what} | ${Number(each.toFixed(2))} | ${dollars.toFixed(2)} |\n`,
  );
  return `| Counted | One payment | Dollars per million |\n| --- | --- | --- |\n${lines.join('')}| **together** | | **${total.toFixed(2)}** |\n`;
}

test('the page says what one payment makes Cloudflare count, and its price', async () => {
  const ledger = env.LEDGERS.getByName('aurora');
  await count(ledger);
  // Another payment first: tables and endpoints of the hotel and its token are made once.
  const other = await startSession();
  upstream.pay(other.id);
  await runAlarms([env.CHECKOUT_SESSIONS.getByName(other.id), ledger], Date.now() + 60_000);
  Object.assign(counted, { workerRequests: 0, objectRequests: 0, alarmsRun: 0, alarmsSet: 0, otherWrites: 0 });
  cursors.length = 0;
  const before = upstream.requests.length;

  const created = await ask(() => merchant('/v1/checkout-sessions', { body: { ...PAYMENT, reference: 'RES-2' } }));
  const { id, clientSecret } = await created.json<Created>();
  const stubs = [env.CHECKOUT_SESSIONS.getByName(id), ledger];
  const read = (): Promise<Response> => ask(() => guest('/v1/checkout', clientSecret));
  await read();
  await ask(() => startAttempt({ clientSecret }));
  const startedAt = Date.now();
  await runAlarms(stubs, startedAt + PAID_AFTER_MS);
  upstream.pay(id);
  await ask(() => send(upstream.returnPath(id, 'success')));
  await read();
  await read();
  await runAlarms(stubs, startedAt + 10 * 60_000);
  expect(await (await read()).json()).toMatchObject({ status: 'succeeded' });

  const calls = upstream.requests.length - before;
  const rowsRead = cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0);
  const rowsWritten = cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0) + counted.otherWrites;
  const objectCalls = counted.objectRequests + counted.alarmsRun;
  const gigabyteSeconds = (calls * CALL_SECONDS + objectCalls * WORK_SECONDS) * OBJECT_GB;
  const text = table([
    ['requests of the Worker', counted.workerRequests, counted.workerRequests * 0.3],
    ['requests of objects', counted.objectRequests, counted.objectRequests * 0.15],
    ['alarms run', counted.alarmsRun, counted.alarmsRun * 0.15],
    ['alarms set, a row written each', counted.alarmsSet, counted.alarmsSet],
    ['other rows written', rowsWritten, rowsWritten],
    ['rows read', rowsRead, rowsRead * 0.001],
    [`GB-s, with ${CALL_SECONDS} s for each of ${calls} calls that go out`, gigabyteSeconds, gigabyteSeconds * 12.5],
  ]);
  expect(Object.values(PAGES)[0]).toContain(text);
});
