/**
 * `/v1/gateway/{protocol}/{method}`: one body to the classic interface and its answer back, bytes untouched but for card numbers. Never retried:
 * whether a message can be repeated depends on the interface.
 */

import { GatewayCallSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { anyBody, params } from '../http/validate.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { isAllowedGatewayCall } from './gateway-request.ts';
import { sendToGateway } from './send-to-gateway.ts';
import type { EndedUpstreamCall } from './upstream-options.ts';

const MAX_REQUEST_BYTES = 1_048_576;

export interface GatewayDependencies {
  /** Absent when no collector is configured. */
  readonly tracing?: { readonly telemetry: Telemetry } | undefined;
}

export const gateway = merchantApp<GatewayDependencies>({ tag: 'Gateway' }).post(
  '/:protocol/:method',
  describe({ id: 'sendToGateway', scopes: ['gateway'] }),
  params(GatewayCallSchema),
  anyBody(MAX_REQUEST_BYTES),
  async (c) => {
    // Nor is its name repeated, where a card number may be.
    if (Object.keys(c.req.queries()).length > 0) {
      throw new ProblemError('invalid_request', { detail: 'A gateway request takes no query' });
    }
    // Nothing on the way undoes it, and the gateway is not told.
    if (/zip|flate|br|zstd|compress/i.test(c.req.header('content-encoding') ?? '')) {
      const detail = 'Send the body without Content-Encoding';
      throw new ProblemError('unsupported_media_type', { detail, param: 'Content-Encoding' });
    }
    const { protocol, method } = c.req.valid('param');
    const property = c.get('property');
    const { gateway: settings } = property;
    if (settings === undefined || !isAllowedGatewayCall(settings.allow, protocol, method)) {
      throw new ProblemError('forbidden', { detail: 'This property does not allow this gateway method' });
    }
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const body = { contentType: c.req.header('content-type') ?? '', bytes };
    const { tracing, traceparent } = c.get('dependencies');
    const onEnd = tracing && ((call: EndedUpstreamCall) => tracing.telemetry.upstreamCall({ ...call, traceparent }));
    const answer = await sendToGateway({ ...property, gateway: settings }, { protocol, method, body }, { onEnd });
    return c.body(answer.bytes, 200, answer.contentType === '' ? {} : { 'content-type': answer.contentType });
  },
);
