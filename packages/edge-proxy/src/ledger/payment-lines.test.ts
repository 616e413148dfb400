import { expect, test } from 'vitest';
import { CARD_RESULT, OPEN_SESSION, sessionWith } from '../../test-support/records.ts';
import { toMerchantSession } from '../sessions/session-record.ts';
import { linesOf } from './payment-lines.ts';

test('a session that has stored two cards shows the one that is its result, and is not paid late', () => {
  const stored = (maskedCard: string, endedAt: number) =>
    ({ status: 'succeeded', endedAt, hadEnded: true, result: { ...CARD_RESULT, maskedCard } }) as const;
  const attempts = [stored('400000******1111', 2_000), stored('400000******2222', 1_000)];
  const session = toMerchantSession(sessionWith(attempts, { base: { ...OPEN_SESSION, kind: 'card' } }), () => null);
  expect(linesOf(session)).toMatchObject([{ paidAt: session.completedAt, card: { last4: '2222' }, flags: [] }]);
});
