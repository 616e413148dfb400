/**
 * `call`: any operation under `/V2/<customer_id>/` that has no function of its own.
 *
 * Import path: `@innkeep/core/operations/call`.
 *
 * @see upstream API, section "Endpoints"
 * @module
 */

import type { CallOptions, Context } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { post } from '../operation-request.ts';
import type { Json } from '../schemas/parse-answer.ts';
import { requireObject, toJson } from '../values/check-text.ts';

/** Input of {@link call}. */
export interface CallInput {
  /** Name of the operation as the upstream spells it. */
  operation: string;
  /** Sent as it is. */
  body: Readonly<Record<string, unknown>>;
}

const MONEY_OPERATIONS: ReadonlySet<string> = new Set(['pay', 'reversal', 'createToken']);

/**
 * Posts a body to an operation and returns the parsed answer, whatever its `returnCode`. The body is sent unchanged: nothing
 * is filled in. In the answer card numbers are blanked, and texts of more than 1,000 characters are cut. For `pay`,
 * `reversal` and `createToken` the rules of those operations apply (`outcome_unknown`, not in a page). For a name this
 * package does not know, `network`, `timeout`, `upstream_status` and `invalid_response` do not say whether the upstream
 * acted.
 *
 * Retry: never.
 *
 * @throws `invalid_input`, `upstream_status`, `invalid_response`, `network`, `timeout`, `authentication_failed`
 */
export async function call(context: Context, input: CallInput, options: CallOptions = {}): Promise<Json> {
  const { operation, body } = requireObject(input);
  if (typeof operation !== 'string' || !/^[A-Za-z][A-Za-z0-9]*$/.test(operation)) {
    throw new InvalidInputError('operation', 'operation must be a name of letters and digits.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidInputError('body', 'body must be an object.');
  }
  toJson(body);
  return post(context, operation, {
    class: MONEY_OPERATIONS.has(operation) ? 'money' : 'prepare',
    body,
    parse: (json) => json,
    secrets: [body.cardNo, body.cvc, body.tokenNo].flatMap((value) =>
      typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
    ),
    options,
  });
}
