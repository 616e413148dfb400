/** The form of one operation's description, and the failures that whole groups share. */

import type { Scope } from '@innkeep/core/contract';
import type { GenericSchema } from 'valibot';
import type { ProblemCode } from '../src/problem.ts';

/** An answer that is no failure. */
export interface Success {
  readonly status: number;
  readonly description: string;
  readonly schema?: string;
  readonly type?: string;
}

/** One operation of the description. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** As the app mounts it. */
  readonly path: string;
  readonly id: string;
  readonly tag:
    | 'Checkout sessions'
    | 'Guest'
    | 'Charges and reversals'
    | 'Cards'
    | 'Gateway'
    | 'Events'
    | 'Pages'
    | 'Service';
  readonly summary: string;
  readonly security: 'merchant' | 'guest' | 'none';
  /** What a merchant key needs for it. */
  readonly scope?: Scope;
  readonly body?: {
    readonly schema: GenericSchema;
    readonly isOptional?: boolean;
    readonly type?: string;
    /** A body worth copying. A test sends it through the schema. */
    readonly example?: unknown;
    /** What its fields mean, where no type of `@innkeep/core` says it. */
    readonly words?: Readonly<Record<string, string>>;
  };
  readonly query?: GenericSchema;
  /** Whether `Idempotency-Key` may or must be sent. */
  readonly idempotencyKey?: 'optional' | 'required';
  /** Status and name of the success schema; null where the answer is a page or a redirect. */
  readonly success: Success;
  /** A second kind of success. */
  readonly alsoSuccess?: Success;
  readonly problems: readonly ProblemCode[];
}

/** How every merchant call can fail. */
export const MERCHANT: readonly ProblemCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'property_unavailable'];
/** How every guest call can fail. */
export const GUEST: readonly ProblemCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'property_unavailable'];
/** How every call with a body can fail. */
export const BODY: readonly ProblemCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];
