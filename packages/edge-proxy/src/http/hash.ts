/** Hashing and comparing of what must not be stored or leaked through timing. */
import { toHex } from './encoding.ts';

const encoder = new TextEncoder();

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** SHA-256 of UTF-8 text as 64 lower-case hexadecimal characters. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(text));
}

/** Compares two texts of the same expected length in a time that does not depend on where they differ. */
export function isEqualConstantTime(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= left.charCodeAt(i) ^ right.charCodeAt(i);
  return difference === 0;
}
