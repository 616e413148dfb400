/** Payments of a hotel over the time that a ledger keeps them, as their objects tell the ledger. Seeded: every run has the same. */
import { createHash } from 'node:crypto';
import type { AttemptStatus } from '@innkeep/core/contract';
import { toCrockford } from '../../src/http/encoding.ts';
import type { MoneyState } from '../../src/money/money-machine.ts';
import { moneyEntry } from '../../src/money/money-transition.ts';
import type { LedgerUpdate } from '../../src/records/ledger-update.ts';
import { sessionEntry } from '../../src/sessions/session-transition.ts';
import { NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD, PAYMENT_RESULT, sessionWith } from '../../test-support/records.ts';

/** What a row of the ledger is about. */
export type Kind = 'checkout_session' | 'charge' | 'reversal';

/** In a hundred payments that many have a reference with many others, such as a conference. */
const OF_THE_GROUP = 1;
export const GROUP = 'CONFERENCE-1';

/** How they end: below how many of a thousand. The rest succeeds. */
const SESSION_ENDS: readonly (readonly [AttemptStatus | 'not_started', number])[] = [
  ['unknown', 1],
  ['not_started', 130],
  ['declined', 190],
  ['canceled', 250],
  ['abandoned', 270],
];
const MONEY_ENDS: readonly (readonly [MoneyState, number])[] = [
  ['unknown', 1],
  ['declined', 80],
  ['failed', 95],
];

/** The last version of a payment. */
export function payment(nth: number, kind: Kind, createdAt: number): LedgerUpdate {
  const random = createHash('sha256').update(`${kind} ${nth}`).digest();
  const luck = random.readUInt16LE(20) % 1_000;
  const reference = random.readUInt16LE(22) % 100 < OF_THE_GROUP ? GROUP : `RES-${Math.floor(nth / 2)}`;
  const common = { property: 'bench', createdAt, reference };
  const eventId = `ev_${toCrockford(createHash('sha256').update(`event ${kind} ${nth}`).digest(), 26)}`;
  if (kind === 'checkout_session') {
    const status = endOf(SESSION_ENDS, luck) ?? 'succeeded';
    const at = createdAt + 30_000 + luck * 200;
    const isOver = status !== 'unknown' && status !== 'succeeded';
    const attempt = {
      startedAt: createdAt + 10_000,
      endedAt: status === 'unknown' ? null : at,
      result: status === 'succeeded' ? PAYMENT_RESULT : null,
      error: status === 'declined' ? { code: status, message: 'The card was declined' } : null,
    };
    const record = sessionWith(status === 'not_started' ? [] : [{ ...attempt, status }], {
      ...common,
      // Ids of sessions sort by time, those of the others do not.
      id: `cs_${toCrockford(timeBytes(createdAt, random), 26)}`,
      expiresAt: createdAt + 86_400_000,
      seq: 3,
      closed: isOver ? { at, by: 'deadline', isSettled: true } : null,
      news: { type: isOver ? 'checkout.expired' : `checkout.${status}` },
    });
    return { ...sessionEntry(record), eventId, at };
  }
  const state = endOf(MONEY_ENDS, luck) ?? 'succeeded';
  const at = createdAt + 800 + luck;
  const isRefused = state === 'declined';
  const progress = {
    ...common,
    id: `${kind === 'charge' ? 'ch' : 'rv'}_${toCrockford(random, 26)}`,
    seq: 3,
    state,
    transactionId: state === 'succeeded' ? `TX-${nth}` : null,
    error: isRefused ? { code: 'declined', message: 'Declined: insufficient funds', returnCode: '51' } : null,
    completedAt: at,
  };
  const entry =
    kind === 'charge'
      ? moneyEntry({ ...NEW_CHARGE_RECORD, ...progress, sealedToken: null, maskedCard: '424242......4242' })
      : moneyEntry({ ...NEW_REVERSAL_RECORD, ...progress, payment: `ch_${toCrockford(random.subarray(4), 26)}` });
  return { ...entry, eventId, at };
}

function endOf<State>(ends: readonly (readonly [State, number])[], luck: number): State | undefined {
  return ends.find(([, below]) => luck < below)?.[0];
}

/** The time, and something random behind it. */
function timeBytes(at: number, random: Buffer): Uint8Array {
  const bytes = Buffer.alloc(17);
  bytes.writeUIntBE(at, 0, 6);
  random.copy(bytes, 6, 0, 11);
  return bytes;
}
