import { expect, test, vi } from 'vitest';
import { NEW_CHARGE } from '../../test-support/money.ts';
import { anotherHotel } from '../../test-support/upstream.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { refuseDuplicate, refuseIfDown } from './charge-guard.ts';
import type { DuplicateRisk } from './money-transition.ts';

const CHARGE = { ...NEW_CHARGE, id: 'ch_new', reference: 'RES-1', createdAt: 0 };

/** Asks a ledger that knows of these charges, each with what its object says of it. */
async function guard(risks: Readonly<Record<string, DuplicateRisk | 'other_mode' | null>>, isAllowed = false) {
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
  ['one was made in the other mode', { ch_a: 'other_mode', ch_b: null }, undefined, ['ch_b']],
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

test('what is announced is the booking, the reason and the amount', async () => {
  const { ask, claimIntent } = await guard({});
  await ask();
  const { reference, reason, amount } = CHARGE;
  expect(claimIntent).toHaveBeenCalledWith('aurora', 'ch_new', await requestFingerprint({ reference, reason, amount }));
});

const AGAIN = 'set allowDuplicate if this is a different one';
test.each([
  ['undecided', `The outcome of an identical charge is not certain; ${AGAIN}`],
  ['succeeded', `An identical charge succeeded less than ten minutes ago; ${AGAIN}`],
] as const)('a refusal says what the earlier charge is: %s', async (risk, detail) => {
  const { ask } = await guard({ ch_a: risk });
  expect(await ask()).toMatchObject({ code: 'possible_duplicate', detail });
});

test.each([
  ['answers', async () => 0, undefined],
  [
    'is down for 2.1 seconds more',
    async () => 2_100,
    { detail: 'The payment service is failing right now: nothing was stored', retryAfterSeconds: 3 },
  ],
  [
    'is not known to answer or not',
    async () => Promise.reject(new Error('away')),
    { detail: 'The access token cannot be read right now: nothing was stored; try again', retryAfterSeconds: 5 },
  ],
])('before anything is stored, a payment service that %s', async (_what, knownDownMs, refusal) => {
  const bindings = { ACCESS_TOKENS: { getByName: () => ({ knownDownMs }) } } as unknown as AccessTokenBindings;
  const found = await refuseIfDown(bindings, anotherHotel());
  if (refusal === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ ok: false, code: 'upstream_unavailable', ...refusal });
});
