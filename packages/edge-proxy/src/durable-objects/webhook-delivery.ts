/** One attempt to bring one event to one endpoint (Standard Webhooks). */
import { signWebhook } from '@innkeep/core/webhooks';
import { sha256Hex } from '../crypto/hash.ts';
import { type DeliveryVerdict, judgeDelivery, webhookDelay } from '../policy/webhook-schedule.ts';
import { withDeadline } from './deadline.ts';
import type { Delivery } from './ledger-storage.ts';

const TIMEOUT_MS = 15_000;

/** What one attempt led to. */
export interface DeliveryOutcome {
  readonly verdict: DeliveryVerdict;
  /** When to try again; undefined: never. */
  readonly nextAt: number | undefined;
}

/** Identity of an endpoint. Its address may hold secrets, so only the hash is stored. */
export async function endpointKey(url: string): Promise<string> {
  return (await sha256Hex(url)).slice(0, 32);
}

/** Sends an event. Never throws: no answer is an outcome, too. */
export async function deliver(
  endpoint: { readonly url: string; readonly secret: string | string[] },
  delivery: Delivery,
  property: string,
): Promise<DeliveryOutcome> {
  const startedAt = Date.now();
  const status = await attempt(endpoint, delivery);
  const verdict = judgeDelivery(status);
  const now = Date.now();
  const delay = webhookDelay(delivery.failures + 1, Math.random());
  console.log(
    JSON.stringify({
      level: verdict === 'accepted' ? 'info' : 'warn',
      message: 'webhook',
      property,
      event: delivery.eventId,
      to: new URL(endpoint.url).host,
      attempt: delivery.failures + 1,
      status: status ?? null,
      verdict,
      durationMs: now - startedAt,
      ...(verdict === 'retry' && delay === undefined ? { givenUp: true } : {}),
    }),
  );
  return { verdict, nextAt: delay === undefined ? undefined : now + delay };
}

async function attempt(
  endpoint: { readonly url: string; readonly secret: string | string[] },
  delivery: Delivery,
): Promise<number | undefined> {
  try {
    const headers = { 'content-type': 'application/json', ...(await signatureHeaders(endpoint, delivery)) };
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

/** During a rotation every secret signs, so that the receiver may know either. */
async function signatureHeaders(
  endpoint: { readonly secret: string | string[] },
  delivery: Delivery,
): Promise<Record<string, string>> {
  const secrets = typeof endpoint.secret === 'string' ? [endpoint.secret] : endpoint.secret;
  const timestamp = new Date();
  const signed = await Promise.all(
    secrets.map((secret) => signWebhook({ id: delivery.eventId, timestamp, body: delivery.body, secret })),
  );
  const signatures = signed.map((headers) => headers['webhook-signature']).join(' ');
  return { ...signed[0], 'webhook-signature': signatures };
}
