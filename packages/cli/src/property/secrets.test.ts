import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeKey, makeWebhookSecret } from './secrets.ts';

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index);

describe('makeKey', () => {
  it('says whose it is, ends with 43 letters and digits, and has the SHA-256 of the whole text', () => {
    const { secretKey, sha256 } = makeKey('sk', randomBytes, { id: 'grand_hotel_1', isLive: false });
    expect(secretKey).toMatch(/^sk_test_grand_hotel_1_[A-Za-z0-9]{43}$/);
    expect(sha256).toBe(createHash('sha256').update(secretKey).digest('hex'));
    expect(makeKey('pk', randomBytes, { id: 'alpine', isLive: true }).secretKey).toMatch(
      /^pk_live_alpine_[A-Za-z0-9]{43}$/,
    );
  });

  it('takes each character with the same chance: bytes that would favor some are thrown away', () => {
    const high = [Uint8Array.from({ length: 43 }, () => 248), Uint8Array.from({ length: 43 }, () => 255)];
    const bytes = (length: number): Uint8Array => high.shift() ?? counting(length);
    const { secretKey } = makeKey('sk', bytes, { id: 'a', isLive: false });
    expect(secretKey).toBe('sk_test_a_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq');
  });
});

describe('makeWebhookSecret', () => {
  it('is whsec_ and the Base64 of 256 bits', () => {
    expect(Buffer.from(makeWebhookSecret(counting).replace(/^whsec_/, ''), 'base64')).toEqual(
      Buffer.from(counting(32)),
    );
  });
});
