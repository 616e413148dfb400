/**
 * Failures as the outside sees them: one table from a stable code to a status, one error class, one document shape
 * (`application/problem+json`). Throw a {@link ProblemError} anywhere; `middleware/error-response.ts` answers it.
 */

const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'Credentials are missing or wrong' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  session_not_open: { status: 409, title: 'The session can no longer be started' },
  payment_in_progress: { status: 409, title: 'A payment is in progress' },
  idempotency_in_progress: { status: 409, title: 'The first call with this key is still running' },
  possible_duplicate: { status: 409, title: 'The same charge has an uncertain outcome' },
  not_reversible: { status: 409, title: 'Nothing to reverse' },
  not_resolvable: { status: 409, title: 'Only an unknown outcome can be resolved' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used with another body' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  upstream_error: { status: 502, title: 'The payment service failed' },
  upstream_rejected: { status: 502, title: 'The payment service refused the request' },
  property_unavailable: { status: 503, title: 'The property cannot be served' },
  upstream_unavailable: { status: 503, title: 'The payment service is known to be down' },
  upstream_timeout: { status: 504, title: 'The payment service did not answer in time' },
} as const;

/** Every stable code a failure can carry. */
export type ProblemCode = keyof typeof PROBLEMS;

/** What a failure says beyond its code. */
export interface ProblemDetails {
  /** What failed, on what, and what to do. Never a secret. */
  readonly detail: string;
  /** Dotted path of the bad field, or a header's name. */
  readonly param?: string;
  /** Id of the resource the failure is about. */
  readonly resource?: string;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent as `Allow`. */
  readonly allow?: readonly string[];
}

/** A failure in a form that crosses an object boundary: thrown errors lose their class there. */
export interface Refusal extends ProblemDetails {
  readonly ok: false;
  readonly code: ProblemCode;
}

/** What an object's method answers: the value, or a refusal the caller turns into a {@link ProblemError}. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The body of every failed answer. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  param?: string;
  resource?: string;
  traceId: string;
}

/** A failure with a stable code; one middleware turns it into a response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails, options?: ErrorOptions) {
    super(`${code}: ${details.detail}`, options);
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.details = details;
  }
}

/** Builds the answer of an object's method that refuses. */
export function refuse(code: ProblemCode, details: ProblemDetails): Refusal {
  return { ok: false, code, ...details };
}

/** The value of an outcome; a refusal is thrown as a {@link ProblemError}. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { ok: _, code, ...details } = outcome;
  throw new ProblemError(code, details);
}

/** The document sent for a failure. `traceId` joins the answer with the log line. */
export function toProblemDocument(error: ProblemError, traceId: string): ProblemDocument {
  const { detail, param, resource } = error.details;
  return {
    type: `urn:innkeep:problem:${error.code}`,
    title: PROBLEMS[error.code].title,
    status: error.status,
    code: error.code,
    detail,
    ...(param === undefined ? {} : { param }),
    ...(resource === undefined ? {} : { resource }),
    traceId,
  };
}
