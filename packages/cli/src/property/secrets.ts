import { createHash } from 'node:crypto';

/** A fresh merchant key and the only form of it that is kept. */
export interface MerchantKey {
  /** `sk_live_…` or `sk_test_…`, 256 random bits. Shown once. */
  readonly secretKey: string;
  /** Hexadecimal SHA-256 of the whole text. */
  readonly sha256: string;
}

/** Makes a merchant key. `randomBytes` must be cryptographically secure. */
export function makeMerchantKey(randomBytes: (length: number) => Uint8Array, isLive: boolean): MerchantKey {
  const secretKey = `sk_${isLive ? 'live' : 'test'}_${Buffer.from(randomBytes(32)).toString('base64url')}`;
  return { secretKey, sha256: sha256Of(secretKey) };
}

/** Makes a webhook secret by Standard Webhooks: `whsec_` and Base64 of 256 random bits. */
export function makeWebhookSecret(randomBytes: (length: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`;
}

/** Makes a key by which the proxy seals: Base64 of 256 random bits. */
export function makeSealingKey(randomBytes: (length: number) => Uint8Array): string {
  return Buffer.from(randomBytes(32)).toString('base64');
}

/** What the proxy compares a merchant key with. */
export function sha256Of(secretKey: string): string {
  return createHash('sha256').update(secretKey).digest('hex');
}
