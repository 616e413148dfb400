import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { inStorage, tablesOf } from '../../test-support/objects.ts';
import { ACTOR, NEW_CHARGE_RECORD, OPEN_SESSION } from '../../test-support/records.ts';
import { versionEventId } from '../http/ids.ts';
import { type Outcome, refuse } from '../http/problem.ts';
import type { ChargeRecord, MoneyRecord } from '../money/money-record.ts';
import { MoneyStorage } from '../money/money-storage.ts';
import { moneyEntry } from '../money/money-transition.ts';
import type { Act } from '../properties/audit-row.ts';
import { SessionStorage } from '../sessions/session-storage.ts';
import type { LedgerUpdate } from './ledger-update.ts';
import { RecordStorage } from './record-storage.ts';
import type { Reservation } from './reservations.ts';
import { ReservedAmounts } from './reserved-amounts.ts';
import type { ReversiblePayment } from './reversible-payment.ts';

// The runtime moves alarms of the past to the present.
const NOW = Date.parse('2096-11-01T12:00:00.000Z');
const HOUR = 3_600_000;
const ID = `ch_${'0'.repeat(26)}`;
const RECORD: ChargeRecord = { ...NEW_CHARGE_RECORD, id: ID, createdAt: NOW, sealedToken: null };

useClock(NOW);

/** A ledger that takes what it gets, until a test says otherwise. */
class FakeLedger {
  readonly got: LedgerUpdate[] = [];
  readonly properties: string[] = [];
  readonly work: Promise<unknown>[] = [];
  onAppend: () => unknown = () => undefined;

  readonly link = {
    ledgerOf: (property: string) => ({
      append: async (_property: string, updates: readonly LedgerUpdate[]) => {
        this.properties.push(property);
        await this.onAppend();
        this.got.push(...updates);
      },
    }),
    waitUntil: (work: Promise<unknown>) => void this.work.push(work),
  };

  get seqs(): number[] {
    return this.got.map(({ resource }) => resource.seq);
  }

  /** What happened, and in which version. */
  get told(): string[] {
    return this.got.map(({ type, resource }) => `${type ?? 'nothing'} ${resource.seq}`);
  }

  /** Waits for what was begun. */
  async settled(): Promise<void> {
    await Promise.all(this.work);
  }
}

type Parts = Awaited<ReturnType<typeof partsOf>>;

/** A stored charge that the ledger knows of. */
async function partsOf(storage: DurableObjectStorage) {
  const ledger = new FakeLedger();
  /** The next instance on the same storage. */
  const reopen = (): MoneyStorage => new MoneyStorage(storage, ledger.link);
  const store = reopen();
  store.transaction(() => store.create(RECORD, 'print'));
  await ledger.settled();
  ledger.got.length = 0;
  const exec = vi.spyOn(Object.getPrototypeOf(storage.sql) as SqlStorage, 'exec');
  /** How often the row was written, from when the test begins. */
  const writes = (): number => exec.mock.calls.filter(([query]) => query.startsWith('INSERT')).length;
  return { store, storage, ledger, writes, reopen };
}

function withCharge(act: (parts: Parts) => void | Promise<void>): Promise<void> {
  return inStorage(async (storage) => act(await partsOf(storage)));
}

const later = (record: MoneyRecord, now: number): MoneyRecord => ({
  ...record,
  seq: record.seq + 1,
  state: 'succeeded',
  transactionId: 'PAY-1',
  completedAt: now,
});
const nothing = (): void => undefined;
const nextVersion = (record: MoneyRecord): MoneyRecord => ({ ...record, seq: record.seq + 1 });

/** What an alarm does that was set for this time and comes at it. */
async function ring(store: MoneyStorage, storage: DurableObjectStorage): Promise<void> {
  const at = (await storage.getAlarm()) ?? Date.now();
  vi.setSystemTime(Math.max(at, Date.now()));
  store.load(at);
  await store.runDue(async ({ kind }) => store.due.clear(kind), at);
}

describe('a record', () => {
  test('leaves no table behind when it is only asked for', () =>
    inStorage((storage) => {
      const store = new MoneyStorage(storage);
      expect([store.exists(), store.load(), store.findClaim()]).toEqual([false, undefined, undefined]);
      expect(store.ofProperty('aurora')).toEqual(store.notFound());
      expect(tablesOf(storage)).toEqual([]);
    }));

  test('is looked for once, and by no query that fails, where it is about to be made', () =>
    inStorage((storage) => {
      const exec = vi.spyOn(Object.getPrototypeOf(storage.sql) as SqlStorage, 'exec');
      const store = new MoneyStorage(storage);
      store.prepare();
      expect([store.load(), store.exists(), store.findClaim()]).toEqual([undefined, false, undefined]);
      store.transaction(() => store.create(RECORD, 'print'));
      expect(exec.mock.calls.map(([query]) => query.split(' ')[0])).toEqual(['CREATE', 'SELECT', 'INSERT']);
      expect(exec.mock.results.every(({ type }) => type === 'return')).toBe(true);
    }));

  test('is there once it was written, whatever fails in the same commit', () =>
    inStorage((storage) => {
      const store = new MoneyStorage(storage);
      expect(store.load()).toBeUndefined();
      vi.spyOn(store.due, 'arm').mockImplementation(() => {
        throw new Error('no alarm');
      });
      expect(() => store.transaction(() => store.create(RECORD, 'print'))).toThrow('no alarm');
      expect(store.load()).toEqual(RECORD);
    }));

  test('belongs to one property, and is shown only to the request that made it, also after a restart', () =>
    withCharge(({ store, reopen }) => {
      const next = reopen();
      next.load();
      for (const each of [store, next]) {
        expect(each.ofProperty('aurora')).toEqual({ ok: true, value: RECORD });
        expect(each.ofProperty('borealis')).toEqual({
          ok: false,
          code: 'not_found',
          detail: 'There is no charge or reversal with this id',
        });
        expect(each.refuseOther(RECORD, 'print')).toBeUndefined();
        expect(each.refuseOther(RECORD, 'other')).toEqual({
          ok: false,
          code: 'idempotency_mismatch',
          detail: 'This key was used with another body: read what that made before you use a new key',
          param: 'Idempotency-Key',
          resource: ID,
        });
      }
    }));

  test('follows a clock that went back, whoever asks for it', () =>
    withCharge(async ({ store, storage }) => {
      store.transaction(() => store.due.set('settle', NOW + 5_000));
      vi.setSystemTime(NOW - HOUR);
      expect(store.ofProperty('aurora').ok).toBe(true);
      expect([store.due.get('settle'), await storage.getAlarm()]).toEqual([NOW - HOUR + 5_000, NOW - HOUR + 5_000]);
    }));
});

describe('a change', () => {
  test('is one row with its update and what is due, the alarm, and news for the ledger at once', () =>
    withCharge(async ({ store, storage, ledger, writes, reopen }) => {
      const changed = store.commit(later, (next, now) => {
        store.transaction(() => store.addClaim({ id: 'rv_1', payment: ID, property: 'aurora', epoch: 1 }));
        store.due.set(next.state, now + 60_000);
      });
      expect(changed).toEqual(later(RECORD, NOW));
      expect(writes()).toBe(1);
      const next = reopen();
      expect([next.load(), next.findClaim()?.id]).toEqual([changed, 'rv_1']);
      for (const each of [store, next]) expect(each.due.get('succeeded')).toBe(NOW + 60_000);
      expect(await storage.getAlarm()).toBe(NOW + 30_000);
      await ledger.settled();
      expect(ledger.properties.at(-1)).toBe('aurora');
      expect(ledger.got).toEqual([
        {
          type: 'charge.succeeded',
          eventId: await versionEventId({ ...RECORD, seq: 2 }),
          at: NOW,
          keepsIntentUntil: expect.any(Number),
          resource: expect.objectContaining({ id: ID, seq: 2, status: 'succeeded', reference: 'RES-1' }),
        },
      ]);
      // That it was taken costs no row.
      expect([writes(), await storage.getAlarm()]).toEqual([1, NOW + 60_000]);
    }));

  test.each<[string, (store: MoneyStorage) => void]>([
    ['what is due next', nothing],
    ['the shares', (store) => Object.assign(store, { reservations: [{ id: 'rv_1' }] })],
    ['another change', (store) => store.saveForLists(2, { ...later(RECORD, NOW), seq: 3 })],
  ])('that fails after %s was changed leaves memory and disk as they were', (_what, act) =>
    withCharge(async ({ store, storage, ledger, writes, reopen }) => {
      const alarm = await storage.getAlarm();
      const plan = (): never => {
        store.due.set('poll', NOW + 1);
        act(store);
        throw new Error('no plan');
      };
      expect(() => store.commit(later, plan)).toThrow('no plan');
      for (const each of [store, reopen()]) {
        expect([each.load(), each.due.get('poll'), each.reservations]).toEqual([RECORD, undefined, []]);
      }
      store.transaction(nothing);
      await store.sendUpdates();
      await ledger.settled();
      expect([writes(), ledger.got, await storage.getAlarm()]).toEqual([0, [], alarm]);
      // The next one is whole.
      store.commit(later, () => store.due.set('poll', NOW + 1));
      expect([reopen().load()?.seq, await storage.getAlarm()]).toEqual([2, NOW + 1]);
    }),
  );

  test('that the disk does not take is not remembered, nor told, nor is the first one of all', () =>
    inStorage(async (storage) => {
      const ledger = new FakeLedger();
      const store = new MoneyStorage(storage, ledger.link);
      const exec = vi.spyOn(Object.getPrototypeOf(storage.sql) as SqlStorage, 'exec');
      exec.mockImplementation(() => {
        throw new Error('no room');
      });
      expect(() => store.transaction(() => store.create(RECORD, 'print'))).toThrow('no room');
      exec.mockRestore();
      expect([store.exists(), store.load(), ledger.work]).toEqual([false, undefined, []]);
      expect([await storage.getAlarm(), store.transaction(() => 7)]).toEqual([null, 7]);
    }));

  test('of another version than the stored one throws', () =>
    withCharge(({ store }) => {
      expect(() => store.transaction(() => store.save(2, { ...RECORD, seq: 3 }))).toThrow(
        `${ID} moved on from version 2`,
      );
      expect(store.load()).toEqual(RECORD);
    }));

  test('for lists alone has no event', () =>
    withCharge(async ({ store, ledger }) => {
      store.transaction(() => store.saveForLists(1, { ...RECORD, seq: 2 }));
      await ledger.settled();
      expect(ledger.got).toEqual([
        expect.objectContaining({ eventId: '', type: null, at: NOW, resource: expect.objectContaining({ seq: 2 }) }),
      ]);
    }));
});

describe('updates for the ledger', () => {
  const away = (): never => {
    throw new Error('away');
  };

  test('are sent one batch at a time, in order, what comes meanwhile after it', () =>
    withCharge(async ({ store, storage, ledger }) => {
      let sending = 0;
      ledger.onAppend = async () => {
        sending += 1;
        expect(sending).toBe(1);
        if (ledger.got.length === 0) store.transaction(() => store.saveForLists(3, { ...later(RECORD, NOW), seq: 4 }));
        await Promise.resolve();
        sending -= 1;
      };
      for (const _ of [1, 2]) store.commit(nextVersion, nothing);
      await ledger.settled();
      expect(ledger.seqs).toEqual([2, 3, 4]);
      expect([store.due.get('updates'), await storage.getAlarm()]).toEqual([undefined, null]);
    }));

  test('of what an alarm does have been sent once it has ended', () =>
    withCharge(async ({ store, ledger }) => {
      store.due.set('settle', NOW);
      await store.runDue(async ({ kind }) => void store.commit(later, () => store.due.clear(kind)));
      expect(ledger.seqs).toEqual([2]);
    }));

  test.each([
    ['the instance that made them', false],
    ['the next one', true],
  ])('that are not taken are sent again every thirty seconds, by %s, as they were', (_who, isNext) =>
    withCharge(async ({ store, storage, ledger, reopen }) => {
      ledger.onAppend = away;
      store.commit(later, nothing);
      store.transaction(() => store.saveForLists(2, { ...later(RECORD, NOW), seq: 3 }));
      await ledger.settled();
      for (const seconds of [30, 60, 90]) {
        expect(await storage.getAlarm()).toBe(NOW + seconds * 1_000);
        if (seconds === 90) ledger.onAppend = nothing;
        await ring(isNext ? reopen() : store, storage);
      }
      expect(ledger.seqs).toEqual([2, 3]);
      expect(ledger.got[0]).toMatchObject({ eventId: await versionEventId({ ...RECORD, seq: 2 }), at: NOW });
      for (const { resource } of ledger.got) expect(JSON.parse(resource.body)).toMatchObject({ seq: resource.seq });
      expect(await storage.getAlarm()).toBeNull();
    }),
  );

  /** What happens between a change and the end of its instance. */
  type Before = (parts: Parts) => unknown;
  test.each<[string, Before]>([
    ['while they are sent', () => undefined],
    ['while another task is due earlier', ({ store }) => store.transaction(() => store.due.set('settle', NOW + 5))],
    ['after the clock went back', ({ store }) => [vi.setSystemTime(NOW - HOUR), store.load()]],
    ['after the clock went back, and nobody has noticed', () => vi.setSystemTime(NOW - HOUR)],
    [
      'while they are sent again',
      ({ store }) => {
        vi.setSystemTime(NOW + 30_000);
        void store.runDue(async () => undefined, NOW + 30_000);
        store.transaction(() => store.due.set('settle', NOW + HOUR));
      },
    ],
    [
      'after a request came before an alarm that is late',
      ({ reopen }) => {
        vi.setSystemTime(NOW + 40_000);
        const next = reopen();
        next.transaction(() => next.due.set('settle', NOW + HOUR));
      },
    ],
  ])('are not lost when the instance dies %s', (_when, before) =>
    withCharge(async (parts) => {
      const { store, storage, ledger, reopen } = parts;
      const reached = Promise.withResolvers<void>();
      ledger.onAppend = () => {
        reached.resolve();
        return new Promise(nothing);
      };
      store.commit(later, nothing);
      await reached.promise;
      await before(parts);
      ledger.onAppend = nothing;
      // As many instances as there are alarms, one after the other.
      for (let nth = 0; nth < 4 && ledger.got.length === 0; nth++) await ring(reopen(), storage);
      expect(ledger.seqs).toEqual([2]);
    }),
  );

  test('that were taken are not sent again by a later alarm, and are gone from the next row', () =>
    withCharge(async ({ store, storage, ledger, writes, reopen }) => {
      store.commit(later, () => store.due.set('settle', NOW + HOUR));
      await ledger.settled();
      const next = reopen();
      await ring(next, storage);
      expect([ledger.seqs, writes()]).toEqual([[2], 2]);
      expect(JSON.stringify(storage.sql.exec('SELECT body FROM object').one())).toContain('\\"unsent\\":[]');
    }));

  test('of an object that was erased meanwhile leave nothing behind, nor take what is made anew with them', () =>
    withCharge(async ({ store, storage, ledger }) => {
      for (const isMadeAnew of [false, true]) {
        for (const answer of [nothing, away]) {
          if (!store.exists()) store.transaction(() => store.create(RECORD, 'print'));
          await ledger.settled();
          ledger.got.length = 0;
          ledger.onAppend = async () => {
            ledger.onAppend = nothing;
            await store.erase();
            if (isMadeAnew) store.transaction(() => store.create({ ...RECORD, reference: 'RES-2' }, 'print'));
            answer();
          };
          store.commit(later, nothing);
          await ledger.settled();
          if (isMadeAnew) await ring(store, storage);
          expect(store.exists()).toBe(isMadeAnew);
          const told = ledger.got.map(({ resource }) => resource.reference);
          if (isMadeAnew) expect(told.at(-1)).toBe('RES-2');
        }
      }
    }));

  test('do not exist for a charge that did not change, nor without a charge', async () => {
    await withCharge(async ({ store, ledger }) => {
      const asked = ledger.properties.length;
      store.due.set('updates', NOW);
      await store.sendUpdates();
      expect([store.due.get('updates'), ledger.properties.length]).toEqual([undefined, asked]);
    });
    await inStorage(async (storage) => {
      const ledger = new FakeLedger();
      await new MoneyStorage(storage, ledger.link).sendUpdates();
      expect(ledger.properties).toEqual([]);
    });
  });
});

describe('the words of a record', () => {
  const ACT: Act = { action: 'charge.redacted', actor: ACTOR };

  test('are erased from it, from what the ledger has not taken, and from all that comes later', () =>
    withCharge(async ({ store, storage, ledger, reopen }) => {
      ledger.onAppend = () => {
        throw new Error('away');
      };
      store.commit((record, now) => ({ ...later(record, now), state: 'sent' }), nothing);
      store.transaction(() => store.redact(ACT));
      const erased = { seq: 3, reference: null, redactedAt: NOW, transactionId: 'PAY-1' };
      for (const each of [store, reopen()]) expect(each.load()).toMatchObject(erased);
      const again = { reference: 'RES-1', description: 'Ms Doe' };
      const next = store.commit((record, now) => ({ ...later(record, now), ...again }), nothing);
      expect(next).toMatchObject({ seq: 4, reference: null, description: null });
      store.transaction(() => store.saveForLists(4, { ...(store.load() as MoneyRecord), seq: 5, ...again }));
      for (const each of [store, reopen()]) expect(each.load()).toEqual({ ...next, seq: 5 });
      await ledger.settled();
      ledger.onAppend = nothing;
      await ring(store, storage);
      expect(ledger.told).toEqual(['nothing 2', 'payment.redacted 3', 'charge.succeeded 4', 'nothing 5']);
      for (const { resource } of ledger.got) {
        expect(resource.reference).toBeNull();
        expect(JSON.parse(resource.body)).toMatchObject({ reference: null, seq: resource.seq, amount: RECORD.amount });
      }
      const earlier = [1, 2].map((seq) => versionEventId({ ...RECORD, seq }));
      expect(ledger.got[1]).toMatchObject({
        at: NOW,
        redacts: await Promise.all(earlier),
        audit: { action: 'charge.redacted', resource: ID, at: NOW, ...ACTOR },
      });
      for (const nth of [0, 2, 3]) expect(ledger.got[nth]).not.toHaveProperty('redacts');
    }));

  test('can be erased in the ledger alone, by nobody, and an act can be told of a record that stays', () =>
    withCharge(async ({ store, ledger }) => {
      store.transaction(() => store.tellRedaction());
      store.transaction(() => store.tellAudit(ACT));
      await ledger.settled();
      expect(ledger.got).toMatchObject([
        { type: 'payment.redacted', at: NOW, redacts: [] },
        { type: null, at: NOW, audit: { action: 'charge.redacted', resource: ID, at: NOW } },
      ]);
      expect(ledger.got[0]).not.toHaveProperty('audit');
      expect(store.load()).toEqual(RECORD);
      // What somebody does is told with the change that it makes.
      store.commit(nextVersion, nothing, ACT);
      await ledger.settled();
      expect(ledger.got[2]).toMatchObject({ at: NOW, audit: { action: 'charge.redacted', resource: ID, at: NOW } });
    }));

  test('do not exist without one', () =>
    inStorage(async (storage) => {
      const ledger = new FakeLedger();
      const store = new MoneyStorage(storage, ledger.link);
      store.transaction(() => {
        store.redact(ACT);
        store.tellRedaction(ACT);
        store.tellAudit(ACT);
      });
      expect([store.exists(), ledger.work]).toEqual([false, []]);
    }));
});

describe('a record whose time is over', () => {
  const DAY = 24 * HOUR;
  const held = { id: 'rv_1', state: 'held' } as unknown as Reservation;

  interface State {
    readonly record?: Partial<ChargeRecord>;
    readonly isFinal?: boolean;
    readonly shares?: readonly Reservation[];
    readonly eraseAt?: number | undefined;
  }
  test.each<[string, boolean, State?]>([
    ['is erased', true],
    ['is erased when its reversals have outcomes', true, { shares: [{ ...held, state: 'reversed' }] }],
    ['is erased though nobody knows any more when that is due', true, { eraseAt: undefined }],
    ['is kept while its outcome is not certain', false, { isFinal: false }],
    ['is kept while a reversal has no outcome', false, { shares: [held] }],
    ['is kept as long as its hotel keeps it', false, { record: { createdAt: NOW + 1 } }],
    ['is kept as long from when it was completed', false, { record: { completedAt: NOW + 1 } }],
    ['is kept until that is due', false, { eraseAt: NOW + 400 * DAY + 1 }],
  ])('%s', (_what, isGone, { record = {}, isFinal = true, shares = [], ...due } = {}) =>
    withCharge(async ({ store, storage, ledger, writes, reopen }) => {
      const { eraseAt } = { eraseAt: NOW + 400 * DAY, ...due };
      store.transaction(() => {
        store.save(1, { ...RECORD, ...record });
        store.tellAudit({ action: 'charge.redacted', actor: ACTOR });
        if (eraseAt !== undefined) store.due.set('erase', eraseAt);
        Object.assign(store, { reservations: shares });
      });
      await ledger.settled();
      vi.setSystemTime(NOW + 400 * DAY);
      const [next, before] = [reopen(), writes()];
      expect(await next.eraseIfOver(NOW + 1, () => isFinal)).toBe(isGone);
      for (const each of [next, reopen()]) expect(each.exists()).toBe(!isGone);
      // Nothing is told again, however often the ledger looks.
      expect([writes() - before, await storage.getAlarm()]).toEqual([0, null]);
    }),
  );
});

test('a task that was moved without a row is due when its record says, and any other when it was planned', () =>
  inStorage(async (storage) => {
    const moved = vi.fn((_record: MoneyRecord, _task: unknown, calledFor: number) => calledFor + 7);
    const isRepeatable = (kind: string): boolean => kind === 'poll';
    const open = (kind: object) =>
      new RecordStorage<MoneyRecord, object>(storage, { noun: 'thing', toEntry: moneyEntry, beside: {}, ...kind });
    const store = open({});
    const plan = (): void => {
      for (const kind of ['poll', 'settle']) store.due.set(kind, NOW + 10);
    };
    const dueOf = (of: RecordStorage<MoneyRecord, object>) => {
      of.exists();
      of.due.followClock(NOW + 20);
      return [of.due.get('poll'), of.due.get('settle')];
    };
    store.transaction(() => {
      Object.assign(store, { reservations: [] });
      plan();
    });
    vi.setSystemTime(NOW + 20);
    const kind = { isRepeatable, moved };
    // Without a record nothing can say.
    expect(dueOf(open(kind))).toEqual([NOW + 10, NOW + 10]);
    store.transaction(() => store.create(RECORD, 'print'));
    expect(dueOf(open(kind))).toEqual([NOW + 27, NOW + 10]);
    expect(moved.mock.calls).toEqual([[RECORD, { kind: 'poll', at: NOW + 10 }, NOW + 20]]);
    expect(dueOf(open({ isRepeatable }))).toEqual([undefined, NOW + 10]);
    expect(dueOf(open({}))).toEqual([NOW + 10, NOW + 10]);
  }));

test('syncing ends when the storage has everything on disk', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Nothing else of it is used here.
  const syncing = new MoneyStorage({ sync: () => promise } as unknown as DurableObjectStorage).sync();
  expect(await Promise.race([syncing, Promise.resolve('not yet')])).toBe('not yet');
  resolve();
  expect(await syncing).toBeUndefined();
});

test('erasing leaves nothing, is due until it was done, and what is made afterwards has an alarm again', () =>
  withCharge(async ({ store, storage, reopen }) => {
    store.transaction(() => store.due.set('settle', NOW + 1_000));
    vi.spyOn(storage, 'deleteAll').mockRejectedValueOnce(new Error('reset'));
    await expect(store.erase()).rejects.toThrow('reset');
    expect([reopen().exists(), await storage.getAlarm()]).toEqual([true, NOW + 1_000]);
    await store.erase();
    for (const each of [store, reopen()]) expect([each.exists(), each.load()]).toEqual([false, undefined]);
    expect(await storage.getAlarm()).toBeNull();
    store.transaction(() => store.create(RECORD, 'print'));
    expect([store.due.get('settle'), await storage.getAlarm()]).toEqual([undefined, NOW + 30_000]);
  }));

test('a claim is kept until its reversal is written down', () =>
  inStorage((storage) => {
    const store = new MoneyStorage(storage);
    expect(store.findClaim()).toBeUndefined();
    const claim = { id: 'rv_1', payment: ID, property: 'aurora' };
    for (const epoch of [1, 2]) store.transaction(() => store.addClaim({ ...claim, epoch }));
    for (const each of [store, new MoneyStorage(storage)]) {
      expect([each.exists(), each.load(), each.findClaim()]).toEqual([true, undefined, { ...claim, epoch: 2 }]);
    }
    store.transaction(() => store.create(RECORD, 'print'));
    for (const each of [store, new MoneyStorage(storage)]) expect(each.findClaim()).toBeUndefined();
  }));

describe('the shares of a payment', () => {
  const payment: ReversiblePayment = {
    total: { value: 8_000, currency: 'EUR' },
    attempt: 2,
    reference: 'RES-1',
    paymentTransactionId: 'PAY-1',
    serviceProvider: 'TEST_HOSTED',
    hotel: RECORD.hotel,
  };
  const reservedAmountsOf = (store: MoneyStorage): ReservedAmounts<MoneyRecord> =>
    new ReservedAmounts(store, (record, sums, attempt) => {
      expect(attempt).toBe(2);
      return { ...record, sums } as ChargeRecord;
    });
  const sumsOf = (store: MoneyStorage): unknown => (store.load() as ChargeRecord).sums;
  const ALL = { id: 'rv_1', attempt: null, amount: null, epoch: 1 };
  const notReversible = (detail: string) => ({ ok: false, code: 'not_reversible', detail, resource: ID });

  test('move from one attempt to another with the reversal that asks again', () =>
    withCharge(({ store }) => {
      const sums: string[] = [];
      const reservedAmounts = new ReservedAmounts<MoneyRecord>(store, (record, { reversing }, attempt) => {
        sums.push(`${attempt}: ${reversing}`);
        return record;
      });
      for (const [epoch, attempt] of [1, 2].entries()) {
        const asked = { id: 'rv_1', attempt, amount: null, epoch: epoch + 1 };
        expect(reservedAmounts.reserve(RECORD, { ...payment, attempt }, asked).ok).toBe(true);
      }
      reservedAmounts.settle(RECORD, { id: 'rv_1', settlement: 'released', epoch: 2 });
      expect(sums).toEqual(['1: 8000', '1: 0', '2: 8000', '2: 0']);
    }));

  test('are in one row with the record, each in a version of its own, which only lists show', () =>
    withCharge(async ({ store, ledger, writes, reopen }) => {
      const reservedAmounts = reservedAmountsOf(store);
      const { total: _, ...details } = payment;
      const asked = { id: 'rv_1', attempt: null, amount: { value: 3_000, currency: 'EUR' }, epoch: 1 };
      const reserved = { ok: true, value: { ...details, amount: asked.amount } };
      expect(reservedAmounts.reserve(RECORD, payment, asked)).toEqual(reserved);
      const held = reopen();
      expect(held.load()).toMatchObject({ sums: { reversed: 0, reversing: 3_000 }, seq: 2 });
      expect(held.reservations).toHaveLength(1);
      reservedAmounts.settle(RECORD, { id: 'rv_1', settlement: 'reversed', epoch: 1 });
      expect([sumsOf(reopen()), store.load()?.seq, writes()]).toEqual([{ reversed: 3_000, reversing: 0 }, 3, 2]);
      await ledger.settled();
      expect(ledger.told).toEqual(['nothing 2', 'nothing 3']);
    }));

  test('that do not change make no version, and a release that comes first is remembered', () =>
    withCharge(({ store, ledger, reopen }) => {
      const reservedAmounts = reservedAmountsOf(store);
      const tooMuch = { id: 'rv_2', attempt: 2, amount: { value: 9_000, currency: 'EUR' }, epoch: 1 };
      expect(reservedAmounts.reserve(RECORD, payment, tooMuch)).toMatchObject({ ok: false, code: 'invalid_request' });
      reservedAmounts.settle(RECORD, { id: 'rv_1', settlement: 'released', epoch: 1 });
      expect([store.load()?.seq, ledger.got]).toEqual([1, []]);
      expect(reopen().reservations).toMatchObject([{ id: 'rv_1', state: 'released' }]);
    }));

  test('are refused to a property that is live now and was not then, and the other way round', () =>
    withCharge(({ store }) => {
      const reserve = (record: MoneyRecord, livemode: boolean) =>
        reservedAmountsOf(store).reserve(record, payment, { ...ALL, livemode });
      for (const livemode of [true, false]) {
        const refusal = notReversible('The property had another livemode when this was made');
        expect(reserve({ ...RECORD, livemode }, !livemode)).toEqual(refusal);
        expect(store.reservations).toEqual([]);
      }
      expect(reserve(RECORD, false).ok).toBe(true);
    }));

  test('need a payment that has succeeded', () =>
    withCharge(({ store }) => {
      const refusal = notReversible('Only a payment that has succeeded and has a transaction id can be reversed');
      expect(reservedAmountsOf(store).reserve(RECORD, undefined, ALL)).toEqual(refusal);
    }));

  test('are not taken when the record cannot be stored', () =>
    withCharge(({ store, reopen }) => {
      const reservedAmounts = new ReservedAmounts<MoneyRecord>(store, () => {
        throw new Error('no room');
      });
      expect(() => reservedAmounts.reserve(RECORD, payment, ALL)).toThrow('no room');
      for (const each of [store, reopen()]) expect(each.reservations).toEqual([]);
    }));
});

describe('a session', () => {
  const [FIRST, REPLAY] = [false, true].map((isReplay) => ({ ok: true, value: { isReplay } }));
  function withSession(act: (store: SessionStorage, reopen: () => SessionStorage) => void): Promise<void> {
    return inStorage((storage) => {
      const store = new SessionStorage(storage);
      store.transaction(() => store.create(OPEN_SESSION, 'print'));
      act(store, () => new SessionStorage(storage));
    });
  }

  test('is called a session when it is refused', () =>
    withSession((store) => {
      expect(store.ofProperty('borealis')).toMatchObject({ detail: 'There is no checkout session with this id' });
    }));

  test('keeps a secret once for each key, whatever is asked again', () =>
    withSession((store, reopen) => {
      const kept: string[] = [];
      const keep = (hash: string, key: string | null, each = store): Outcome<unknown> =>
        each.keepOnce({ hash, key }, () => void kept.push(hash));
      expect(keep('1', 'a')).toEqual(FIRST);
      for (const each of [store, reopen()]) expect(keep('1', 'a', each)).toEqual(REPLAY);
      // Another caller's secret makes another hash.
      expect(keep('2', 'a')).toEqual(FIRST);
      for (const hash of ['2', '1', '2']) expect(keep(hash, 'a', reopen())).toEqual(REPLAY);
      keep('3', 'b');
      keep('4', null);
      keep('4', null);
      expect(kept).toEqual(['1', '2', '3', '4', '4']);
    }));

  test('forgets the key of a call that was refused', () =>
    withSession((store) => {
      const refusal = refuse('session_not_open', { detail: 'Over' });
      expect(store.keepOnce({ hash: '1', key: 'a' }, () => refusal)).toEqual(refusal);
      expect(store.keepOnce({ hash: '1', key: 'a' }, () => undefined)).toEqual(FIRST);
    }));
});
