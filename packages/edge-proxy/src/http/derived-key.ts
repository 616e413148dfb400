/** Keys derived from the deployment's secrets, one for each purpose, so that one reveals nothing about the others. */

const encoder = new TextEncoder();

const PURPOSES = {
  seal: {
    info: 'seal/v1',
    algorithm: { name: 'AES-GCM', length: 256 },
    usages: ['encrypt', 'decrypt'],
  },
  clientSecret: {
    info: 'client-secret/v1',
    algorithm: { name: 'HMAC', hash: 'SHA-256', length: 256 },
    usages: ['sign'],
  },
} as const;

export type KeyPurpose = keyof typeof PURPOSES;

/** Keys derived from the secrets used last. Keys, not promises: a promise belongs to one request. */
const known = new Map<string, CryptoKey>();
const MAX_KNOWN = 100;

/** The key of a purpose, by HKDF. */
export async function derivedKey(secret: string, purpose: KeyPurpose): Promise<CryptoKey> {
  const name = `${purpose} ${secret}`;
  const earlier = known.get(name);
  if (earlier !== undefined) return earlier;
  const { info, algorithm, usages } = PURPOSES[purpose];
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const hkdf = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: encoder.encode('innkeep/edge-proxy'),
    info: encoder.encode(info),
  };
  const key = await crypto.subtle.deriveKey(hkdf, material, algorithm, false, [...usages]);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, key);
  return key;
}
