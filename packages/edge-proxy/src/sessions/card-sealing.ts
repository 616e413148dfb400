/** Reseals the cards of a hotel after a key was put in front of `SEALING_KEYS`. */

import { sha256Hex } from '../http/hash.ts';
import { ProblemError } from '../http/problem.ts';
import { seal, unseal } from '../http/seal.ts';
import { cardTokenAad } from './hosted-calls.ts';
import type { SessionStorage } from './session-storage.ts';

/** How many objects a request may call. */
const BATCH = 200;
const AT_ONCE = 10;

/** The result of a batch. */
interface ResealedCards {
  /** How many tokens an older key had sealed. */
  readonly cards: number;
  /** Where to go on; null at the end. */
  readonly nextCursor: string | null;
}

/** The objects that have them, as they are called. */
interface CardObjects {
  readonly ledger: { cardSessions(after: string, limit: number): Promise<string[]> };
  readonly session: (id: string) => { reseal(property: string): Promise<number> };
}

/** Lets a command know whether the proxy runs with the keys it holds. It reveals nothing of random keys. */
export async function fingerprintOfKeys(keys: readonly string[]): Promise<string> {
  return (await sha256Hex(`sealing-keys ${keys.join(' ')}`)).slice(0, 16);
}

/** Seals the tokens of one session's cards. What no key opens stays as it is. Returns how many an older key had sealed. */
export async function resealTokens(store: SessionStorage, [newest, ...older]: readonly string[]): Promise<number> {
  const anew = new Map<string, string>();
  const record = store.load();
  if (record === undefined || newest === undefined) return 0;
  for (const attempt of record.attempts) {
    const sealed = attempt.result?.kind === 'card' ? attempt.result.sealedToken : null;
    const aad = cardTokenAad(record, attempt);
    if (sealed === null || (await unseal(sealed, aad, [newest])) !== undefined) continue;
    const token = await unseal(sealed, aad, [newest, ...older]);
    if (token !== undefined) anew.set(sealed, await seal(token, aad, [newest]));
  }
  // It may have moved on meanwhile.
  const now = store.load();
  if (anew.size === 0 || now === undefined) return 0;
  const attempts = now.attempts.map((attempt) => {
    const { result } = attempt;
    const sealedToken = result?.kind === 'card' && anew.get(result.sealedToken ?? '');
    return sealedToken ? { ...attempt, result: { ...result, sealedToken } } : attempt;
  });
  store.transaction(() => store.save(now.seq, { ...now, attempts }));
  return anew.size;
}

/** Seals a batch of a hotel's cards. @throws ProblemError when one of them cannot be reached */
export async function resealCards(
  { ledger, session }: CardObjects,
  property: string,
  cursor: string,
): Promise<ResealedCards> {
  const ids = await ledger.cardSessions(cursor, BATCH);
  const waiting = ids.values();
  let [cards, failed] = [0, 0];
  const work = async (): Promise<void> => {
    for (const id of waiting) {
      const resealed = await session(id)
        .reseal(property)
        .catch(() => undefined);
      if (resealed === undefined) failed += 1;
      else cards += resealed;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failed > 0) {
    const detail = `${failed} sessions with a card did not answer, so their tokens may still be sealed by an older key: try again`;
    throw new ProblemError('property_unavailable', { detail, resource: property });
  }
  return { cards, nextCursor: ids.length < BATCH ? null : (ids.at(-1) ?? null) };
}
