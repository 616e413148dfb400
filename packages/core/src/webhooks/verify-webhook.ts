import type { WebhookEvent } from '../contract/event.ts';
import { InvalidInputError, WebhookVerificationError } from '../errors.ts';
import { parseObject } from '../values/answers.ts';
import { requireObject } from '../values/check-text.ts';
import { bodyBytes, equalInConstantTime, fromBase64, hmac, requireSecrets, WEBHOOK_HEADERS } from './signature.ts';

/** Settings of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  /** Largest difference between the webhook's time and now, either way. @default 300 */
  toleranceSeconds?: number | undefined;
  /** The time, or a clock. @default () => new Date() */
  now?: Date | (() => Date) | undefined;
}

/**
 * Verifies a webhook and reads its event. Pass the body exactly as it was received.
 *
 * @param secret - one secret, or several while it is being rotated: any of them may have signed
 * @throws `webhook_verification_failed` when a header is missing, the time is out of tolerance, no signature matches or
 * the body is not an event; `invalid_input` when a secret has the wrong form, or an argument the wrong type
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = () => new Date() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const body = bodyBytes(rawBody);
  const secrets = requireSecrets(secret);
  requireObject(headers, 'headers');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new InvalidInputError('toleranceSeconds', 'toleranceSeconds must be a number of seconds.');
  }
  const at = typeof now === 'function' ? now() : now;
  // An invalid date is neither older nor newer than anything: any replay would pass.
  if (!(at instanceof Date) || Number.isNaN(at.getTime())) {
    throw new InvalidInputError('now', 'now must be a date or a clock.');
  }
  const id = readHeader(headers, WEBHOOK_HEADERS.id);
  const time = readHeader(headers, WEBHOOK_HEADERS.timestamp);
  const signatures = readHeader(headers, WEBHOOK_HEADERS.signature);
  if (!/^\d{1,12}$/.test(time)) throw new WebhookVerificationError('The webhook-timestamp header is not a time.');
  const timestamp = Number(time);
  if (Math.abs(at.getTime() / 1000 - timestamp) > toleranceSeconds) {
    throw new WebhookVerificationError('The webhook is too old, or from the future: it may be a replay.');
  }
  const expected = await Promise.all(secrets.map((each) => hmac(each, { id, timestamp, body })));
  const presented = signatures.split(' ').map(v1Signature);
  // Every pair is compared, so that the time says nothing about which secret or signature was right.
  let isAuthentic = false;
  for (const right of expected) {
    for (const given of presented) isAuthentic = equalInConstantTime(right, given) || isAuthentic;
  }
  if (!isAuthentic) throw new WebhookVerificationError('No signature of the webhook matches a secret.');
  return parseEvent(body);
}

function v1Signature(signature: string): Uint8Array {
  const [, encoded] = /^v1,(.+)$/.exec(signature) ?? [];
  return (encoded === undefined ? undefined : fromBase64(encoded)) ?? new Uint8Array();
}

function readHeader(headers: Parameters<typeof verifyWebhook>[1], name: string): string {
  // Recognized by its method: a Headers of another copy or frame is not an instance of ours.
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text = [value].flat().join(' ');
  if (text !== '') return text;
  throw new WebhookVerificationError(`The ${name} header is missing.`);
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = parseObject(new TextDecoder('utf-8', { fatal: true }).decode(body));
    // True because only someone with the secret can have written it.
    if (event !== undefined) return event as WebhookEvent;
  } catch {
    // The body is not UTF-8.
  }
  throw new WebhookVerificationError('The webhook is authentic, but its body is not an event.');
}
