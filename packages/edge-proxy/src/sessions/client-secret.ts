/**
 * The client secret of a session: derived whenever it is asked for, by a key outside the data, so that nothing has to store it.
 * What the session keeps opens nothing.
 */
import { derivedKey } from '../http/derived-key.ts';
import { toBase64Url } from '../http/encoding.ts';
import { sha256Hex } from '../http/hash.ts';

/** What a session keeps of its live secret. */
export interface KeptSecret {
  /** Counts from when the session was made, so that a reused id brings no secret back; a new one ends the secret before it. */
  readonly generation: number;
  /** SHA-256 of the secret, hexadecimal: what a guest's is compared with. */
  readonly hash: string;
  /** Which key derived it. */
  readonly fingerprint: string;
}

/** A live secret, and what is kept of it. */
export interface ClientSecret {
  readonly text: string;
  readonly kept: KeptSecret;
}

/** Secrets that derive client secrets, the newest first. */
export type DerivingSecrets = readonly [newest: string, ...older: string[]];

const FINGERPRINT_LENGTH = 12;
const encoder = new TextEncoder();

/** The secret of what is kept; undefined when the key that derived it is gone. */
export async function openClientSecret(
  id: string,
  { generation, fingerprint }: KeptSecret,
  secrets: DerivingSecrets,
): Promise<string | undefined> {
  for (const secret of secrets) {
    const key = await derivedKey(secret, 'clientSecret');
    if ((await fingerprintOf(key)) === fingerprint) return derive(key, id, generation);
  }
  return undefined;
}

/** The secret of the next generation, by the newest key. The same for all who ask at once. */
export async function nextClientSecret(
  id: string,
  before: Pick<KeptSecret, 'generation'>,
  [newest]: DerivingSecrets,
): Promise<ClientSecret> {
  const generation = before.generation + 1;
  const key = await derivedKey(newest, 'clientSecret');
  const text = await derive(key, id, generation);
  return { text, kept: { generation, hash: await sha256Hex(text), fingerprint: await fingerprintOf(key) } };
}

async function derive(key: CryptoKey, id: string, generation: number): Promise<string> {
  return `${id}_${await sign(key, `${id} ${generation}`)}`;
}

const fingerprints = new WeakMap<CryptoKey, string>();

/** No id of a session looks like what is signed here. */
async function fingerprintOf(key: CryptoKey): Promise<string> {
  const known = fingerprints.get(key);
  if (known !== undefined) return known;
  const fingerprint = (await sign(key, 'fingerprint')).slice(0, FINGERPRINT_LENGTH);
  fingerprints.set(key, fingerprint);
  return fingerprint;
}

async function sign(key: CryptoKey, text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))));
}
