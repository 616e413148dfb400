import { InvalidInputError } from '../errors.ts';
import { requireObject } from '../values/check-text.ts';
import { bodyBytes, hmac, requireSecrets, WEBHOOK_HEADERS } from './signature.ts';

/** What {@link signWebhook} signs. */
export interface WebhookToSign {
  /** Id of the message, the same for every attempt. No dots. */
  id: string;
  /** Time of this attempt. */
  timestamp: Date;
  /** Exactly the bytes that are sent. */
  body: string | Uint8Array;
  /** `whsec_…`; several while a secret is being rotated: the message then carries a signature for each. */
  secret: string | readonly string[];
}

/**
 * Signs a webhook by the Standard Webhooks specification (`v1`, HMAC-SHA256).
 *
 * @returns the three headers to send with the body
 * @throws `invalid_input` for an id with dots, an invalid time, or a secret of the wrong form
 * @example
 * ```ts
 * import { signWebhook } from '@innkeep/core/webhooks';
 *
 * export async function deliver(url: string, id: string, body: string, secret: string): Promise<boolean> {
 *   const headers = await signWebhook({ id, timestamp: new Date(), body, secret });
 *   return (await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).ok;
 * }
 * ```
 */
export async function signWebhook(webhook: WebhookToSign): Promise<Record<string, string>> {
  const { id, timestamp, body, secret } = requireObject(webhook, 'webhook');
  if (typeof id !== 'string' || !/^[^.\s]+$/.test(id))
    throw new InvalidInputError('id', 'id must have no dots or spaces.');
  const seconds = Math.floor(timestamp instanceof Date ? timestamp.getTime() / 1000 : Number.NaN);
  if (!Number.isSafeInteger(seconds)) throw new InvalidInputError('timestamp', 'timestamp must be a valid date.');
  const secrets = requireSecrets(secret);
  const bytes = bodyBytes(body);
  const signatures = await Promise.all(
    secrets.map(async (each) => {
      const signature = await hmac(each, { id, timestamp: seconds, body: bytes });
      return `v1,${btoa(String.fromCharCode(...signature))}`;
    }),
  );
  return {
    [WEBHOOK_HEADERS.id]: id,
    [WEBHOOK_HEADERS.timestamp]: String(seconds),
    [WEBHOOK_HEADERS.signature]: signatures.join(' '),
  };
}
