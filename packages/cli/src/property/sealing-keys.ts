/** The value of `SEALING_KEYS`: the keys with which the proxy seals what it stores, newest first. */
import { usageError } from '../failures/cli-error.ts';
import { sha256Of } from './secrets.ts';

// As the proxy reads them: 32 bytes in Base64 of either alphabet, or in hexadecimal digits. It seals with the text as it is written.
const SEALING_KEY = /^(?:[A-Za-z0-9+/_-]{43}=?|[0-9A-Fa-f]{64})$/;

/**
 * Reads a value of `SEALING_KEYS`; `from` says where it came from.
 *
 * @throws `usage` for anything that the proxy would refuse; never quotes it
 */
export function parseSealingKeys(text: string, from: string): readonly string[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  const bad = keys.findIndex((key) => !SEALING_KEY.test(key));
  if (bad !== -1) {
    throw usageError(
      `${from}: key ${bad + 1} of ${keys.length} is not 32 bytes in Base64. Nothing was changed.`,
      'Write it as `openssl rand -base64 32` or `openssl rand -hex 32` prints it; separate keys with a space.',
    );
  }
  if (new Set(keys).size < keys.length) {
    throw usageError(`${from}: the same key appears twice. Nothing was changed.`, 'Remove one of the two.');
  }
  return keys;
}

/** What the proxy reports about the keys that it runs with. */
export function fingerprintOfKeys(keys: readonly string[]): string {
  return sha256Of(`sealing-keys ${keys.join(' ')}`).slice(0, 16);
}
