/** The one call of a charge or a reversal, from what its object stores to what came of it. */
import type { MoneyOperationError } from '@innkeep/core/contract';
import { pay } from '@innkeep/core/operations/pay';
import { reversal } from '@innkeep/core/operations/reversal';
import { Money, maskCardNumber } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { withDeadline } from '../deadline.ts';
import { chargeText } from '../policy/charge-text.ts';
import type { MoneyEvent } from '../policy/money-machine.ts';
import { judgeMoneyError } from '../policy/money-outcome.ts';
import { CALL_LIMIT_MS } from '../policy/money-timing.ts';
import type { ChargeRecord, ReversalRecord } from '../records/money-record.ts';
import { type AccessTokenBindings, accessTokenObject } from './access-token-source.ts';
import { moneyContext } from './upstream-client.ts';

/** What came of a call: a transition and what it brings. */
export interface MoneyOutcome {
  readonly event: MoneyEvent;
  readonly error: MoneyOperationError | null;
  readonly transactionId: string | null;
  readonly maskedCard: string | null;
}

/** Charges a stored card. Sends once, whatever happens; never throws. */
export function sendCharge(
  bindings: AccessTokenBindings,
  property: Property,
  { record, cardToken }: { readonly record: ChargeRecord; readonly cardToken: string },
): Promise<MoneyOutcome> {
  return conclude(bindings, property, async (signal) => {
    const { transactionID, cardNo } = await pay(
      moneyContext(bindings, property, record),
      {
        tokenNo: cardToken,
        amount: Money.fromJSON(record.amount),
        text: chargeText(record),
        serviceProvider: record.serviceProvider,
      },
      { signal },
    );
    // Masked already, says the specification. A number that is not would lie here for 400 days.
    const maskedCard = cardNo === undefined || cardNo === '' ? null : maskCardNumber(cardNo);
    return { transactionId: transactionID, maskedCard };
  });
}

/** Gives money back. Sends once, whatever happens; never throws. */
export function sendReversal(
  bindings: AccessTokenBindings,
  property: Property,
  record: ReversalRecord,
): Promise<MoneyOutcome> {
  return conclude(bindings, property, async (signal) => {
    const { transactionID } = await reversal(
      moneyContext(bindings, property, record),
      {
        transactionID: record.paymentTransactionId,
        amount: Money.fromJSON(record.amount),
        serviceProvider: record.serviceProvider,
      },
      { signal },
    );
    return { transactionId: transactionID, maskedCard: null };
  });
}

async function conclude(
  bindings: AccessTokenBindings,
  property: Property,
  call: (signal: AbortSignal) => Promise<{ readonly transactionId: string; readonly maskedCard: string | null }>,
): Promise<MoneyOutcome> {
  try {
    return { event: 'executed', error: null, ...(await withDeadline(CALL_LIMIT_MS, call)) };
  } catch (error) {
    const failure = judgeMoneyError(error);
    const { returnCode } = failure.error;
    if (returnCode !== undefined) noteReturnCode(bindings, property, returnCode);
    return { ...failure, transactionId: null, maskedCard: null };
  }
}

/** Tells the object that knows which codes came before. One that is lost is told the next time it comes. */
function noteReturnCode(bindings: AccessTokenBindings, property: Property, returnCode: string): void {
  accessTokenObject(bindings, property)
    .then((object) => object.noteReturnCode(property.id, returnCode))
    .catch(() => undefined);
}
