import { expect, test, vi } from 'vitest';
import { NEW_CHARGE } from '../../test-support/money.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import { refuseDuplicate } from './charge-guard.ts';
import type { DuplicateRisk } from './money-transition.ts';

const CHARGE = { ...NEW_CHARGE, id: 'ch_new', reference: 'RES-1', createdAt: 0 };

/** Asks a ledger that knows of these charges, each with what its object says of it. */
async function guard(risks: Readonly<Record<string, DuplicateRisk | null>>, isAllowed = false) {
  const claimIntent = vi.fn<LedgerObject['claimIntent']>(async () => ({ ok: true, value: Object.keys(risks) }));
  const dropIntent = vi.fn<LedgerObject['dropIntent']>(async () => undefined);
  const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
  const ask = () =>
    refuseDuplicate(CHARGE, {
      isAllowed,
      ledger: { claimIntent, dropIntent } as unknown as DurableObjectStub<LedgerObject>,
      riskOf: async (id) => risks[id] ?? null,
      waitUntil,
    });
  return { ask, claimIntent, dropIntent, waitUntil, dropped: () => dropIntent.mock.calls.map(([id]) => id) };
}

test.each([
  ['nothing was announced before', {}, undefined, []],
  ['what was announced came to nothing', { ch_a: null, ch_b: null }, undefined, ['ch_a', 'ch_b']],
  ['one of several counts', { ch_a: null, ch_b: 'undecided', ch_c: null }, 'ch_b', ['ch_a', 'ch_c', 'ch_new']],
  ['several count', { ch_a: 'succeeded', ch_b: 'undecided' }, 'ch_a', ['ch_new']],
] as const)('when %s, the ledger forgets exactly what is nothing', async (_when, risks, resource, dropped) => {
  const { ask, dropped: seen, waitUntil } = await guard(risks);
  const refusal = await ask();
  expect(refusal?.resource).toBe(resource);
  expect(refusal?.code).toBe(resource === undefined ? undefined : 'possible_duplicate');
  expect(seen()).toEqual(dropped);
  expect(waitUntil).not.toHaveBeenCalled();
});

test('a charge that may be a duplicate is announced all the same, and drops nobody’s announcement', async () => {
  const { ask, claimIntent, dropped } = await guard({ ch_a: 'undecided', ch_b: null }, true);
  expect(await ask()).toBeUndefined();
  expect(claimIntent).toHaveBeenCalledWith('aurora', 'ch_new', expect.any(String));
  expect(dropped()).toEqual([]);
});

test('a full ledger refuses the charge, and has nothing to take back', async () => {
  const { ask, claimIntent, dropIntent, waitUntil } = await guard({});
  claimIntent.mockResolvedValue({ ok: false, code: 'ledger_full', detail: 'Full' });
  expect(await ask()).toEqual({ ok: false, code: 'ledger_full', detail: 'Full' });
  expect(dropIntent).not.toHaveBeenCalled();
  expect(waitUntil).not.toHaveBeenCalled();
});

test('an announcement whose answer was lost is taken back, without anyone waiting for it', async () => {
  const { ask, claimIntent, dropIntent, dropped, waitUntil } = await guard({});
  claimIntent.mockRejectedValue(new Error('the answer was lost'));
  dropIntent.mockRejectedValue(new Error('away'));
  expect(await ask()).toMatchObject({ code: 'upstream_unavailable', retryAfterSeconds: 5 });
  expect(dropped()).toEqual(['ch_new']);
  expect(waitUntil).toHaveBeenCalledOnce();
  // A ledger that is away breaks nothing: the next charge finds that this one is nothing.
  await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
});
