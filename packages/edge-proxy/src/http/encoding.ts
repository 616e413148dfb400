/** Bytes as text: the two encodings the proxy uses, both without padding surprises. */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Unpadded base64url. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

/** The reverse of {@link toBase64Url}; throws on other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

/**
 * Crockford base 32 of the leading bits, most significant first: 26 characters need 17 bytes.
 * @param length characters wanted; `bytes` must hold at least 5 bits for each
 */
export function toCrockford(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      bits -= 5;
      text += CROCKFORD[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/** 48 bits of milliseconds as the ten leading characters of a ULID. */
export function timeToCrockford(timeMs: number): string {
  let text = '';
  let rest = timeMs;
  for (let i = 0; i < 10; i++) {
    text = `${CROCKFORD[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}
