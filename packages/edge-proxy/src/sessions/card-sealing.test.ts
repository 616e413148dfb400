import { describe, expect, test, vi } from 'vitest';
import { CARD_RESULT, sessionWith } from '../../test-support/records.ts';
import { type SealingSecrets, seal, unseal } from '../http/seal.ts';
import { resealCards, resealTokens } from './card-sealing.ts';
import { cardTokenAad } from './hosted-calls.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';

const [NEWEST, OLDER, LOST] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const KEYS: SealingSecrets = [NEWEST, OLDER];

/** A store that holds one record, which may change while it is read. */
function storeOf(...loads: (SessionRecord | undefined)[]) {
  const save = vi.fn();
  const load = (): SessionRecord | undefined => (loads.length > 1 ? loads.shift() : loads[0]);
  const store = { load, save, transaction: (change: () => unknown) => change() };
  return { store: store as unknown as SessionStorage, save };
}

/** A session whose attempts have stored a card each, sealed by these keys; undefined: an attempt without a card. */
async function sessionOf(...keys: (string | null | undefined)[]): Promise<SessionRecord> {
  const session = sessionWith(keys.map(() => ({})));
  const attempts = session.attempts.map(async (attempt, index) => {
    const key = keys[index];
    if (key === undefined) return attempt;
    const sealedToken = key && (await seal(`TOKEN-${attempt.number}`, cardTokenAad(session, attempt), [key]));
    return { ...attempt, result: { ...CARD_RESULT, sealedToken } };
  });
  return { ...session, attempts: await Promise.all(attempts) };
}

const tokenIn = ({ attempts }: SessionRecord, index: number): string | null => {
  const result = attempts[index]?.result;
  return result?.kind === 'card' ? result.sealedToken : null;
};

describe('the tokens of a session', () => {
  test('that an older key has sealed are sealed by the newest, and all else stays', async () => {
    const session = await sessionOf(undefined, OLDER, NEWEST, LOST, null);
    const { store, save } = storeOf(session);
    expect(await resealTokens(store, KEYS)).toBe(1);
    expect(save).toHaveBeenCalledTimes(1);
    const [seq, saved] = save.mock.calls[0] as [number, SessionRecord];
    expect(seq).toBe(session.seq);
    const [, older] = session.attempts;
    expect(older && (await unseal(tokenIn(saved, 1) ?? '', cardTokenAad(session, older), [NEWEST]))).toBe('TOKEN-2');
    const expected = session.attempts.map((attempt, index) => (index === 1 ? saved.attempts[1] : attempt));
    expect(saved).toEqual({ ...session, attempts: expected });
    expect(saved.attempts[1]).toEqual({ ...older, result: { ...CARD_RESULT, sealedToken: tokenIn(saved, 1) } });
  });

  test.each<[string, () => Promise<(SessionRecord | undefined)[]>, readonly string[]]>([
    ['there is no session', async () => [undefined], KEYS],
    ['there is no key', async () => [await sessionOf(OLDER)], []],
    ['all are sealed by the newest', async () => [await sessionOf(NEWEST)], KEYS],
    ['no key opens them', async () => [await sessionOf(LOST)], KEYS],
    ['the session was erased meanwhile', async () => [await sessionOf(OLDER), undefined], KEYS],
  ])('are not written when %s', async (_when, loads, keys) => {
    const { store, save } = storeOf(...(await loads()));
    expect(await resealTokens(store, keys)).toBe(0);
    expect(save).not.toHaveBeenCalled();
  });

  test('come into the session as it is by then', async () => {
    const before = await sessionOf(OLDER);
    const later = { ...before, seq: before.seq + 1, reference: 'RES-9' };
    const { store, save } = storeOf(before, later);
    expect(await resealTokens(store, KEYS)).toBe(1);
    expect(save).toHaveBeenCalledWith(later.seq, expect.objectContaining({ reference: 'RES-9' }));
  });
});

describe('the cards of a hotel', () => {
  const idsOf = (count: number): string[] => Array.from({ length: count }, (_, nth) => `cs_${nth}`);

  test.each([
    ['are all there is', 199, null],
    ['may not be all there is', 200, 'cs_199'],
    ['are none', 0, null],
  ])('%s: at most ten sessions at once, each once', async (_what, count, nextCursor) => {
    const cardSessions = vi.fn(async () => idsOf(count));
    const asked: string[] = [];
    let [underWay, most] = [0, 0];
    const session = (id: string) => ({
      async reseal(property: string) {
        asked.push(`${property} ${id}`);
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return 2;
      },
    });
    const resealed = await resealCards({ ledger: { cardSessions }, session }, 'aurora', 'cs_before');
    expect(resealed).toEqual({ cards: 2 * count, nextCursor });
    expect(cardSessions).toHaveBeenCalledWith('cs_before', 200);
    const each = idsOf(count).map((id) => `aurora ${id}`);
    expect(asked.sort()).toEqual(each.sort());
    expect(most).toBe(Math.min(count, 10));
  });

  test('are tried all of them before it is said that some did not answer', async () => {
    const answered: string[] = [];
    const session = (id: string) => ({
      async reseal() {
        if (id === 'cs_3' || id === 'cs_7') throw new Error('dead');
        answered.push(id);
        return 1;
      },
    });
    const ledger = { cardSessions: async () => idsOf(12) };
    await expect(resealCards({ ledger, session }, 'aurora', '')).rejects.toMatchObject({
      code: 'property_unavailable',
      details: { resource: 'aurora', detail: expect.stringMatching(/^2 sessions with a card did not answer/) },
    });
    expect(answered).toHaveLength(10);
  });
});
