/** One attempt to bring one event to one endpoint (Standard Webhooks). */

import type { WebhookSettings } from '@innkeep/core/contract';
import { signWebhook } from '@innkeep/core/webhooks';
import { withDeadline } from '../http/deadline.ts';
import { sha256Hex } from '../http/hash.ts';
import type { PlatformEndpoint } from '../properties/platforms.ts';
import type { Delivery } from './delivery-table.ts';
import { isOfRealMoney, isRedaction } from './real-money.ts';
import type { Endpoint } from './webhook-endpoint.ts';

const TIMEOUT_MS = 15_000;

/** Endpoints by their settings: hashing an address for each event would cost more than sending it. */
const endpoints = new WeakMap<WebhookSettings, Endpoint>();

/** An endpoint of a configuration. Its address may hold secrets, so its key, which is stored, is a hash. */
async function toEndpoint(
  settings: WebhookSettings,
  owner: Pick<Endpoint, 'platform' | 'isForTests'> = {},
): Promise<Endpoint> {
  const known = endpoints.get(settings);
  if (known !== undefined) return known;
  const { url, secret } = settings;
  const key = (await sha256Hex(url)).slice(0, 32);
  const endpoint = { key, host: new URL(url).host, url, secret, ...owner };
  // Not the promise of it: a promise belongs to the request that made it.
  endpoints.set(settings, endpoint);
  return endpoint;
}

/**
 * Where a hotel's events go: its own endpoints, and those of its platforms. An address that several name is one endpoint, the
 * hotel's own if it is one; the secrets of all of them sign.
 * @param isLive whether a platform may hear of real money
 */
export async function endpointsOf(
  own: readonly WebhookSettings[],
  ofPlatforms: readonly PlatformEndpoint[],
  isLive: (platform: string) => boolean,
): Promise<Endpoint[]> {
  const named = await Promise.all([
    ...own.map((webhook) => toEndpoint(webhook)),
    ...ofPlatforms.map(({ platform, webhook }) => toEndpoint(webhook, { platform, isForTests: !isLive(platform) })),
  ]);
  const byKey = new Map<string, Endpoint>();
  for (const endpoint of named) {
    const first = byKey.get(endpoint.key);
    const secret = [...new Set([first?.secret ?? [], endpoint.secret].flat())];
    const isForTests = first?.isForTests === true && endpoint.isForTests === true;
    byKey.set(endpoint.key, first === undefined ? endpoint : { ...first, secret, isForTests });
  }
  return [...byKey.values()];
}

/** Whether an endpoint is told of an event. It hears of every redaction: it may have been told while its platform was live. */
export function mayHear({ isForTests }: Endpoint, { body }: Delivery): boolean {
  return isForTests !== true || !isOfRealMoney(body) || isRedaction(body);
}

/** Sends an event that {@link signatureHeaders} has signed. Undefined: no answer. Never throws. */
export async function attempt(
  endpoint: Endpoint,
  delivery: Delivery,
  signature: Record<string, string> | undefined,
): Promise<number | undefined> {
  if (signature === undefined) return undefined;
  try {
    // Firewalls refuse who does not say what it is, such as AWS WAF by its common rules.
    const headers = { 'content-type': 'application/json', 'user-agent': 'innkeep', ...signature };
    return await withDeadline(TIMEOUT_MS, async (signal) => {
      const { body } = delivery;
      const response = await fetch(endpoint.url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.status;
    });
  } catch {
    return undefined;
  }
}

/** During a rotation every secret signs, so that the receiver may use either. Undefined when a secret cannot be used. */
export async function signatureHeaders(
  endpoint: Endpoint,
  delivery: Delivery,
): Promise<Record<string, string> | undefined> {
  const { eventId: id, body } = delivery;
  try {
    return await signWebhook({ id, timestamp: new Date(), body, secret: endpoint.secret });
  } catch {
    return undefined;
  }
}
