/** The one call of a charge or a reversal, from what its object stores to what came of it. */
import { Money } from '@innkeep/core/values';
import { withDeadline } from '../http/deadline.ts';
import type { Property } from '../properties/configured-properties.ts';
import { type AccessTokenBindings, noteReturnCode } from '../upstream/access-token-source.ts';
import { countCall, upstreamOf } from '../upstream/call-budget.ts';
import { loadCalls } from '../upstream/load-calls.ts';
import { keptId, upstreamContext } from '../upstream/upstream-client.ts';
import { chargeText } from './charge-text.ts';
import type { MoneyEvent } from './money-machine.ts';
import { classifyMoneyError } from './money-outcome.ts';
import type { MoneyRecord } from './money-record.ts';
import { CALL_LIMIT_MS } from './money-timing.ts';
import type { MoneyChange } from './money-transition.ts';

/**
 * Charges a stored card, or refunds money. Sends once, whatever happens; never throws.
 * @param cardToken of a charge
 */
export async function sendMoney(
  bindings: AccessTokenBindings,
  property: Property,
  {
    record,
    cardToken,
    traceparent,
  }: { readonly record: MoneyRecord; readonly cardToken: string; readonly traceparent?: string | undefined },
): Promise<MoneyChange & { readonly event: MoneyEvent }> {
  // Never held back: it is already recorded as sent, and would become unknown. It only counts.
  const permit = countCall({ ...upstreamOf(property), source: record.id });
  try {
    return await withDeadline(CALL_LIMIT_MS, async (signal) => {
      const { id, hotel } = record;
      // An older version kept a blank one of a session's page.
      const serviceProvider = keptId(record.serviceProvider) ?? property.providerHosted;
      const { pay, reversal } = await loadCalls();
      const context = await upstreamContext(bindings, property, { id, hotel, timeoutMs: CALL_LIMIT_MS, traceparent });
      const amount = Money.fromJSON(record.amount);
      if (record.kind === 'reversal') {
        const asked = { transactionID: record.paymentTransactionId, amount, serviceProvider };
        const { transactionID } = await reversal(context, asked, { signal });
        return { event: 'executed', error: null, transactionId: keptId(transactionID) };
      }
      const asked = { tokenNo: cardToken, amount, text: chargeText(record), serviceProvider };
      const { transactionID, cardNo } = await pay(context, asked, { signal });
      return { event: 'executed', error: null, transactionId: keptId(transactionID), maskedCard: cardNo || null };
    });
  } catch (error) {
    const failure = classifyMoneyError(error);
    const { returnCode } = failure.error;
    if (returnCode !== undefined) noteReturnCode(bindings, property, returnCode);
    return { ...failure, transactionId: null };
  } finally {
    permit.end();
  }
}
