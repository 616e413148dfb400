import type { PropertyInput } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { createGatewayClient } from '@innkeep/core/gateway';
import { toLocalDateTime } from '@innkeep/core/values';
import type { Io } from '../process/io.ts';
import { type CheckResult, ok, problem, skipped } from './check-result.ts';
import { isWebPage } from './web-page.ts';

const ADDRESS_FIX = 'Check baseUrl and customerId, and ask the vendor whether the gateway is open for this customer.';

/** Sends one keep-alive with the gateway key, straight to the payment service. */
export async function checkGatewayKey(io: Io, property: PropertyInput): Promise<CheckResult> {
  const name = 'gateway-key';
  const { gateway, baseUrl, customerId, timeZone } = property;
  if (gateway === undefined) {
    return skipped(name, 'The property has no gateway.', 'Add gateway with apiKey and allow if the hotel uses it.');
  }
  const { apiKey, apiKeyIn = 'header', productId } = gateway;
  try {
    const client = createGatewayClient({ baseUrl, customerId, apiKey, apiKeyIn, productId, fetch: io.fetch });
    const reply = await client.keepAlive(
      { OC: 'KA', TN: '1', CDT: toLocalDateTime(io.now(), timeZone), status: '0' },
      { signal: io.signal },
    );
    if (isWebPage(reply.text())) {
      return problem(name, 'A web page answers a keep-alive, not the gateway.', ADDRESS_FIX);
    }
    return ok(name, 'The gateway answers a keep-alive with this key.');
  } catch (error) {
    if (!isInnkeepError(error)) throw error;
    if (isInnkeepError(error, 'configuration')) {
      return problem(name, error.message, 'Correct this setting: no gateway message can be sent with it.');
    }
    const isRefused = isInnkeepError(error, 'gateway_status') && [401, 403].includes(error.status);
    const hasProduct = productId !== undefined;
    return problem(
      name,
      error.message,
      isRefused
        ? `Check gateway.apiKey (40 characters, for this endpoint) and gateway.apiKeyIn, now "${apiKeyIn}".${hasProduct ? '' : ' The gateway may also need a productId: ask the vendor where it goes.'}`
        : ADDRESS_FIX,
    );
  }
}
