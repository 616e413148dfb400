import {
  AuthenticationError,
  DeclinedError,
  type InnkeepErrorCode,
  InvalidResponseError,
  isInnkeepError,
  NetworkError,
  OutcomeUnknownError,
  TimeoutError,
  UpstreamStatusError,
} from '../errors.ts';
import type { Evidence } from './outcome-rules.ts';
import { type RedactText, safeCause } from './safe-cause.ts';

/** What is known about a failed attempt. */
export interface Failure {
  evidence: Evidence;
  status?: number | undefined;
  /** Id that a readable answer named. */
  transactionId?: string | undefined;
  cause?: unknown;
}

/** The only place where a raw failure becomes one of our errors. `aborted` returns the signal's reason. */
export function toError(
  code: InnkeepErrorCode | 'aborted',
  { evidence, status, cause: raw, transactionId }: Failure,
  operation: string,
  redact: RedactText,
): unknown {
  if (code === 'declined' && isInnkeepError(raw, 'declined')) {
    return redactDecline(raw, operation, redact);
  }
  if (code === 'aborted') return raw;
  const cause = raw === undefined || evidence === 'aborted' || isInnkeepError(raw) ? raw : safeCause(raw, redact);
  const options = cause === undefined ? {} : { cause };
  switch (code) {
    case 'authentication_failed':
      return new AuthenticationError(
        operation === 'login'
          ? `The upstream refused the credentials with status ${status}.`
          : `${operation} was refused with status ${status}, even with a new access token. Nothing was executed.`,
        { ...options, status },
      );
    case 'upstream_status':
      return new UpstreamStatusError(`${operation} was answered with status ${status}.`, status ?? 0, options);
    case 'invalid_response':
      // The parser's own error says what is wrong, also `untrusted_url` and `amount_unit_mismatch`.
      return isInnkeepError(raw)
        ? raw
        : new InvalidResponseError('', `The answer to ${operation} is unreadable.`, options);
    case 'timeout':
      return new TimeoutError(`${operation} was not answered in time.`, options);
    case 'outcome_unknown': {
      const path = isInnkeepError(raw, 'invalid_response') ? raw.path : undefined;
      const what = { timed_out: 'was not answered in time', aborted: 'was aborted after it was sent' };
      const decline = isInnkeepError(raw, 'declined') ? redactDecline(raw, operation, redact) : undefined;
      const reason =
        what[evidence as keyof typeof what] ??
        (decline === undefined
          ? `has no usable answer (${status ?? 'connection lost'})`
          : `was answered with returnCode ${JSON.stringify(decline.returnCode)}`);
      return new OutcomeUnknownError(
        operation,
        `${operation} ${reason}: it may have been executed. Do not repeat it until you know.`,
        {
          ...(decline === undefined ? options : { cause: decline }),
          status,
          path,
          returnCode: decline?.returnCode,
          returnText: decline?.returnText,
          transactionId: transactionId ? redact(transactionId) : undefined,
        },
      );
    }
    default:
      return new NetworkError(
        evidence === 'not_sent'
          ? `${operation} could not be sent: the connection failed.`
          : `The connection was lost during ${operation}.`,
        options,
      );
  }
}

function redactDecline(
  { returnCode, returnText }: DeclinedError,
  operation: string,
  redact: RedactText,
): DeclinedError {
  return new DeclinedError(operation, redact(returnCode), returnText === undefined ? undefined : redact(returnText));
}
