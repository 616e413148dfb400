/**
 * `paystatus`: how far a hosted request has come.
 *
 * Import path: `@innkeep/core/operations/paystatus`.
 *
 * @see upstream API, sections "Status response" and "States and transitions"
 * @module
 */
import * as v from 'valibot';
import type { CallOptions, Context } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { assertTrustedUrl } from '../hosted/trusted-url.ts';
import { type HostedRequestInput, hostedRequestUrl } from '../operation-request.ts';
import { cleanText, unescaped } from '../schemas/clean-answer.ts';
import { type Json, parseAnswer } from '../schemas/parse-answer.ts';
import { LenientTextSchema } from '../schemas/text.ts';
import { send } from '../transport/send.ts';
import { requireObject } from '../values/check-text.ts';
import { redactText } from '../values/redact.ts';

/** An init result, its stored form, or at least the id. */
export interface PaystatusInput extends HostedRequestInput {
  /** Used exactly as given when present and trusted; otherwise the address is built. */
  stateRetrivalUrl?: string | undefined;
  /** Form of the built address. @default 'V2' */
  version?: 'V2' | 'none' | undefined;
}

/** State of a hosted request. `done` says that a result exists; only its record says what the result is. */
export type PaystatusResult = (
  | { state: 'pending' }
  | { state: 'done'; objectType: 'payment' | 'token' | 'other'; objectID: string }
  | { state: 'error'; errorText: string }
) & { raw: Json };

const StatusSchema = v.object({
  state: v.pipe(v.union([v.number(), v.pipe(v.string(), v.digits())]), v.transform(Number), v.integer()),
  result: LenientTextSchema,
});

/**
 * Reads the state of a hosted request. A state that the specification does not name counts as pending.
 *
 * Retry: safe.
 *
 * @throws `invalid_input`, `untrusted_url`, `invalid_response`, `upstream_status`, `network`, `timeout`,
 * `authentication_failed`
 */
export async function paystatus(
  context: Context,
  input: PaystatusInput,
  options: CallOptions = {},
): Promise<PaystatusResult> {
  return send(context, {
    operation: 'paystatus',
    class: 'read',
    url: statusUrl(context, input),
    parse: parseStatus,
    options,
  });
}

function statusUrl(context: Context, input: PaystatusInput): string {
  const { version = 'V2' } = requireObject(input);
  if (version !== 'V2' && version !== 'none') {
    throw new InvalidInputError('version', "version must be 'V2' or 'none'.");
  }
  if (input.stateRetrivalUrl !== undefined) {
    assertTrustedUrl(input.stateRetrivalUrl, 'stateRetrivalUrl', context.statusOrigins);
    return input.stateRetrivalUrl;
  }
  return hostedRequestUrl(context, 'paystatus', { ...input, version });
}

function parseStatus(json: Json): PaystatusResult {
  const { state, result } = parseAnswer('paystatus', StatusSchema, json);
  if (state === 1) {
    // It is done, even without an id: the record says whether anything was paid.
    return { state: 'done', ...parseObjectID(result ?? ''), raw: json };
  }
  if (state === 2) {
    const errorText = unescaped((result ?? '').replace(/^\s*ERROR=/i, ''));
    // The gate does not read an escaped value without its prefix.
    return { state: 'error', errorText: cleanText(redactText(errorText)), raw: json };
  }
  return { state: 'pending', raw: json };
}

function parseObjectID(result: string): { objectType: 'payment' | 'token' | 'other'; objectID: string } {
  const [, kind, objectID] = /^(PAY|TOKEN)OBJID=(.*)$/is.exec(result.trim()) ?? [];
  if (kind === undefined || objectID === undefined) return { objectType: 'other', objectID: result.trim() };
  return { objectType: kind.toUpperCase() === 'PAY' ? 'payment' : 'token', objectID };
}
