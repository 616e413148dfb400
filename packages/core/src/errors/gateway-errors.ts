import { InnkeepError, StatusError } from './innkeep-error.ts';

/**
 * The gateway answered with a status other than 200.
 *
 * Money: the message may still have been carried out, if its answer was lost on the way.
 *
 * What to do: a 401 or 403 is about the key. For anything else look into the property-management system before sending the
 * message again.
 */
export class GatewayStatusError extends StatusError {
  override readonly name = 'GatewayStatusError';
  override readonly code = 'gateway_status';
}

/**
 * The gateway answered 200 with a document that reports a failure.
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
