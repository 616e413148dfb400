import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { inStorage } from '../../test-support/objects.ts';
import { NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { refuse } from '../http/problem.ts';
import type { NewReversal, ReversalRecord } from './money-record.ts';
import { MoneyStorage } from './money-storage.ts';
import { type AllocationHost, ReversalAllocation } from './reversal-allocation.ts';

/** Ahead of the runtime's clock, so that no alarm rings. */
const NOW = Date.now() + 86_400_000;

useClock(NOW);

const RECORD: ReversalRecord = { ...NEW_REVERSAL_RECORD, createdAt: NOW, payment: 'ch_1', attempt: null, epoch: 7 };
const { property, livemode, madeBy, amount, isLimited, reason, note, payment, attempt } = RECORD;
const SHARED = { property, livemode, isLimited, reason, note, payment, attempt, amount };
const by = { ...madeBy.by, person: 'anna' };
const ASKED: NewReversal = { ...SHARED, kind: 'reversal', id: 'rv_1', createdAt: NOW, madeBy: { ...madeBy, by } };
const { reference, paymentTransactionId, serviceProvider, hotel } = RECORD;
const RESERVED = { attempt, amount, reference, paymentTransactionId, serviceProvider, hotel };
const CLAIM = { id: 'rv_1', payment: 'ch_1', property, epoch: 7 };

/** The share of one reversal in a storage of its own; the payment says yes to everything until a test says otherwise. */
function partsOf(storage: DurableObjectStorage) {
  const store = new MoneyStorage(storage);
  const payment = {
    reserveReversal: vi.fn<(...args: unknown[]) => unknown>(async () => ({ ok: true, value: RESERVED })),
    settleReversal: vi.fn(async (..._args: unknown[]) => ({ ok: true, value: null })),
  };
  const ledger = {
    claimReversal: vi.fn<(...args: unknown[]) => unknown>(async () => ({ ok: true, value: null })),
    releaseReversal: vi.fn(async (..._args: unknown[]) => undefined),
  };
  const asked: string[] = [];
  const creating = { is: false };
  const waitUntil = vi.fn<AllocationHost['waitUntil']>();
  const host = {
    store,
    payment: (id: string) => {
      asked.push(id);
      return payment;
    },
    ledger: () => ledger,
    isCreating: () => creating.is,
    waitUntil,
  };
  const inMs = (at: number | null | undefined) => (at == null ? at : at - Date.now());
  return {
    ...{ allocation: new ReversalAllocation(host as unknown as AllocationHost), store, payment, ledger },
    ...{ asked, creating, waitUntil },
    /** The claim that the next instance on the same storage finds. */
    storedClaim: () => new MoneyStorage(storage).findClaim(),
    /** When a thing is due, in milliseconds from now. */
    dueIn: (kind: string) => inMs(store.due.get(kind)),
    alarmIn: async () => inMs(await storage.getAlarm()),
    /** Writes a claim down. */
    claim: (epoch = CLAIM.epoch): void =>
      store.transaction(() => {
        store.addClaim({ ...CLAIM, epoch });
        store.due.set('release', NOW);
      }),
  };
}

function withAllocation(work: (parts: ReturnType<typeof partsOf>) => Promise<void>): Promise<void> {
  return inStorage((storage) => work(partsOf(storage)));
}

describe('reserving', () => {
  test('keeps the claim, and its release due, until the reversal is written down', () =>
    withAllocation(async ({ allocation, store, payment, dueIn, alarmIn, storedClaim }) => {
      payment.reserveReversal.mockImplementation(async () => {
        // On disk before the payment is asked.
        expect([storedClaim(), await alarmIn()]).toEqual([{ ...CLAIM, epoch: NOW }, 60_000]);
        return { ok: true, value: RESERVED };
      });
      expect(await allocation.reserve(ASKED)).toEqual({ ok: true, value: { ...RESERVED, epoch: NOW } });
      expect(payment.reserveReversal.mock.calls).toEqual([
        [property, { id: 'rv_1', attempt: null, amount, allowDuplicate: false, livemode: false, epoch: NOW }],
      ]);
      expect(store.findClaim()).toEqual({ ...CLAIM, epoch: NOW });
      expect([dueIn('release'), await alarmIn()]).toEqual([60_000, 60_000]);
    }));

  test('again at the same payment releases nothing, and is a later attempt, whatever the clock says', () =>
    withAllocation(async ({ allocation, store, payment, claim }) => {
      claim(NOW + 5);
      expect(await allocation.reserve(ASKED)).toMatchObject({ ok: true, value: { epoch: NOW + 6 } });
      expect(store.findClaim()).toMatchObject({ epoch: NOW + 6 });
      expect(payment.settleReversal).not.toHaveBeenCalled();
    }));

  test('at another payment gives the first share back, or says that the key is busy', () =>
    withAllocation(async ({ allocation, store, payment, asked, claim }) => {
      claim();
      payment.settleReversal.mockRejectedValueOnce(new Error('away'));
      const other = { ...ASKED, payment: 'ch_2' };
      expect(await allocation.reserve(other)).toMatchObject({ ok: false, code: 'idempotency_in_progress' });
      expect(store.findClaim()).toEqual(CLAIM);
      expect(await allocation.reserve(other)).toMatchObject({ ok: true });
      expect(payment.settleReversal.mock.calls.at(-1)).toEqual([property, 'rv_1', 'released', 7]);
      expect(asked).toEqual(['ch_1', 'ch_1', 'ch_2']);
      expect(store.findClaim()).toMatchObject({ payment: 'ch_2', epoch: NOW });
    }));

  test('that is refused leaves nothing behind', () =>
    withAllocation(async ({ allocation, store, payment, alarmIn }) => {
      const refusal = refuse('not_found', { detail: 'There is no such payment' });
      payment.reserveReversal.mockResolvedValue(refusal);
      expect(await allocation.reserve(ASKED)).toEqual(refusal);
      expect([store.exists(), await alarmIn()]).toEqual([false, null]);
    }));

  test('that is refused or not answered after an earlier attempt leaves the claim to its release', () =>
    withAllocation(async ({ allocation, store, payment, claim, dueIn }) => {
      claim();
      payment.reserveReversal.mockResolvedValueOnce(refuse('not_found', { detail: 'There is no such payment' }));
      expect(await allocation.reserve(ASKED)).toMatchObject({ code: 'not_found' });
      expect([store.findClaim()?.payment, dueIn('release')]).toEqual(['ch_1', 60_000]);
      payment.reserveReversal.mockRejectedValueOnce(new Error('away'));
      expect(await allocation.reserve(ASKED)).toMatchObject({ code: 'upstream_unavailable', retryAfterSeconds: 5 });
      expect([store.findClaim()?.payment, dueIn('release')]).toEqual(['ch_1', 60_000]);
    }));

  test.each([
    ['has it counted on the day of the hotel', { ok: true, value: null }, { ok: true }, 60_000, []],
    [
      'gives its share back when it is refused',
      refuse('limit_reached', { detail: 'Too much' }),
      { code: 'limit_reached' },
      undefined,
      [[property, 'rv_1', 'released', NOW]],
    ],
    ['leaves the claim to its release when nobody answers', undefined, { code: 'upstream_unavailable' }, 60_000, []],
  ])('with a limit %s', (_, answer, expected, releaseIn, settled) =>
    withAllocation(async ({ allocation, payment, ledger, dueIn }) => {
      ledger.claimReversal.mockImplementation(async () => answer ?? Promise.reject(new Error('away')));
      const limits = { limit: { EUR: 10_000 }, personLimit: undefined, day: '2026-11-26' };
      expect(await allocation.reserve(ASKED, limits)).toMatchObject(expected);
      const claimed = { id: 'rv_1', key: 'web', person: null, amount, epoch: NOW, ...limits };
      expect(ledger.claimReversal.mock.calls).toEqual([[property, claimed]]);
      expect(payment.settleReversal.mock.calls).toEqual(settled);
      expect(ledger.releaseReversal.mock.calls).toEqual(settled.map(() => ['rv_1', NOW]));
      expect(dueIn('release')).toBe(releaseIn);
    }),
  );
});

describe('releasing', () => {
  test('gives a claimed share back and erases everything', () =>
    withAllocation(async ({ allocation, store, payment, claim }) => {
      claim();
      const releasing = allocation.release();
      expect(allocation.releasing).toBeInstanceOf(Promise);
      expect(await releasing).toBe(true);
      expect(allocation.releasing).toBeUndefined();
      expect(payment.settleReversal.mock.calls).toEqual([[property, 'rv_1', 'released', 7]]);
      expect(store.exists()).toBe(false);
    }));

  test('is tried again in five seconds when the payment does not answer', () =>
    withAllocation(async ({ allocation, store, payment, claim, dueIn, alarmIn }) => {
      claim();
      payment.settleReversal.mockRejectedValue(new Error('away'));
      expect(await allocation.release()).toBe(true);
      expect(store.findClaim()).toEqual(CLAIM);
      expect([dueIn('release'), await alarmIn()]).toEqual([5_000, 5_000]);
    }));

  test('waits another minute while a request is being checked', () =>
    withAllocation(async ({ allocation, store, payment, claim, creating, dueIn }) => {
      claim();
      creating.is = true;
      expect(await allocation.release()).toBe(false);
      expect(dueIn('release')).toBe(60_000);
      expect(payment.settleReversal).not.toHaveBeenCalled();
      expect(store.findClaim()).toEqual(CLAIM);
    }));

  test.each(['a claim', 'no claim'])('never touches a reversal that is written down, with %s', (which) =>
    withAllocation(async ({ allocation, store, payment, claim, dueIn }) => {
      claim();
      store.create(RECORD, 'fingerprint');
      if (which === 'a claim') store.addClaim(CLAIM);
      expect(await allocation.release()).toBe(false);
      expect(dueIn('release')).toBeUndefined();
      expect(payment.settleReversal).not.toHaveBeenCalled();
      expect(store.load()).toEqual(RECORD);
    }),
  );
});

test('a release without a claim is taken off the list', () =>
  withAllocation(async ({ allocation, store, payment, dueIn }) => {
    store.due.set('release', NOW);
    expect(await allocation.release()).toBe(false);
    expect(dueIn('release')).toBeUndefined();
    expect(payment.settleReversal).not.toHaveBeenCalled();
  }));

describe('settling', () => {
  test.each([
    ['succeeded', 'reversed'],
    ['declined', 'released'],
    ['unknown', undefined],
  ] as const)('a reversal that is %s tells its payment: %s', (state, settlement) =>
    withAllocation(async ({ allocation, store, payment, asked, dueIn }) => {
      store.create({ ...RECORD, state }, 'fingerprint');
      store.due.set('settle', NOW);
      await allocation.settle();
      const told = settlement === undefined ? [] : [[property, 'rv_1', settlement, 7]];
      expect(payment.settleReversal.mock.calls).toEqual(told);
      expect(asked).toEqual(told.map(() => 'ch_1'));
      expect(dueIn('settle')).toBeUndefined();
    }),
  );

  test.each([
    ['declined', true, [['rv_1', 7]]],
    ['declined', false, []],
    ['succeeded', true, []],
  ] as const)(
    'a reversal that is %s, of a key with a limit (%j), is told to who counts: %j',
    (state, isLimited, told) =>
      withAllocation(async ({ allocation, store, ledger }) => {
        store.create({ ...RECORD, state, isLimited }, 'fingerprint');
        await allocation.settle();
        expect(ledger.releaseReversal.mock.calls).toEqual(told);
      }),
  );

  test('stays due when the payment does not answer', () =>
    withAllocation(async ({ allocation, store, payment, waitUntil, dueIn }) => {
      store.create({ ...RECORD, state: 'succeeded' }, 'fingerprint');
      store.due.set('settle', NOW);
      payment.settleReversal.mockRejectedValue(new Error('away'));
      await expect(allocation.settle()).rejects.toThrow('away');
      expect(dueIn('settle')).toBe(0);
      await allocation.settleSoon();
      expect(dueIn('settle')).toBe(0);
      // Goes on when the caller has hung up.
      expect(waitUntil).toHaveBeenCalledOnce();
      await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
    }));

  test('is nothing to do for a charge, or when nothing was written down', () =>
    withAllocation(async ({ allocation, store, payment, claim, dueIn }) => {
      claim();
      store.due.set('settle', NOW);
      await allocation.settle();
      expect(dueIn('settle')).toBeUndefined();
      store.create({ ...NEW_CHARGE_RECORD, state: 'succeeded' }, 'fingerprint');
      store.due.set('settle', NOW);
      await allocation.settle();
      expect(dueIn('settle')).toBeUndefined();
      expect(payment.settleReversal).not.toHaveBeenCalled();
    }));
});
