import * as v from 'valibot';
import { type Json, parseAccepted } from '../schemas/parse-answer.ts';
import { IdSchema, OptionalTextSchema } from '../schemas/text.ts';
import type { HostedRequest } from './hosted-request.ts';
import { assertTrustedUrl, type TrustedOrigins } from './trusted-url.ts';

/**
 * An accepted init. Plain apart from `viewUrl` and the money in `request`, so that it survives being stored as JSON:
 * `paystatus` and `transaction` take the stored form too.
 *
 * @see upstream API, section "Init response"
 */
export interface InitResult {
  /** Send the guest here, as a top-level page. Carries transaction data: keep it out of logs. */
  viewUrl: URL;
  /** Id of the hosted request; `paystatus` and `transaction` ask with it. */
  requestID: string;
  /** Hotel-local date-time; `''` when the upstream sent none. */
  dateTime: string;
  /** Address for `paystatus`, exactly as given (the upstream spells the field so). Keep it on the server. */
  stateRetrivalUrl: string;
  /** Provider of the hosted page. */
  serviceProvider: string;
  /** `'0'`: anything else is thrown as `declined`. */
  returnCode: string;
  /** What was asked, for comparing with the record later. */
  request: HostedRequest;
  /** The answer as it came. */
  raw: Json;
}

interface InitAnswer {
  viewUrl: string;
  requestID: string;
  dateTime: string | undefined;
  stateRetrivalUrl: string;
  serviceProvider: string | undefined;
}

const InitAnswerSchema: v.GenericSchema<unknown, InitAnswer> = v.object({
  viewUrl: v.pipe(v.string(), v.nonEmpty()),
  requestID: IdSchema,
  dateTime: OptionalTextSchema,
  stateRetrivalUrl: v.pipe(v.string(), v.nonEmpty()),
  serviceProvider: OptionalTextSchema,
});

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
    viewUrl: assertTrustedUrl(answer.viewUrl, 'viewUrl', trusted.viewOrigins),
    requestID: answer.requestID,
    dateTime: answer.dateTime ?? '',
    stateRetrivalUrl: answer.stateRetrivalUrl,
    serviceProvider: answer.serviceProvider || asked.serviceProvider,
    returnCode: '0',
    request: asked.request,
    raw: json,
  };
}
