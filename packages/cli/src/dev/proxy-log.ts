/** The lines of the proxy’s log that a developer wants to see at once: refusals and failures, each in one line. */
import { parseJsonObject } from '../input/read-input.ts';
import { plainText } from '../terminal/plain-text.ts';

const PAUSED =
  'events wait now, since your site refused several. One is tried after a minute, two, four …, and whenever innkeep trigger runs.';

/** The line to show; undefined for one that belongs only in the log file. */
export function proxyLogLine(line: string): string | undefined {
  const { status, method, route, path, code, origin, param, message, level } = parseJsonObject(line) ?? {};
  if (typeof status === 'number' && status >= 400 && method !== undefined) {
    const details = [code, param, origin].filter((part) => typeof part === 'string' && part !== '');
    return `${new Date().toISOString().slice(11, 19)}  proxy: ${[method, route ?? path, status, ...details].map(plainText).join(' ')}`;
  }
  if (message === 'webhook_endpoint_paused') return `proxy: ${PAUSED}`;
  if (level === 'error' && typeof message === 'string') return `proxy: ${plainText(message)}`;
  return undefined;
}
