/** What is said about an operation in the OpenAPI documents. No request needs it, so it is in no bundle. */
import type { ProblemCode } from '@innkeep/core/contract';
import type { GenericSchema } from 'valibot';

/** Headers of answers that the documents know, besides `x-request-id`, which every answer has. */
export type HeaderName =
  | 'Allow'
  | 'Content-Disposition'
  | 'ETag'
  | 'Location'
  | 'Retry-After'
  | 'Set-Cookie'
  | 'WWW-Authenticate'
  | 'idempotent-replayed';

/** An answer that is no failure. */
export interface Answer {
  readonly description: string;
  /** Its JSON. */
  readonly schema?: GenericSchema;
  /** What it is when it is no JSON; neither means no body. */
  readonly type?: string;
  /** Headers of its own. */
  readonly headers?: readonly HeaderName[];
  /** Members in which an answer of this route differs from the example of its schema. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** What an operation is for. */
export interface OperationText {
  readonly summary: string;
  /** What to know before calling it. */
  readonly description: string;
  /** By status. */
  readonly answers: { readonly [status: number]: Answer; readonly default?: Answer };
  /** How it can fail besides what its caller, its query and its body can do wrong. */
  readonly problems?: readonly ProblemCode[];
  /** Whether it is for whoever watches over the hotel rather than for its site; what platform keys are for always is. */
  readonly isForOperators?: boolean;
  /** A body worth copying. */
  readonly example?: unknown;
  /** What the parameters of its path mean. */
  readonly params?: Readonly<Record<string, string>>;
}

/** By the name of the operation, which its route says. */
export type OperationTexts = Readonly<Record<string, OperationText>>;
