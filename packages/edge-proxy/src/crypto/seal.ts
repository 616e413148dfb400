/**
 * Sealing of what has to be stored and read back (bearer tokens, card tokens): AES-256-GCM with a key derived by
 * HKDF from the property's password, bound to its place by additional data. So the proxy needs no key of its own.
 */
import { fromBase64Url, toBase64Url } from './encoding.ts';

const encoder = new TextEncoder();
const VERSION = 'v1';

/**
 * Seals a text for one place.
 * @param place what it is and where it is stored (`access-token:aurora`); only the same text opens it
 */
export async function seal(text: string, place: string, password: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(place) },
    await deriveKey(password),
    encoder.encode(text),
  );
  return `${VERSION}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
}

/**
 * Opens a sealed text; undefined when no password fits, for instance after both were replaced.
 * @param passwords today's first, then the previous one
 */
export async function unseal(sealed: string, place: string, passwords: readonly string[]): Promise<string | undefined> {
  const [version, iv, data] = sealed.split('.');
  if (version !== VERSION || iv === undefined || data === undefined) return undefined;
  for (const password of passwords) {
    try {
      const text = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: fromBase64Url(iv), additionalData: encoder.encode(place) },
        await deriveKey(password),
        fromBase64Url(data),
      );
      return new TextDecoder().decode(text);
    } catch {
      // Wrong password: the tag does not match. The next one may.
    }
  }
  return undefined;
}

async function deriveKey(password: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(password), 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode('innkeep/edge-proxy'), info: encoder.encode('seal/v1') },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}
