// Core and the sandbox in one process: two independent readings of one specification.
import { type ClientOptions, createClient } from '@innkeep/core';
import { createSandbox, type SandboxOptions } from '@innkeep/sandbox';

/** Where the in-process upstream pretends to be. */
export const UPSTREAM = 'https://pay.example';

export function sandboxWithClient(sandboxOptions: SandboxOptions = {}, clientOptions: Partial<ClientOptions> = {}) {
  const sandbox = createSandbox({ slowAnswerMs: 20, callbackFetch: async () => new Response(), ...sandboxOptions });
  const client = createClient({
    baseUrl: UPSTREAM,
    customerId: '4711',
    credentials: { username: 'demo', password: 'demo-password' },
    hotel: { hotelID: '1', hotelIDType: 'SANDBOX_PMS', user: 'web', timeZone: 'Europe/Vienna' },
    providers: { direct: 'SANDBOX_DIRECT', hosted: 'SANDBOX_HOSTED' },
    amountUnit: 'minor',
    maxNetworkRetries: 0,
    fetch: sandbox.fetch,
    ...clientOptions,
  });
  return { sandbox, client };
}

export const CALLBACKS = {
  callbackSuccessUrl: 'https://hotel.example/return/success',
  callbackAbortUrl: 'https://hotel.example/return/abort',
} as const;
