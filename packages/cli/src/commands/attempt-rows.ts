import type { CheckoutAttempt } from '@innkeep/core/contract';
import { moneyText } from '../terminal/money-text.ts';
import { resolutionText } from '../terminal/resolution-text.ts';

/** How an attempt stands, what a person found out, and what the payment service's record said that was not believed. */
export function attemptRows(attempt: CheckoutAttempt): readonly (readonly [string, unknown])[] {
  const { number, status, late, amount, startedAt, error, result, recorded, resolution } = attempt;
  const name = `Attempt ${number}`;
  const state = `${status}${late ? ' (late)' : ''}`;
  const why = error === null ? '' : `${error.code}: ${error.message}`;
  const parts = [state, moneyText(amount), startedAt, result?.transactionId, why].filter((part) => Boolean(part));
  const rows = [
    [name, parts.join(', ')],
    ...(resolution === null ? [] : [[`${name} resolved`, resolutionText(resolution)] as const]),
  ] as const;
  if (recorded === null) return rows;
  const { wireAmount, currency } = recorded;
  const figures =
    recorded.amount === null ? `${wireAmount ?? 'no amount'} ${currency ?? ''}`.trim() : moneyText(recorded.amount);
  return [
    ...rows,
    [`${name} recorded`, figures],
    [`${name} transaction`, recorded.transactionId],
    [`${name} card`, recorded.maskedCard],
  ];
}
