import { InvalidInputError } from '../errors.ts';
import { joinBytes } from '../values/join-bytes.ts';

const encoder = new TextEncoder();

/** Names of the three headers. */
export const WEBHOOK_HEADERS = {
  /** Id of the event, the same for every attempt: drop what was received before. */
  id: 'webhook-id',
  /** Time of this attempt, in seconds since 1970. A message older than five minutes is refused by default. */
  timestamp: 'webhook-timestamp',
  /** One or more signatures separated by spaces, each `v1,` and the Base64 of an HMAC-SHA256 over id, time and body. */
  signature: 'webhook-signature',
} as const;

/**
 * HMAC-SHA256 over `id.timestamp.body`.
 *
 * @throws `invalid_input` when the secret is not `whsec_` and Base64 of at least 24 bytes
 */
export async function hmac(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: Uint8Array },
): Promise<Uint8Array<ArrayBuffer>> {
  const content = joinBytes([encoder.encode(`${id}.${timestamp}.`), body]);
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
}

/** Whether two byte strings are equal, in a time that depends on their lengths only. */
export function equalInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}

/** Bytes of Base64, or `undefined` for any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Bytes of a body. @throws `invalid_input` for anything but text and bytes, especially a parsed body */
export function bodyBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  throw new InvalidInputError('body', 'body must be text or bytes, exactly as they are sent.');
}

/** One secret or several, as a list. @throws `invalid_input` when there is none */
export function requireSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (Array.isArray(secrets) && secrets.length > 0) return secrets;
  throw new InvalidInputError('secret', 'secret is missing.');
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? fromBase64(secret.replace(/^whsec_/, '')) : undefined;
  if (bytes === undefined || bytes.length < 24) {
    throw new InvalidInputError('secret', 'A webhook secret is whsec_ and Base64 of at least 24 bytes.');
  }
  return bytes;
}
