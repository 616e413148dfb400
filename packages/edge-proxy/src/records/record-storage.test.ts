import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NEW_CHARGE } from '../../test-support/money.ts';
import { inStorage } from '../../test-support/objects.ts';
import { versionEventId } from '../http/ids.ts';
import { type Outcome, refuse } from '../http/problem.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import type { ChargeRecord, MoneyRecord } from '../money/money-record.ts';
import { MoneyStorage } from '../money/money-storage.ts';
import { NEW_PROGRESS } from '../money/money-transition.ts';
import { SessionStorage } from '../sessions/session-storage.ts';
import type { LedgerUpdate } from './ledger-update.ts';
import { ReservedAmounts } from './reserved-amounts.ts';
import type { ReversiblePayment } from './reversible-payment.ts';

// The runtime moves alarms of the past to the present.
const NOW = Date.parse('2096-11-01T12:00:00.000Z');
const ID = `ch_${'0'.repeat(26)}`;
const RECORD: ChargeRecord = {
  ...NEW_CHARGE,
  ...NEW_PROGRESS,
  id: ID,
  reference: 'RES-1',
  createdAt: NOW,
  sealedToken: null,
  maskedCard: null,
  sums: { reversed: 0, reversing: 0 },
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A stored charge. */
function withCharge(act: (store: MoneyStorage, storage: DurableObjectStorage) => void | Promise<void>): Promise<void> {
  return inStorage(async (storage) => {
    const store = new MoneyStorage(storage);
    store.prepare();
    store.create(RECORD, 'print');
    await act(store, storage);
  });
}

function outboxOf({ sql }: DurableObjectStorage): LedgerUpdate[] {
  return sql
    .exec<{ body: string }>('SELECT body FROM outbox ORDER BY seq')
    .toArray()
    .map(({ body }) => JSON.parse(body) as LedgerUpdate);
}

const later = (record: MoneyRecord, now: number): MoneyRecord => ({
  ...record,
  seq: record.seq + 1,
  state: 'succeeded',
  transactionId: 'PAY-1',
  completedAt: now,
});

describe('a record', () => {
  test('leaves no table behind when it is only asked for', () =>
    inStorage((storage) => {
      const store = new MoneyStorage(storage);
      expect([store.exists(), store.load(), store.findClaim()]).toEqual([false, undefined, undefined]);
      expect(store.ofProperty('aurora')).toEqual(store.notFound());
      expect(
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      ).toEqual([]);
      store.prepare();
      store.prepare();
      expect([store.exists(), store.load()]).toEqual([true, undefined]);
    }));

  test('is kept by the instance that made it, and read by the next', () =>
    withCharge((store, storage) => {
      expect(store.load()).toBe(RECORD);
      const next = new MoneyStorage(storage);
      expect(next.load()).toEqual(RECORD);
      expect(next.load()).toBe(next.load());
      expect(storage.sql.exec('SELECT id, seq, state, fingerprint FROM operation').one()).toEqual({
        id: ID,
        seq: 1,
        state: 'created',
        fingerprint: 'print',
      });
    }));

  test('belongs to one property', () =>
    withCharge((store) => {
      expect(store.ofProperty('aurora')).toEqual({ ok: true, value: RECORD });
      expect(store.ofProperty('borealis')).toEqual({
        ok: false,
        code: 'not_found',
        detail: 'There is no charge or reversal with this id',
      });
    }));

  test('is shown only to the request that made it, also after a restart', () =>
    withCharge((store, storage) => {
      const next = new MoneyStorage(storage);
      next.load();
      for (const each of [store, next]) {
        expect(each.refuseOther(RECORD, 'print')).toBeUndefined();
        expect(each.refuseOther(RECORD, 'other')).toEqual({
          ok: false,
          code: 'idempotency_mismatch',
          detail: 'This key was used with another body: use a new key, or send the same body',
          param: 'Idempotency-Key',
          resource: ID,
        });
      }
    }));
});

describe('a change', () => {
  test('is one commit with its ledger update and the alarm', () =>
    withCharge(async (store, storage) => {
      const changed = await store.commit(later, (next, now) => store.due.set(next.state, now + 60_000));
      expect(changed).toEqual(later(RECORD, NOW));
      expect(new MoneyStorage(storage).load()).toEqual(changed);
      expect(outboxOf(storage)).toEqual([
        {
          type: 'charge.succeeded',
          eventId: await versionEventId({ ...RECORD, seq: 2 }),
          at: NOW,
          keepsIntentUntil: expect.any(Number),
          resource: expect.objectContaining({ id: ID, seq: 2, status: 'succeeded', reference: 'RES-1' }),
        },
      ]);
      expect(store.due.get('succeeded')).toEqual({ kind: 'succeeded', at: NOW + 60_000, attempt: 0 });
      expect(store.due.get('outbox')).toEqual({ kind: 'outbox', at: NOW, attempt: 0 });
      expect(await storage.getAlarm()).toBe(NOW);
    }));

  test('of nothing, or to nothing, does nothing', async () => {
    await inStorage(async (storage) => {
      const change = vi.fn(later);
      expect(await new MoneyStorage(storage).commit(change, () => undefined)).toBeUndefined();
      expect(change).not.toHaveBeenCalled();
    });
    await withCharge(async (store, storage) => {
      const plan = vi.fn();
      expect(await store.commit(() => undefined, plan)).toBeUndefined();
      expect(plan).not.toHaveBeenCalled();
      expect(outboxOf(storage)).toEqual([]);
    });
  });

  test('that others overtake is judged again', () =>
    withCharge(async (store, storage) => {
      const seen: number[] = [];
      const next = (record: MoneyRecord): MoneyRecord => {
        seen.push(record.seq);
        return { ...record, seq: record.seq + 1 };
      };
      await Promise.all([store.commit(next, () => undefined), store.commit(next, () => undefined)]);
      expect(seen).toEqual([1, 1, 2]);
      expect(store.load()?.seq).toBe(3);
      expect(outboxOf(storage).map(({ resource }) => resource.seq)).toEqual([2, 3]);
    }));

  test('keeps what others save meanwhile without another version', () =>
    withCharge(async (store) => {
      const update = store.update.bind(store);
      vi.spyOn(store, 'update').mockImplementationOnce((...args) => {
        store.save(1, { ...RECORD, maskedCard: '424242******4242' });
        return update(...args);
      });
      expect(await store.commit(later, () => undefined)).toMatchObject({ seq: 2, maskedCard: '424242******4242' });
    }));

  test('of a record that was erased meanwhile does nothing', () =>
    withCharge(async (store) => {
      const update = store.update.bind(store);
      vi.spyOn(store, 'update').mockImplementationOnce(async (...args) => {
        await store.erase();
        return update(...args);
      });
      expect(await store.commit(later, () => undefined)).toBeUndefined();
      expect(store.exists()).toBe(false);
    }));

  test('that cannot be stored whole is not stored, and not remembered', () =>
    withCharge(async (store, storage) => {
      const plan = (): never => {
        throw new Error('no plan');
      };
      await expect(store.commit(later, plan)).rejects.toThrow('no plan');
      expect(store.load()).toEqual(RECORD);
      expect(outboxOf(storage)).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    }));

  test('of another version than the stored one throws', () =>
    withCharge((store) => {
      expect(() => store.save(2, { ...RECORD, seq: 3 })).toThrow(`${ID} moved on from version 2`);
      expect(store.load()).toEqual(RECORD);
      store.save(1, { ...RECORD, seq: 2, state: 'unknown' });
      expect(store.load()).toMatchObject({ seq: 2, state: 'unknown' });
    }));

  test('for lists alone has no event', () =>
    withCharge(async (store, storage) => {
      store.transaction(() => store.saveForLists(1, { ...RECORD, seq: 2 }));
      expect(outboxOf(storage)).toEqual([
        expect.objectContaining({ eventId: '', type: null, at: NOW, resource: expect.objectContaining({ seq: 2 }) }),
      ]);
      expect(await storage.getAlarm()).toBe(NOW);
    }));
});

test('tables that were made in a change that failed are not believed to be there', () =>
  inStorage((storage) => {
    const store = new MoneyStorage(storage);
    const attempt = (): void =>
      store.transaction(() => {
        store.prepare();
        store.create(RECORD, 'print');
        expect(store.exists()).toBe(true);
        throw new Error('no room');
      });
    expect(attempt).toThrow('no room');
    expect([store.exists(), store.load()]).toEqual([false, undefined]);
    expect(store.transaction(() => 7)).toBe(7);
  }));

test('syncing ends when the storage has everything on disk', () =>
  inStorage(async ({ sql }) => {
    let isOnDisk = false;
    const sync = async (): Promise<void> => {
      await Promise.resolve();
      isOnDisk = true;
    };
    await new MoneyStorage({ sql, sync } as unknown as DurableObjectStorage).sync();
    expect(isOnDisk).toBe(true);
  }));

test('erasing leaves nothing, and what is made afterwards has an alarm again', () =>
  withCharge(async (store, storage) => {
    store.due.set('poll', NOW + 1_000);
    store.due.arm();
    await store.erase();
    expect([store.exists(), store.load(), await storage.getAlarm()]).toEqual([false, undefined, null]);
    store.prepare();
    store.create(RECORD, 'print');
    expect(store.due.get('poll')).toBeUndefined();
    store.due.set('poll', NOW + 1_000);
    store.due.arm();
    expect(await storage.getAlarm()).toBe(NOW + 1_000);
    store.outbox.add(await store.update(RECORD, NOW));
    store.due.arm();
    expect(await storage.getAlarm()).toBe(NOW);
  }));

describe('updates for the ledger', () => {
  /** A ledger that notes what it gets, or does not answer. */
  function ledger(append: (updates: LedgerUpdate[]) => void) {
    const properties: string[] = [];
    const stub = {
      append: async (property: string, updates: LedgerUpdate[]) => {
        properties.push(property);
        append(updates);
      },
    };
    return { properties, of: () => stub as unknown as DurableObjectStub<LedgerObject> };
  }

  test('are sent together, in order, and deleted', () =>
    withCharge(async (store, storage) => {
      for (const _ of [1, 2])
        await store.commit(
          (record) => ({ ...record, seq: record.seq + 1 }),
          () => undefined,
        );
      const got: LedgerUpdate[] = [];
      const { of, properties } = ledger((updates) => void got.push(...updates));
      await store.sendUpdates(of);
      expect(got.map(({ resource }) => resource.seq)).toEqual([2, 3]);
      expect(properties).toEqual(['aurora']);
      expect(outboxOf(storage)).toEqual([]);
      expect(store.due.get('outbox')).toBeUndefined();
    }));

  test('stay when the ledger does not answer', () =>
    withCharge(async (store, storage) => {
      await store.commit(later, () => undefined);
      const { of } = ledger(() => {
        throw new Error('away');
      });
      await expect(store.sendUpdates(of)).rejects.toThrow('away');
      expect(outboxOf(storage)).toHaveLength(1);
      expect(store.due.get('outbox')).toBeDefined();
    }));

  test('that come while others are sent are due at once', () =>
    withCharge(async (store, storage) => {
      await store.commit(later, () => undefined);
      const { of } = ledger(() => {
        vi.setSystemTime(NOW + 5);
        store.transaction(() => store.saveForLists(2, { ...later(RECORD, NOW), seq: 3 }));
      });
      await store.sendUpdates(of);
      expect(outboxOf(storage).map(({ resource }) => resource.seq)).toEqual([3]);
      expect(store.due.get('outbox')).toEqual({ kind: 'outbox', at: NOW + 5, attempt: 0 });
    }));

  test('do not exist for a charge that did not change, nor without a charge', async () => {
    const { of, properties } = ledger(() => undefined);
    await withCharge(async (store) => {
      store.due.set('outbox', NOW);
      await store.sendUpdates(of);
      expect(store.due.get('outbox')).toBeUndefined();
    });
    await inStorage(async (storage) => {
      const ledgerOf = vi.fn(of);
      await new MoneyStorage(storage).sendUpdates(ledgerOf);
      expect(ledgerOf).not.toHaveBeenCalled();
    });
    expect(properties).toEqual([]);
  });
});

test('a claim is kept until its reversal is written down', () =>
  inStorage((storage) => {
    const store = new MoneyStorage(storage);
    store.prepare();
    expect(store.findClaim()).toBeUndefined();
    const claim = { id: 'rv_1', payment: ID, property: 'aurora' };
    store.addClaim({ ...claim, epoch: 1 });
    store.addClaim({ ...claim, epoch: 2 });
    expect(store.findClaim()).toEqual({ ...claim, epoch: 2 });
    store.create(RECORD, 'print');
    expect(store.findClaim()).toBeUndefined();
  }));

describe('the shares of a payment', () => {
  const hotel = NEW_CHARGE.hotel;
  const payment: ReversiblePayment = {
    total: { value: 8_000, currency: 'EUR' },
    attempt: 2,
    reference: 'RES-1',
    paymentTransactionId: 'PAY-1',
    serviceProvider: 'TEST_HOSTED',
    hotel,
  };
  const reservedAmountsOf = (store: MoneyStorage): ReservedAmounts<MoneyRecord> =>
    new ReservedAmounts(store, (record, sums, attempt) => {
      expect(attempt).toBe(2);
      return { ...record, sums } as ChargeRecord;
    });
  const sumsOf = (store: MoneyStorage): unknown => (store.load() as ChargeRecord).sums;

  test('that are settled again, or together, count once each on the newest version', () =>
    withCharge((store) => {
      const reservedAmounts = reservedAmountsOf(store);
      for (const id of ['rv_1', 'rv_2']) {
        reservedAmounts.reserve(RECORD, payment, { id, attempt: 2, amount: null, epoch: 1, allowDuplicate: true });
        for (const _ of [1, 2]) reservedAmounts.settle(RECORD, { id, settlement: 'released', epoch: 1 });
      }
      expect([sumsOf(store), store.load()?.seq]).toEqual([{ reversed: 0, reversing: 0 }, 5]);
    }));

  test('are in the record, each in a version of its own, which only lists show', () =>
    withCharge((store, storage) => {
      const reservedAmounts = reservedAmountsOf(store);
      const { total: _, ...details } = payment;
      const asked = { id: 'rv_1', attempt: null, amount: { value: 3_000, currency: 'EUR' }, epoch: 1 };
      expect(reservedAmounts.reserve(RECORD, payment, asked)).toEqual({
        ok: true,
        value: { ...details, amount: asked.amount },
      });
      expect([sumsOf(store), store.load()?.seq]).toEqual([{ reversed: 0, reversing: 3_000 }, 2]);
      reservedAmounts.settle(RECORD, { id: 'rv_1', settlement: 'reversed', epoch: 1 });
      expect([sumsOf(store), store.load()?.seq]).toEqual([{ reversed: 3_000, reversing: 0 }, 3]);
      expect(outboxOf(storage).map(({ type, resource }) => [type, resource.seq])).toEqual([
        [null, 2],
        [null, 3],
      ]);
    }));

  test('that do not change make no version', () =>
    withCharge((store, storage) => {
      const reservedAmounts = reservedAmountsOf(store);
      reservedAmounts.settle(RECORD, { id: 'rv_1', settlement: 'released', epoch: 1 });
      const tooMuch = { id: 'rv_2', attempt: 2, amount: { value: 9_000, currency: 'EUR' }, epoch: 1 };
      expect(reservedAmounts.reserve(RECORD, payment, tooMuch)).toMatchObject({ ok: false, code: 'invalid_request' });
      expect([store.load()?.seq, outboxOf(storage)]).toEqual([1, []]);
    }));

  test('need a payment that has succeeded', () =>
    withCharge((store) => {
      expect(
        reservedAmountsOf(store).reserve(RECORD, undefined, { id: 'rv_1', attempt: null, amount: null, epoch: 1 }),
      ).toEqual({
        ok: false,
        code: 'not_reversible',
        detail: 'Only a payment that has succeeded and has a transaction id can be reversed',
        resource: ID,
      });
    }));

  test('are not taken when the record cannot be stored', () =>
    withCharge((store) => {
      const reservedAmounts = new ReservedAmounts<MoneyRecord>(store, () => {
        throw new Error('no room');
      });
      expect(() =>
        reservedAmounts.reserve(RECORD, payment, { id: 'rv_1', attempt: null, amount: null, epoch: 1 }),
      ).toThrow('no room');
      expect(store.reservations.sums(2)).toEqual({ reversed: 0, reversing: 0 });
    }));
});

describe('a session', () => {
  const session = { ...RECORD, id: 'cs_1' } as unknown as Parameters<SessionStorage['create']>[0];

  function withSession(act: (store: SessionStorage) => void): Promise<void> {
    return inStorage((storage) => {
      const store = new SessionStorage(storage);
      expect(store.load()).toBeUndefined();
      store.transaction(() => store.create(session, 'print'));
      expect(new SessionStorage(storage).load()).toEqual(session);
      act(store);
    });
  }

  test('is called a session when it is refused', () =>
    withSession((store) => {
      expect(store.ofProperty('borealis')).toMatchObject({ detail: 'There is no checkout session with this id' });
    }));

  test('keeps one client secret, which the next one ends', () =>
    withSession((store) => {
      expect(store.clientSecret()).toBeUndefined();
      for (const generation of [1, 2]) {
        const kept = { generation, hash: `hash ${generation}`, fingerprint: 'key' };
        store.keepClientSecret(kept);
        expect(store.clientSecret()).toEqual(kept);
      }
    }));

  test('has links until they are taken back', () =>
    withSession((store) => {
      store.addLink('hash');
      expect([store.hasLink('hash'), store.hasLink('other')]).toEqual([true, false]);
      store.clearLinks();
      expect(store.hasLink('hash')).toBe(false);
    }));

  test('keeps a secret once for each key, whatever is asked again', () =>
    withSession((store) => {
      const kept: string[] = [];
      const keep = (hash: string, key: string | null): Outcome<unknown> =>
        store.keepOnce('cs_1', { hash, key }, () => void kept.push(hash));
      expect(keep('1', 'a')).toEqual({ ok: true, value: { isReplay: false } });
      expect(keep('1', 'a')).toEqual({ ok: true, value: { isReplay: true } });
      expect(keep('2', 'a')).toMatchObject({ ok: false, code: 'idempotency_mismatch', resource: 'cs_1' });
      keep('3', 'b');
      keep('4', null);
      keep('4', null);
      expect(kept).toEqual(['1', '3', '4', '4']);
    }));

  test('forgets the key of a call that was refused', () =>
    withSession((store) => {
      const refusal = refuse('session_not_open', { detail: 'Over' });
      expect(store.keepOnce('cs_1', { hash: '1', key: 'a' }, () => refusal)).toEqual(refusal);
      expect(store.keepOnce('cs_1', { hash: '2', key: 'a' }, () => undefined)).toMatchObject({ ok: true });
    }));
});
