/** What keeps a charge from being made: a payment service that is known to be down, or the same charge made before. */

import { type Outcome, type Refusal, refuse } from '../http/problem.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import type { Property } from '../properties/configured-properties.ts';
import { type AccessTokenBindings, accessTokenObject } from '../upstream/access-token-source.ts';
import type { NewCharge } from './money-record.ts';
import type { DuplicateRisk } from './money-transition.ts';
import { unavailable } from './refusals.ts';

const DUPLICATE_DETAILS: Readonly<Record<DuplicateRisk, string>> = {
  undecided: 'The outcome of an identical charge is not certain',
  succeeded: 'An identical charge succeeded less than ten minutes ago',
};

export async function refuseIfDown(bindings: AccessTokenBindings, property: Property): Promise<Refusal | undefined> {
  let downMs: number;
  try {
    downMs = await (await accessTokenObject(bindings, property)).knownDownMs();
  } catch {
    return unavailable('The access token cannot be read right now: nothing was stored; try again');
  }
  if (downMs === 0) return undefined;
  return unavailable('The payment service is failing right now: nothing was stored', Math.ceil(downMs / 1_000));
}

/**
 * Announces a charge in the ledger, and refuses it when the same one was announced before and may still be executed or
 * has just been.
 */
export async function refuseDuplicate(
  { id, property, reference, reason, amount }: NewCharge,
  {
    isAllowed,
    ledger,
    riskOf,
    waitUntil,
  }: {
    readonly isAllowed: boolean;
    readonly ledger: DurableObjectStub<LedgerObject>;
    readonly riskOf: (charge: string) => Promise<DuplicateRisk | 'other_mode' | null>;
    readonly waitUntil: (work: Promise<unknown>) => void;
  },
): Promise<Refusal | undefined> {
  // If this fails, the next charge that asks finds that this one was never made.
  const drop = (which: string): Promise<void> => ledger.dropIntent(which).catch(() => undefined);
  try {
    const meaning = await requestFingerprint({ reference, reason, amount });
    const claimed: Outcome<string[]> = await ledger.claimIntent(property, id, meaning);
    if (!claimed.ok) return claimed;
    const earlier = claimed.value;
    if (isAllowed) return undefined;
    const risks = await Promise.all(earlier.map(riskOf));
    const first = risks.findIndex((risk) => risk !== null && risk !== 'other_mode');
    await Promise.all(earlier.filter((_, index) => risks[index] === null).map(drop));
    const risk = risks[first];
    if (!risk || risk === 'other_mode') return undefined;
    await drop(id);
    return refuse('possible_duplicate', {
      detail: `${DUPLICATE_DETAILS[risk]}; set allowDuplicate if this is a different one`,
      resource: earlier[first] ?? id,
    });
  } catch {
    waitUntil(drop(id));
    return unavailable('We cannot tell whether the same charge was made before: nothing was stored; try again');
  }
}
