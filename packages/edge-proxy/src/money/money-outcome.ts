/**
 * What the end of a money call means. Only what is proven counts as not executed: our own refusal before sending, no
 * access token, 401 twice and 403 with no word of an execution. Everything else without a readable answer is unknown. Pure.
 */
import type { MoneyOperationError } from '@innkeep/core/contract';
import { isInnkeepError, type OutcomeUnknownError } from '@innkeep/core/errors';
import type { Property } from '../properties/configured-properties.ts';
import { isOfService } from '../properties/hotel-snapshot.ts';
import type { MoneyEvent } from './money-machine.ts';
import type { MoneyRecord } from './money-record.ts';

/** A transition and its reason. */
export interface MoneyFailure {
  readonly event: Exclude<MoneyEvent, 'handed_over' | 'executed' | 'resolved_succeeded' | 'resolved_failed'>;
  readonly error: MoneyOperationError;
}

const MAY_HAVE_MOVED = 'money may have moved. Look it up, then resolve it; do not repeat it';

/** Codes that `pay` and `reversal` fail with only when nothing was executed; `internal` is that of an access token’s object. */
const PROVEN_NOT_EXECUTED: ReadonlySet<string> = new Set([
  'authentication_failed',
  'upstream_status',
  'network',
  'timeout',
  'invalid_response',
  'configuration',
  'invalid_input',
  'internal',
]);

/** Reads what `pay` or `reversal` threw. An error that is not core's proves nothing, so the outcome is unknown. */
export function classifyMoneyError(error: unknown): MoneyFailure {
  if (isInnkeepError(error, 'declined')) {
    const { returnCode, returnText } = error;
    const message = returnText === undefined ? 'The payment service declined' : `Declined: ${returnText}`;
    return { event: 'declined', error: { code: 'declined', message, returnCode } };
  }
  if (isInnkeepError(error, 'outcome_unknown')) return noClearAnswer(error);
  if (isInnkeepError(error, 'untrusted_url')) return OF_ANOTHER_SERVICE;
  if (isInnkeepError(error) && PROVEN_NOT_EXECUTED.has(error.code)) return notExecuted(error.code);
  return NO_CLEAR_ANSWER;
}

/** With what the answer said, if there was one that says something. */
function noClearAnswer({ returnCode, transactionId, path }: OutcomeUnknownError): MoneyFailure {
  if (!(returnCode || transactionId || path)) return NO_CLEAR_ANSWER;
  const named = transactionId === undefined ? '' : ` and named the transaction ${transactionId}`;
  const wrong = path ? `’s answer has a missing or wrong “${path}”` : ' gave no clear answer';
  const what = returnCode === undefined ? wrong : ` answered with code ${returnCode}`;
  const message = `The payment service${what}${named}: ${MAY_HAVE_MOVED}`;
  const code = returnCode === undefined ? {} : { returnCode };
  return { event: 'no_clear_answer', error: { code: 'outcome_unknown', message, ...code } };
}

/** Nothing was sent, because there was no access token. `code` is why. */
export function noAccessToken(code: string): MoneyFailure {
  return {
    event: 'not_executed',
    error: { code, message: `Nothing was sent: no access token could be obtained (${code})` },
  };
}

/** Nothing was sent, because it was too late or the property can no longer be served. */
export const ABANDONED: MoneyFailure = {
  event: 'not_executed',
  error: { code: 'abandoned', message: 'Nothing was sent: the proxy was interrupted before it could send' },
};

/** Nothing was sent: there its id may name something else. */
const OF_ANOTHER_SERVICE: MoneyFailure = {
  event: 'not_executed',
  error: {
    code: 'untrusted_url',
    message:
      'Nothing was sent: it was made at an address of the payment service that is neither baseUrl nor in allowedOrigins, or in another amountUnit',
  },
};

/** Nothing was sent: the account of now would take, or give back, money of the other mode, or of another customer. */
function ofOther(setting: 'livemode' | 'customerId'): MoneyFailure {
  const message = `Nothing was sent: the property had another ${setting} when this was asked for`;
  return { event: 'not_executed', error: { code: 'configuration', message } };
}

/**
 * Why an operation is not sent with this configuration; undefined when it is still of the mode and the service that it began with.
 * A charge is of its customer, too; a refund needs the customer of then, whose payment it gives back.
 */
export function refusedBy(property: Property, { kind, livemode, hotel }: MoneyRecord): MoneyFailure | undefined {
  if (livemode !== property.livemode) return ofOther('livemode');
  if (!isOfService(hotel, property)) return OF_ANOTHER_SERVICE;
  return kind === 'charge' && hotel.customerId !== property.customerId ? ofOther('customerId') : undefined;
}

/** The request left, and its answer is lost or cannot be read. */
export const NO_CLEAR_ANSWER: MoneyFailure = {
  event: 'no_clear_answer',
  error: {
    code: 'outcome_unknown',
    message: `The payment service gave no clear answer: ${MAY_HAVE_MOVED}`,
  },
};

function notExecuted(code: string): MoneyFailure {
  return { event: 'not_executed', error: { code, message: `The payment service did not execute it (${code})` } };
}
