/**
 * Every error of Innkeep, its stable code and the guard that recognizes it.
 *
 * Import path: `@innkeep/core/errors`. Free of secrets and of any other module.
 *
 * @module
 */

const BRAND = '@innkeep/error';

/** Base class of every error thrown by an Innkeep package. */
export class InnkeepError extends Error {
  /** Name of the class, which a minifier does not change. */
  override readonly name: string = 'InnkeepError';
  /** Stable, machine-readable kind of failure. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    // A registered name survives a second copy of this module; instanceof does not.
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** What is safe to log: every own detail except the cause and the stack. */
  toJSON(): Record<string, unknown> {
    // The cause and the stack are not enumerable, so they stay out.
    return { ...(this as object), message: this.message };
  }
}

/**
 * An argument is wrong. Thrown before any request was made.
 *
 * Money: did not move.
 *
 * What to do: correct the argument that `path` names.
 */
export class InvalidInputError extends InnkeepError {
  override readonly name = 'InvalidInputError';
  declare readonly code: 'invalid_input';
  /** Dotted path of the bad argument. */
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super('invalid_input', message, options);
    this.path = path;
  }
}

/**
 * A setting is missing or wrong. Thrown when a client is made, or by a call that the settings do not allow.
 *
 * Money: did not move; no request was made.
 *
 * What to do: correct the setting that `path` names.
 */
export class ConfigurationError extends InnkeepError {
  override readonly name = 'ConfigurationError';
  declare readonly code: 'configuration';
  /** Dotted path of the bad setting. */
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super('configuration', message, options);
    this.path = path;
  }
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
 * The upstream answered with a `returnCode` other than 0: it did not do what was asked. A money call whose answer leaves
 * a doubt of that, by a transaction id or by its code, ends as `outcome_unknown` instead.
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

type UnclearAnswer = Pick<OutcomeUnknownError, 'status' | 'path' | 'returnCode' | 'returnText' | 'transactionID'>;

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
  /** Id that the answer named, to look it up by, when there was one. It proves nothing. */
  readonly transactionID: string | undefined;

  constructor(operation: string, message: string, options: ErrorOptions & Partial<UnclearAnswer> = {}) {
    super('outcome_unknown', message, options);
    this.operation = operation;
    this.status = options.status;
    this.path = options.path;
    this.returnCode = options.returnCode;
    this.returnText = options.returnText;
    this.transactionID = options.transactionID;
  }
}

/**
 * The request could not be sent, or the connection broke, on a call that is safe to make again.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice.
 */
export class NetworkError extends InnkeepError {
  override readonly name = 'NetworkError';
  declare readonly code: 'network';

  constructor(message: string, options?: ErrorOptions) {
    super('network', message, options);
  }
}

/**
 * No complete answer within the time limit, on a call that is safe to make again.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice.
 */
export class TimeoutError extends InnkeepError {
  override readonly name = 'TimeoutError';
  declare readonly code: 'timeout';

  constructor(message: string, options?: ErrorOptions) {
    super('timeout', message, options);
  }
}

/**
 * The upstream answered with an HTTP status that is no success. Redirects count: none is ever followed.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice.
 * When the status stays, what answers at the address may not be the service.
 */
export class UpstreamStatusError extends InnkeepError {
  override readonly name = 'UpstreamStatusError';
  declare readonly code: 'upstream_status';
  /** HTTP status; 0 when a browser hides the status of a redirect. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super('upstream_status', message, options);
    this.status = status;
  }
}

/**
 * A successful answer does not have the documented shape. Carries where, never what.
 *
 * Money: the payment API's own operations throw this only when nothing was executed. A charge or a reversal through the
 * merchant client may have been.
 *
 * What to do: call again; through the merchant client with the same `idempotencyKey`, which never does it twice.
 * When it stays, report the field that `path` names to whoever runs the service.
 */
export class InvalidResponseError extends InnkeepError {
  override readonly name = 'InvalidResponseError';
  declare readonly code: 'invalid_response';
  /** Dotted path of the bad field; `''` when the body as a whole is unreadable. */
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super('invalid_response', message, options);
    this.path = path;
  }
}

/**
 * An address in an answer points to an origin that is not trusted. It was not used.
 *
 * Money: did not move; the guest has not seen the page.
 *
 * What to do: ask the vendor whether the origin is theirs. Only then add it to `allowedOrigins` or `viewOrigins`.
 */
export class UntrustedUrlError extends InnkeepError {
  override readonly name = 'UntrustedUrlError';
  declare readonly code: 'untrusted_url';
  /** Name of the field that held the address. */
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super('untrusted_url', message, options);
    this.path = path;
  }
}

/**
 * A hosted payment's recorded amount differs from the one asked for by exactly the currency's power of ten:
 * `amountUnit` is configured wrongly.
 *
 * Money: has moved, in the wrong amount.
 *
 * What to do: stop taking payments until `amountUnit` is right, and reverse what was charged too much.
 */
export class AmountUnitMismatchError extends InnkeepError {
  override readonly name = 'AmountUnitMismatchError';
  declare readonly code: 'amount_unit_mismatch';

  constructor(message: string, options?: ErrorOptions) {
    super('amount_unit_mismatch', message, options);
  }
}

/**
 * The gateway answered with a status other than 200.
 *
 * Money: a message may have been carried out all the same, where its answer was lost on the way.
 *
 * What to do: a 401 or 403 is about the key. For anything else look into the property-management system before sending the
 * message again.
 */
export class GatewayStatusError extends InnkeepError {
  override readonly name = 'GatewayStatusError';
  declare readonly code: 'gateway_status';
  /** HTTP status; 0 when a browser hides the status of a redirect. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super('gateway_status', message, options);
    this.status = status;
  }
}

/**
 * The gateway answered 200 with a document that says failure.
 *
 * Money: the property-management system says that it did not do what was asked.
 *
 * What to do: read `reply`: its document says what is wrong.
 */
export class GatewayError<Reply = unknown> extends InnkeepError {
  override readonly name = 'GatewayError';
  declare readonly code: 'gateway_error';
  /** The whole reply. Not part of `toJSON`: it can hold guest data. */
  declare readonly reply: Reply;

  constructor(message: string, reply: Reply) {
    super('gateway_error', message);
    Object.defineProperty(this, 'reply', { value: reply });
  }
}

/**
 * An XML document was refused before or while it was read.
 *
 * Money: the message that the document answers may have been carried out; only the answer was not read.
 *
 * What to do: `reason` says which guard refused. Look into the property-management system before sending the message again.
 */
export class XmlRefusedError extends InnkeepError {
  override readonly name = 'XmlRefusedError';
  declare readonly code: 'xml_refused';
  /** Why: one of the guards, or `syntax`. */
  readonly reason: 'doctype' | 'size' | 'depth' | 'character' | 'charset' | 'syntax';

  constructor(reason: XmlRefusedError['reason'], message: string) {
    super('xml_refused', message);
    this.reason = reason;
  }
}

/**
 * A webhook is not authentic, too old, or unreadable.
 *
 * Money: the webhook proves nothing.
 *
 * What to do: answer 400 and do nothing with the content. If it is ours: compare the secret, pass the body exactly as it was
 * received, and check the clock.
 */
export class WebhookVerificationError extends InnkeepError {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: 'webhook_verification_failed';

  constructor(message: string, options?: ErrorOptions) {
    super('webhook_verification_failed', message, options);
  }
}

/** Details that a failure of the proxy carries besides its code. */
export type ProblemDetails = Pick<ProblemError, 'status'> &
  Partial<Pick<ProblemError, 'param' | 'resource' | 'traceId' | 'retryAfterSeconds'>>;

/** The proxy refused a call and said why; `code` is the code of its problem document. */
export class ProblemError extends InnkeepError {
  override readonly name: string = 'ProblemError';
  /** HTTP status. */
  readonly status: number;
  /** Dotted path or header that the proxy objected to. */
  readonly param: string | undefined;
  /** Id of the resource that the failure is about. */
  readonly resource: string | undefined;
  /** Id of the request in the proxy's logs. */
  readonly traceId: string | undefined;
  /** Seconds to wait before asking again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, details: ProblemDetails) {
    super(code, message);
    this.status = details.status;
    this.param = details.param;
    this.resource = details.resource;
    this.traceId = details.traceId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** A refusal of a guest call (`@innkeep/core/checkout`). */
export class CheckoutError extends ProblemError {
  override readonly name = 'CheckoutError';
}

/** A refusal of a merchant call (`@innkeep/core/merchant`). */
export class MerchantError extends ProblemError {
  override readonly name = 'MerchantError';
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
 *
 * @example
 * ```ts
 * import { isInnkeepError } from '@innkeep/core/errors';
 *
 * export function mayTryAgain(error: unknown): boolean {
 *   return isInnkeepError(error, 'network') || isInnkeepError(error, 'timeout');
 * }
 * ```
 */
export function isInnkeepError<Code extends InnkeepErrorCode>(error: unknown, code: Code): error is InnkeepErrors[Code];
export function isInnkeepError(error: unknown, code?: string): error is InnkeepError;
export function isInnkeepError(error: unknown, code?: string): boolean {
  const { [BRAND]: isOurs, code: actual } = Object(error) as { [BRAND]?: boolean; code?: string };
  return isOurs === true && (code === undefined || code === actual);
}

/** Tells whether a caught value is a refusal that the proxy explained, from either client. */
export function isProblemError(error: unknown): error is ProblemError {
  return isInnkeepError(error) && 'retryAfterSeconds' in error;
}
