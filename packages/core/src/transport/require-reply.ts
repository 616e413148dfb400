import { InvalidResponseError, NetworkError, TimeoutError } from '../errors.ts';
import type { ExchangeResult } from './exchange.ts';
import { type RedactText, safeCause } from './safe-cause.ts';

/**
 * The reply of a call whose failure needs no further interpretation.
 *
 * @param who - the service that was asked, for the error
 * @throws the signal's reason, `timeout`, `network`, and `invalid_response` for a body that is too large
 */
export function requireReply(
  result: ExchangeResult,
  who: string,
  redact: RedactText,
  signal: AbortSignal | undefined,
): Extract<ExchangeResult, { kind: 'reply' }> {
  switch (result.kind) {
    case 'reply':
      return result;
    case 'aborted':
      throw signal?.reason;
    case 'timed_out':
      throw new TimeoutError(`No answer from ${who} in time.`);
    case 'too_large':
      throw new InvalidResponseError('', `The answer from ${who} is too large.`);
    default:
      throw new NetworkError(`The connection to ${who} failed.`, { cause: safeCause(result.cause, redact) });
  }
}
