/** The same text for the same meaning: tells a replayed request from a different one under the same key. */
import { sha256Hex } from './hash.ts';

/** SHA-256 of a validated body, independent of the order of its fields. */
export async function requestFingerprint(body: unknown): Promise<string> {
  return sha256Hex(sortedJson(body));
}

/** The same text for values that differ only in the order of their fields. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
