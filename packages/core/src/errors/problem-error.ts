import type { ProblemCode } from '../contract/problem.ts';
import { InnkeepError } from './innkeep-error.ts';

/** Details that a failure of the proxy carries besides its code. */
export type ProblemDetails = Pick<ProblemError, 'status'> &
  Partial<Pick<ProblemError, 'param' | 'resource' | 'traceId' | 'retryAfterSeconds'>>;

/** The proxy refused a call and said why; `code` is the code of its problem document. */
export class ProblemError extends InnkeepError {
  override readonly name: string = 'ProblemError';
  /** Code of the problem document. A later version of the proxy may add codes. */
  declare readonly code: ProblemCode | (string & {});
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
  /** With `upstream_error`: the status with which the gateway answered. */
  readonly upstreamStatus: number | undefined;

  constructor(code: string, message: string, details: ProblemDetails & { upstreamStatus?: number | undefined }) {
    super(code, message, details);
    this.upstreamStatus = details.upstreamStatus;
  }
}
