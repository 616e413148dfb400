import { createHash } from 'node:crypto';

/** Cryptographically secure random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** A fresh key and the only form of it that is kept. */
export interface FreshKey {
  /** The key itself, 256 random bits and more. Shown once. */
  readonly secretKey: string;
  /** Hexadecimal SHA-256 of the whole text. */
  readonly sha256: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** As many characters as 256 bits need. */
const KEY_LENGTH = 43;

/**
 * Makes a key that says whose it is, so that the proxy compares it with few: `sk_live_<property>_<random>` of a hotel,
 * `pk_live_<platform>_<random>` of a platform.
 */
export function makeKey(
  kind: 'sk' | 'pk',
  randomBytes: RandomBytes,
  owner: { readonly id: string; readonly isLive: boolean },
): FreshKey {
  const secretKey = `${kind}_${owner.isLive ? 'live' : 'test'}_${owner.id}_${randomText(randomBytes)}`;
  return { secretKey, sha256: sha256Of(secretKey) };
}

/** Makes a webhook secret by Standard Webhooks: `whsec_` and Base64 of 256 random bits. */
export function makeWebhookSecret(randomBytes: RandomBytes): string {
  return `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`;
}

/** Makes a key with which the proxy seals: Base64 of 256 random bits. */
export function makeSealingKey(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(32)).toString('base64');
}

/** What the proxy compares a key with. */
export function sha256Of(secretKey: string): string {
  return createHash('sha256').update(secretKey).digest('hex');
}

/** Only letters and digits: the part before them may hold underscores. */
function randomText(randomBytes: RandomBytes): string {
  // A byte beyond the last whole alphabet is thrown away, so that every character is equally likely.
  const usable = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < KEY_LENGTH) {
    for (const byte of randomBytes(KEY_LENGTH)) if (byte < usable) text += ALPHABET[byte % ALPHABET.length];
  }
  return text.slice(0, KEY_LENGTH);
}
