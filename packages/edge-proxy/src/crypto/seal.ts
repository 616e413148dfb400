/**
 * Sealing of what has to be stored and read back (bearer tokens, card tokens): AES-256-GCM with a key derived by
 * HKDF from a secret of the deployment (`sealingSecretsOf`), bound to its place by additional data.
 */
import { fromBase64Url, toBase64Url } from './encoding.ts';

const encoder = new TextEncoder();
const VERSION = 'v1';

/** What opens sealed texts, the newest first. */
export type SealingSecrets = readonly [newest: string, ...older: string[]];

/**
 * Seals a text for one place.
 * @param place what it is and where it is stored (`access-token:aurora`); only the same text opens it
 * @param secrets the first one seals
 */
export async function seal(text: string, place: string, secrets: SealingSecrets): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(place) },
    await deriveKey(secrets[0]),
    encoder.encode(text),
  );
  return `${VERSION}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
}

/**
 * Opens a sealed text; undefined when no secret fits, for instance after all were replaced.
 */
export async function unseal(sealed: string, place: string, secrets: SealingSecrets): Promise<string | undefined> {
  const [version, iv, data] = sealed.split('.');
  if (version !== VERSION || iv === undefined || data === undefined) return undefined;
  for (const secret of secrets) {
    try {
      const text = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: fromBase64Url(iv), additionalData: encoder.encode(place) },
        await deriveKey(secret),
        fromBase64Url(data),
      );
      return new TextDecoder().decode(text);
    } catch {
      // Wrong secret: the tag does not match. The next one may.
    }
  }
  return undefined;
}

/** Keys made of the secrets that were used last. The keys, not the promises of them: those belong to one request. */
const derived = new Map<string, CryptoKey>();
const MAX_DERIVED = 100;

async function deriveKey(secret: string): Promise<CryptoKey> {
  const known = derived.get(secret);
  if (known !== undefined) return known;
  const key = await derive(secret);
  if (derived.size >= MAX_DERIVED) derived.clear();
  derived.set(secret, key);
  return key;
}

async function derive(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode('innkeep/edge-proxy'), info: encoder.encode('seal/v1') },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}
