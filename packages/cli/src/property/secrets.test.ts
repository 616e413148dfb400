import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeMerchantKey, makeWebhookSecret } from './secrets.ts';

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index);

describe('makeMerchantKey', () => {
  it('is sk_test_ or sk_live_ and 256 bits, with the SHA-256 of the whole text', () => {
    const { secretKey, sha256 } = makeMerchantKey(counting, false);
    expect(Buffer.from(secretKey.replace(/^sk_test_/, ''), 'base64url')).toEqual(Buffer.from(counting(32)));
    expect(sha256).toBe(createHash('sha256').update(secretKey).digest('hex'));
    expect(makeMerchantKey(counting, true).secretKey).toMatch(/^sk_live_/);
  });
});

describe('makeWebhookSecret', () => {
  it('is whsec_ and the Base64 of 256 bits', () => {
    expect(Buffer.from(makeWebhookSecret(counting).replace(/^whsec_/, ''), 'base64')).toEqual(
      Buffer.from(counting(32)),
    );
  });
});
