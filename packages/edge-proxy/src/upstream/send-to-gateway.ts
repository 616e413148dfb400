/** Hands one message on to the gateway as it is, and its answer back, card numbers in it masked. */
import type { GatewaySettings } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { createGatewayTransport, type GatewayBody } from '@innkeep/core/gateway';
import { holdsCardNumber } from '@innkeep/core/values';
import { ProblemError, unwrap } from '../http/problem.ts';
import type { Property } from '../properties/configured-properties.ts';
import { acquirePermit, isRefused, toBusyRefusal, upstreamOf } from './call-budget.ts';
import { maskCardNumbers } from './mask-card-numbers.ts';
import { logUpstreamCall } from './upstream-log.ts';
import type { EndedUpstreamCall } from './upstream-options.ts';

/** Sends one message, once. A content type of `''` is none. `onEnd` measures. */
export async function sendToGateway(
  property: Property & { readonly gateway: GatewaySettings },
  { protocol, method, body }: { readonly protocol: string; readonly method: string; readonly body: GatewayBody },
  { onEnd }: { readonly onEnd?: ((call: EndedUpstreamCall) => void) | undefined } = {},
): Promise<GatewayBody> {
  const { id, baseUrl, customerId, gateway } = property;
  const permit = acquirePermit('gateway', { ...upstreamOf(property), source: 'gateway' });
  if (isRefused(permit)) return unwrap(toBusyRefusal(permit));
  const startedAt = Date.now();
  let status: number | undefined;
  let code: string | undefined;
  try {
    const { apiKey, apiKeyIn, productId } = gateway;
    const post = createGatewayTransport({ baseUrl, customerId, apiKey, apiKeyIn, productId });
    const answer = await post(protocol, method, body);
    status = 200;
    await maskCardNumbers(answer.bytes);
    return { ...answer, contentType: isShown(answer.contentType) ? answer.contentType : '' };
  } catch (error) {
    const problem = toProblem(error);
    status = problem.details.upstreamStatus;
    code = problem.code;
    throw problem;
  } finally {
    // Whether the gateway answers says nothing of the payment service beside it.
    permit.end();
    const call = { operation: 'gateway', status, durationMs: Date.now() - startedAt, code };
    logUpstreamCall({ property: id, ...call });
    onEnd?.(call);
  }
}

/** Far more than any type and its parameters have. Whoever asked refuses an answer whose headers hold control characters. */
const CONTENT_TYPE = /^[\t\x20-\x7e]{0,200}$/;

function isShown(contentType: string): boolean {
  return CONTENT_TYPE.test(contentType) && !holdsCardNumber(contentType);
}

/** Core's messages are dropped: they are not written for callers of the proxy. */
function toProblem(error: unknown): ProblemError {
  if (isInnkeepError(error, 'gateway_status')) {
    const detail = `The gateway answered with status ${error.status}`;
    return new ProblemError('upstream_error', { detail, upstreamStatus: error.status });
  }
  if (isInnkeepError(error, 'xml_refused') || isInnkeepError(error, 'invalid_response')) {
    return new ProblemError('upstream_error', { detail: 'The gateway’s answer is too large', upstreamStatus: 200 });
  }
  if (isInnkeepError(error, 'timeout')) {
    const detail = 'The gateway did not answer in time: the message may have been carried out';
    return new ProblemError('upstream_timeout', { detail });
  }
  if (isInnkeepError(error, 'configuration')) {
    const detail = 'This property’s configuration cannot be used';
    return new ProblemError('property_unavailable', { detail, param: `gateway.${error.path}` });
  }
  const detail = 'The connection to the gateway failed: the message may have been carried out';
  return new ProblemError('upstream_error', { detail });
}
