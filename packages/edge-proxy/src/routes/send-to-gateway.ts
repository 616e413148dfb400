/**
 * `POST /v1/gateway/{protocol}/{method}`: one body to the classic interface and its answer back, bytes untouched. The
 * proxy adds the key; nothing of the caller's headers or query goes along, and no header of the answer comes back.
 */
import type { Property } from '../config/properties.ts';
import type { GatewaySettings } from '../config/property-schema.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readBytes } from '../middleware/read-bytes.ts';
import { readBody } from '../middleware/read-json-body.ts';
import { isAllowedGatewayCall, isGatewaySegment, toGatewayRequest } from '../policy/gateway-request.ts';
import { ProblemError } from '../problem.ts';
import { logUpstreamCall } from '../upstream/upstream-log.ts';
import type { Route } from './route.ts';

const MAX_REQUEST_BYTES = 1_048_576;
/** Room lists are longer than what asks for them. */
const MAX_ANSWER_BYTES = 4_194_304;
const TIMEOUT_MS = 30_000;

/** The route. Never retried: whether a message can be repeated depends on the interface. */
export const sendToGateway: Route = {
  method: 'POST',
  path: '/v1/gateway/:protocol/:method',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'gateway');
    const { protocol, method } = readAddress(c);
    const { gateway } = property;
    if (gateway === undefined || !isAllowedGatewayCall({ ...property, gateway }, protocol, method)) {
      throw new ProblemError('forbidden', { detail: 'This property does not allow this gateway method' });
    }
    const bytes = await readBody(c, MAX_REQUEST_BYTES);
    const contentType = c.req.header('content-type') ?? null;
    const answer = await exchange({ ...property, gateway }, { protocol, method, contentType, bytes });
    return new Response(answer.bytes, {
      headers: answer.contentType === null ? {} : { 'content-type': answer.contentType },
    });
  },
};

function readAddress(c: AppContext): { protocol: string; method: string } {
  const [query] = Object.keys(c.req.queries());
  if (query !== undefined) {
    throw new ProblemError('invalid_request', { detail: 'A gateway request takes no query', param: query });
  }
  const { protocol = '', method = '' } = c.req.param() as Record<string, string>;
  for (const [param, text] of Object.entries({ protocol, method })) {
    if (isGatewaySegment(text)) continue;
    throw new ProblemError('invalid_request', { detail: 'Must be of A-Z a-z 0-9 . _ -', param });
  }
  return { protocol, method };
}

async function exchange(
  property: Property & { readonly gateway: GatewaySettings },
  call: {
    readonly protocol: string;
    readonly method: string;
    readonly contentType: string | null;
    readonly bytes: Uint8Array<ArrayBuffer>;
  },
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string | null }> {
  const { url, headers } = toGatewayRequest(property, call);
  const startedAt = Date.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let status: number | undefined;
  let code: string | undefined;
  try {
    const body = toOneShotBody(call.bytes);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    status = response.status;
    if (status !== 200) {
      await response.body?.cancel();
      const detail = `The gateway answered with status ${status}`;
      throw new ProblemError('upstream_error', { detail, upstreamStatus: status });
    }
    const bytes = await readBytes(response.body, MAX_ANSWER_BYTES);
    if (bytes !== undefined) return { bytes, contentType: response.headers.get('content-type') };
    throw new ProblemError('upstream_error', { detail: 'The gateway’s answer is too large', upstreamStatus: status });
  } catch (error) {
    const problem = toProblem(error, signal);
    code = problem.code;
    throw problem;
  } finally {
    const durationMs = Date.now() - startedAt;
    logUpstreamCall({ operation: 'gateway', property: property.id, status, durationMs, code });
  }
}

/** A body that no runtime can send a second time, with its length announced: some gateways refuse a chunked one. */
function toOneShotBody(bytes: Uint8Array<ArrayBuffer>): ReadableStream {
  const { readable, writable } = new FixedLengthStream(bytes.length);
  const writer = writable.getWriter();
  for (const writing of [writer.write(bytes), writer.close()]) writing.catch(() => undefined);
  return readable;
}

/** Raw failures are dropped: their messages may quote the address, and the address may hold the key. */
function toProblem(error: unknown, signal: AbortSignal): ProblemError {
  if (error instanceof ProblemError) return error;
  if (signal.aborted) return new ProblemError('upstream_timeout', { detail: 'The gateway did not answer in time' });
  return new ProblemError('upstream_error', { detail: 'The gateway cannot be reached' });
}
