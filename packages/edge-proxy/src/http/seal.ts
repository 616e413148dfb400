/**
 * Sealing of what has to be stored and read back (bearer tokens, card tokens): AES-256-GCM with a key derived by
 * HKDF from a secret of the deployment (`sealingSecretsOf`), bound to what it is by associated data.
 */
import { derivedKey } from './derived-key.ts';
import { fromBase64Url, toBase64Url } from './encoding.ts';

const encoder = new TextEncoder();
const VERSION = 'v1';

/** Secrets that open sealed texts, the newest first. */
export type SealingSecrets = readonly [newest: string, ...older: string[]];

/**
 * Seals a text, with associated data that says what it is.
 * @param associatedData what it is and where it is stored (`access-token:aurora`); only the same text opens it
 * @param secrets the first one seals
 */
export async function seal(text: string, associatedData: string, secrets: SealingSecrets): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(associatedData) },
    await derivedKey(secrets[0], 'seal'),
    encoder.encode(text),
  );
  return `${VERSION}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
}

/**
 * Opens a sealed text; undefined when no secret fits, for instance after all were replaced.
 */
export async function unseal(
  sealed: string,
  associatedData: string,
  secrets: SealingSecrets,
): Promise<string | undefined> {
  const [version, iv = '', data = ''] = sealed.split('.');
  if (version !== VERSION) return undefined;
  for (const secret of secrets) {
    try {
      const text = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: fromBase64Url(iv), additionalData: encoder.encode(associatedData) },
        await derivedKey(secret, 'seal'),
        fromBase64Url(data),
      );
      return new TextDecoder().decode(text);
    } catch {
      // A wrong secret, or a text that was never sealed: the tag does not match. The next secret may.
    }
  }
  return undefined;
}
