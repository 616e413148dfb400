/**
 * One body to the classic interface and its answer back, bytes untouched. The proxy adds the key; nothing of the caller's
 * headers or query goes along, and no header of the answer comes back.
 */

import type { GatewaySettings } from '@innkeep/core/contract';
import type { Property } from '../config/properties.ts';
import { readBytes } from '../middleware/read-bytes.ts';
import { toGatewayRequest } from '../policy/gateway-request.ts';
import { ProblemError } from '../problem.ts';
import { logUpstreamCall } from '../upstream/upstream-log.ts';

/** Room lists are longer than what asks for them. */
const MAX_ANSWER_BYTES = 4_194_304;
const TIMEOUT_MS = 30_000;

/** Sends one message, once. */
export async function sendToGateway(
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
