import { maskCardNumbersIn } from './card-number.ts';

/** Why a request was refused, as a stable word. */
export type RefusalCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type';

const STATUS: Readonly<Record<RefusalCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
};

/**
 * A request that the sandbox does not carry out. Names the field and the reason, never the value: a value may be a
 * card number in the wrong place.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly field: string | undefined;
  /** What is wrong with the field. The message says both. */
  readonly reason: string;
  readonly status: number;

  constructor(code: RefusalCode, reason: string, field?: string) {
    // The names of unknown fields come from the caller.
    const named = field === undefined ? undefined : maskCardNumbersIn(field).slice(0, 60);
    super(named === undefined ? reason : `${named} ${reason}`);
    this.code = code;
    this.field = named;
    this.reason = reason;
    this.status = STATUS[code];
  }
}
