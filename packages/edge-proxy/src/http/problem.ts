/**
 * Failures as the outside sees them: one error class and one document (`application/problem+json`). Throw a
 * {@link ProblemError} anywhere; `http/error-response.ts` answers it.
 */
import { PROBLEM_STATUSES, type Problem, type ProblemCode } from '@innkeep/core/contract';

/** What a failure says beyond its code. `detail`: what failed, on what, and what to do; never a secret. */
export interface ProblemDetails extends Readonly<Pick<Problem, 'detail' | 'param' | 'resource' | 'upstreamStatus'>> {
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent as `Allow`. */
  readonly allow?: readonly string[];
  /** The hotel, for the log only: guests are not told. */
  readonly property?: string;
}

/** A failure in a form that crosses an object boundary: thrown errors lose their class there. */
export interface Refusal extends ProblemDetails {
  readonly ok: false;
  readonly code: ProblemCode;
}

/** What an object's method answers: the value, or a refusal the caller turns into a {@link ProblemError}. */
export type Outcome<T> = { readonly ok: true; readonly value: T; readonly property?: string } | Refusal;

/** A failure with a stable code; one middleware turns it into a response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: (typeof PROBLEM_STATUSES)[ProblemCode];
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails, options?: ErrorOptions) {
    super(`${code}: ${details.detail}`, options);
    this.code = code;
    this.status = PROBLEM_STATUSES[code];
    this.details = details;
  }
}

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

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
export function toProblemDocument(error: ProblemError, traceId: string): Problem {
  const { retryAfterSeconds: _, allow: _allow, property: _property, ...shown } = error.details;
  return {
    type: `urn:innkeep:problem:${error.code}`,
    title: toTitle(error.code),
    status: error.status,
    code: error.code,
    ...shown,
    traceId,
  };
}

/** `not_found` → `Not found`. */
function toTitle(code: string): string {
  return code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
}
