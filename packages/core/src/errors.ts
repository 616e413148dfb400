/**
 * Every error of Innkeep, its stable code and the guard that recognizes it.
 *
 * Import path: `@innkeep/core/errors`. Free of secrets and of the rest of the package.
 *
 * @module
 */
import type { GatewayError, GatewayStatusError, XmlRefusedError } from './errors/gateway-errors.ts';
import { BRAND, InnkeepError, KnownError, PathError, StatusError } from './errors/innkeep-error.ts';
import type { ProblemError } from './errors/problem-error.ts';

export { GatewayError, GatewayStatusError, XmlRefusedError } from './errors/gateway-errors.ts';
export { InnkeepError } from './errors/innkeep-error.ts';
export { CheckoutError, MerchantError, type ProblemDetails, ProblemError } from './errors/problem-error.ts';

/**
 * An argument is wrong. Thrown before any request was made; or by a feed of events that ends before the requested position.
 *
 * Money: did not move.
 *
 * What to do: correct the argument that `path` names.
 */
export class InvalidInputError extends PathError {
  override readonly name = 'InvalidInputError';
  override readonly code = 'invalid_input';
  /** Dotted path of the bad argument. */
  declare readonly path: string;
}

/**
 * A setting is missing or wrong. Thrown when a client is made, or by a call that the settings do not allow.
 *
 * Money: did not move; no request was made.
 *
 * What to do: correct the setting that `path` names.
 */
export class ConfigurationError extends PathError {
  override readonly name = 'ConfigurationError';
  override readonly code = 'configuration';
  /** Dotted path of the bad setting. */
  declare readonly path: string;
}

/**
 * The upstream refused the credentials, or refused two access tokens in a row. Nothing was executed.
 *
 * Money: did not move.
 *
 * What to do: check the user name and the password with the vendor. Until they are right every call fails like this.
 */
export class AuthenticationError extends InnkeepError {
  override readonly name = 'AuthenticationError';
  declare readonly code: 'authentication_failed';
  /** HTTP status of the refusal, when there was one. */
  readonly status: number | undefined;

  constructor(message: string, options?: ErrorOptions & { status?: number | undefined }) {
    super('authentication_failed', message, options);
    this.status = options?.status;
  }
}

/**
 * The upstream answered with a `returnCode` other than 0: it did not do what was asked. A money call whose answer leaves this in
 * doubt, by a transaction id or by its code, ends as `outcome_unknown` instead.
 *
 * Money: did not move.
 *
 * What to do: ask for another card or another way to pay. The same call may be declined again.
 */
export class DeclinedError extends InnkeepError {
  override readonly name = 'DeclinedError';
  declare readonly code: 'declined';
  /** The operation that was declined. */
  readonly operation: string;
  /** `returnCode` of the answer, always a string. */
  readonly returnCode: string;
  /** Text that came with it, card numbers blanked. Untrusted: do not show it to guests. */
  readonly returnText: string | undefined;

  constructor(operation: string, returnCode: string, returnText?: string) {
    super('declined', `${operation} was declined with returnCode ${JSON.stringify(returnCode)}.`);
    this.operation = operation;
    this.returnCode = returnCode;
    this.returnText = returnText;
  }
}

type UnclearAnswer = Pick<OutcomeUnknownError, 'status' | 'path' | 'returnCode' | 'returnText' | 'transactionId'>;

/**
 * A call that moves money was sent and its answer is not known: it may have been executed.
 *
 * Money: may have moved.
 *
 * What to do: never repeat the call. Find out at the upstream what happened, then decide.
 */
export class OutcomeUnknownError extends InnkeepError {
  override readonly name = 'OutcomeUnknownError';
  declare readonly code: 'outcome_unknown';
  /** The operation whose outcome is unknown. */
  readonly operation: string;
  /** HTTP status of the unusable answer, when there was one. */
  readonly status: number | undefined;
  /** Path of the field that made the answer unusable, when there was one. */
  readonly path: string | undefined;
  /** `returnCode` other than 0 that did not say whether the call was executed, when there was one. */
  readonly returnCode: string | undefined;
  /** Text that came with it, card numbers blanked. Untrusted: do not show it to guests. */
  readonly returnText: string | undefined;
  /** Id in the answer, if there was one, for looking the call up. It proves nothing. */
  readonly transactionId: string | undefined;

  constructor(operation: string, message: string, options: ErrorOptions & Partial<UnclearAnswer> = {}) {
    super('outcome_unknown', message, options);
    this.operation = operation;
    this.status = options.status;
    this.path = options.path;
    this.returnCode = options.returnCode;
    this.returnText = options.returnText;
    this.transactionId = options.transactionId;
  }
}

/**
 * The request could not be sent, or the connection broke, on a call that is safe to make again or a gateway message.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client, and any gateway message, may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice. Look into
 * the property-management system before sending a gateway message again.
 */
export class NetworkError extends KnownError {
  override readonly name = 'NetworkError';
  override readonly code = 'network';
}

/**
 * No complete answer within the time limit, on a call that is safe to make again or a gateway message.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client, and any gateway message, may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice. Look into
 * the property-management system before sending a gateway message again.
 */
export class TimeoutError extends KnownError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
}

/**
 * The upstream answered with an HTTP status other than success. Redirects count: none is ever followed.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client, and any gateway message, may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice. Look into
 * the property-management system before sending a gateway message again.
 * When the status stays, what answers at the address may not be the service.
 */
export class UpstreamStatusError extends StatusError {
  override readonly name = 'UpstreamStatusError';
  override readonly code = 'upstream_status';
}

/**
 * A successful answer does not have the documented shape. Carries where, never what.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client, and any gateway message, may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice. Look into
 * the property-management system before sending a gateway message again.
 * When it stays, report the field that `path` names to whoever runs the service.
 */
export class InvalidResponseError extends PathError {
  override readonly name = 'InvalidResponseError';
  override readonly code = 'invalid_response';
  /** Dotted path of the bad field; `''` when the body as a whole is unreadable. */
  declare readonly path: string;
}

/**
 * An address in an answer points to an origin that is not trusted. It was not used.
 *
 * Money: did not move; the guest has not seen the page.
 *
 * What to do: ask the vendor whether the origin is theirs. Only then add it to `allowedOrigins` or `viewOrigins`.
 */
export class UntrustedUrlError extends PathError {
  override readonly name = 'UntrustedUrlError';
  override readonly code = 'untrusted_url';
  /** Name of the field that held the address. */
  declare readonly path: string;
}

/**
 * A hosted payment's recorded amount differs from the one asked for by exactly the currency's power of ten:
 * `amountUnit` is configured wrongly.
 *
 * Money: has moved, in the wrong amount.
 *
 * What to do: stop taking payments until `amountUnit` is right, and reverse what was charged too much.
 */
export class AmountUnitMismatchError extends KnownError {
  override readonly name = 'AmountUnitMismatchError';
  override readonly code = 'amount_unit_mismatch';
}

/**
 * A webhook is not authentic, too old, or unreadable.
 *
 * Money: the webhook proves nothing.
 *
 * What to do: answer 400 and do nothing with the content. If it is ours: compare the secret, pass the body exactly as it was
 * received, and check the clock.
 */
export class WebhookVerificationError extends KnownError {
  override readonly name = 'WebhookVerificationError';
  override readonly code = 'webhook_verification_failed';
}

/** Error class for each code that `@innkeep/core` itself throws. */
export interface InnkeepErrors {
  invalid_input: InvalidInputError;
  configuration: ConfigurationError;
  authentication_failed: AuthenticationError;
  declined: DeclinedError;
  outcome_unknown: OutcomeUnknownError;
  network: NetworkError;
  timeout: TimeoutError;
  upstream_status: UpstreamStatusError;
  invalid_response: InvalidResponseError;
  untrusted_url: UntrustedUrlError;
  amount_unit_mismatch: AmountUnitMismatchError;
  gateway_status: GatewayStatusError;
  gateway_error: GatewayError;
  xml_refused: XmlRefusedError;
  webhook_verification_failed: WebhookVerificationError;
}

/** Codes that `@innkeep/core` itself throws. They are stable: switch on them, never on messages. */
export type InnkeepErrorCode = keyof InnkeepErrors;

/**
 * Tells whether a caught value is an Innkeep error, and with `code` whether it is that one.
 * Works across copies of this package and across frames, where `instanceof` does not.
 */
export function isInnkeepError<Code extends InnkeepErrorCode>(error: unknown, code: Code): error is InnkeepErrors[Code];
export function isInnkeepError(error: unknown, code?: string): error is InnkeepError;
export function isInnkeepError(error: unknown, code?: string): boolean {
  const { [BRAND]: isOurs, code: actual } = Object(error) as { [BRAND]?: boolean; code?: string };
  return isOurs === true && (code === undefined || code === actual);
}

/** Tells whether a caught value is a refusal that the proxy explained, from any client. */
export function isProblemError(error: unknown): error is ProblemError {
  return isInnkeepError(error) && 'retryAfterSeconds' in error;
}
