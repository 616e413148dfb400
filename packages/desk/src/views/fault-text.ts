/** What each failure says to a clerk, and what the button below it does: one table. */
import type { DeskFault } from '../client/desk-fault.ts';
import { durationText, type Format, fill } from './format.ts';

/** A sentence, and the way on. */
export interface FaultText {
  readonly title: string;
  readonly action: string;
}

/** The sentence of a failed call that nothing repeats by itself. */
export function callFaultText(fault: DeskFault, format: Format): string {
  return ['network', 'timeout'].includes(fault.code) ? format.texts.noAnswer : faultText(fault, format).title;
}

/**
 * The sentence of a failure.
 * @param field name of the field that was refused, as it is shown
 */
export function faultText(
  fault: DeskFault,
  { texts, locale }: Pick<Format, 'texts' | 'locale'>,
  field?: string,
): FaultText {
  const { code, status, retryAfterSeconds: seconds = 5, traceId } = fault;
  const title = (): string => {
    if (code === 'network') return navigator.onLine ? texts.noConnection : texts.offline;
    if (code === 'timeout') return texts.tooSlow;
    if (code === 'configuration') return texts.notSetUp;
    if (fault.isSignedOut) return texts.signedOut;
    if (status === 429)
      return fill(texts.tooMany, { n: seconds.toLocaleString(locale), time: durationText(seconds, 'second', locale) });
    if (code === 'limit_reached') return texts.limitReached;
    if (code === 'not_reversible') return texts.notReversible;
    if (code === 'not_resolvable') return texts.notResolvable;
    if (code === 'payment_in_progress') return texts.beingPaid;
    if (code === 'session_not_open') return texts.notPayable;
    if (code === 'idempotency_in_progress') return texts.stillRunning;
    if (code === 'upstream_unavailable') return texts.serviceDown;
    if (status === 403) return texts.notAllowed;
    if (status === 404) return texts.notFound;
    if (code === 'invalid_response') return texts.unreadable;
    if (status === 400) return field ? `${texts.notAccepted} (${field})` : texts.notAccepted;
    return traceId ? `${texts.proxyFailed} (${traceId})` : texts.proxyFailed;
  };
  return { title: title(), action: fault.isSignedOut ? texts.signIn : texts.tryNow };
}
