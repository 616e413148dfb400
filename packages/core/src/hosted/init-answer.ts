import * as v from 'valibot';
import { type Accepted, type Given, type Json, parseAccepted } from '../schemas/parse-answer.ts';
import { IdSchema, isName, NameSchema, OptionalTextSchema } from '../schemas/text.ts';
import type { HostedRequest } from './hosted-request.ts';
import { assertTrustedUrl, type TrustedOrigins } from './trusted-url.ts';

const InitAnswerSchema = v.object({
  viewUrl: NameSchema,
  /** Id of the hosted request; `paystatus` and `transaction` ask with it. */
  requestID: IdSchema,
  dateTime: OptionalTextSchema,
  /** Address for `paystatus`, exactly as given (the upstream spells the field so). Keep it on the server. */
  stateRetrivalUrl: NameSchema,
  serviceProvider: OptionalTextSchema,
});

type InitAnswer = Given<v.InferOutput<typeof InitAnswerSchema>> & Accepted;

/**
 * An accepted init. Plain apart from `viewUrl` and the money in `request`, so that it survives being stored as JSON:
 * `paystatus` and `transaction` take the stored form too.
 *
 * @see upstream API, section "Init response"
 */
export interface InitResult extends Omit<InitAnswer, 'viewUrl'> {
  /** Send the guest here, as a top-level page. Carries transaction data: keep it out of logs. */
  viewUrl: URL;
  /** Hotel-local date-time; `''` when the upstream sent none. */
  dateTime: string;
  /** Provider of the hosted page. */
  serviceProvider: string;
  /** What was asked, for comparing with the record later. */
  request: HostedRequest;
}

/**
 * Reads the answer to either init and checks where its addresses point.
 *
 * @throws `declined`, `invalid_response`, `untrusted_url`
 */
export function parseInitAnswer(
  trusted: { readonly statusOrigins: TrustedOrigins; readonly viewOrigins: TrustedOrigins },
  json: Json,
  asked: { request: HostedRequest; serviceProvider: string },
): InitResult {
  const answer = parseAccepted(asked.request.operation, InitAnswerSchema, json);
  assertTrustedUrl(answer.stateRetrivalUrl, 'stateRetrivalUrl', trusted.statusOrigins);
  return {
    ...answer,
    viewUrl: assertTrustedUrl(answer.viewUrl, 'viewUrl', trusted.viewOrigins),
    dateTime: answer.dateTime ?? '',
    serviceProvider: isName(answer.serviceProvider) ? answer.serviceProvider : asked.serviceProvider,
    request: asked.request,
  };
}
