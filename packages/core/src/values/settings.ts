import { ConfigurationError } from '../errors.ts';
import { isLoopbackHost, isSegment } from './web-address.ts';

/** The error for a setting that cannot be used. */
export function badSetting(path: string, what: string): ConfigurationError {
  return new ConfigurationError(path, `Setting ${path}: ${what}.`);
}

/**
 * Returns the address of a service, without a slash at its end. Plain http is for this machine, or for the hosts that `isNear` names.
 *
 * @throws `configuration` naming `path`
 */
export function requireBaseAddress(value: unknown, path: string, isNear = isLoopbackHost): string {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNear(url.hostname)))) {
    throw badSetting(path, 'must be an https address (http only on loopback)');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw badSetting(path, 'must have no user, query or fragment');
  }
  // Not the href, which keeps an empty query or fragment.
  return url.origin + url.pathname.replace(/\/{1,9}$/, '');
}

/** Returns a text that can be one segment of an address. @throws `configuration` */
export function requireSegment(value: unknown, path: string): string {
  if (typeof value === 'string' && isSegment(value)) return value;
  throw badSetting(path, 'must be a non-empty string that an address can hold');
}

/** Refuses a time limit that is not a number above `min`: no NaN, no text. @throws `configuration` naming `path` */
export function checkMs(value: unknown, path: string, min = 0): void {
  if (value === undefined || (typeof value === 'number' && value > min)) return;
  throw badSetting(path, 'must be a positive number of milliseconds');
}

/** Checks the settings that every client of a service has. @throws `configuration` with the path of the bad one */
export function checkClientSettings(
  options: Readonly<Partial<Record<'fetch' | 'timeoutMs' | 'maxNetworkRetries', unknown>>>,
): void {
  const { fetch, timeoutMs, maxNetworkRetries: retries = 0 } = options;
  if (fetch !== undefined && typeof fetch !== 'function') throw badSetting('fetch', 'must be a function');
  checkMs(timeoutMs, 'timeoutMs');
  if (typeof retries !== 'number' || !Number.isInteger(retries) || retries < 0 || retries > 10) {
    throw badSetting('maxNetworkRetries', 'must be an integer from 0 to 10');
  }
}
