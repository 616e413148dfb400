/** Calls of the proxy, and their answers in the form in which they are kept. */
import { createHash } from 'node:crypto';
import { askProxy } from '../support/ask-proxy.ts';
import { KEYS } from './hotels.ts';

/** A call that can be made again. */
export interface Call {
  readonly as: keyof typeof KEYS;
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  /** JSON, or text. */
  readonly body: unknown;
}

export async function ask(url: string, { as, method, path, idempotencyKey, ifMatch, body }: Call): Promise<Answer> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return read(await askProxy(`${url}${path}`, KEYS[as], { method, body, key: idempotencyKey, headers }));
}

/** Asks as a guest, with the session's client secret. */
export async function askAsGuest(url: string, path: string, clientSecret: string, body?: unknown): Promise<Answer> {
  return read(await askProxy(`${url}${path}`, clientSecret, { body }));
}

async function read(answer: Response): Promise<Answer> {
  const text = await answer.text();
  return {
    status: answer.status,
    body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  };
}

/** What gives access is kept as its hash. */
const SECRET = new Set(['clientSecret', 'url', 'qrUrl', 'viewUrl', 'token']);
/** What depends on the moment, or on how often somebody has tried. */
const FLEETING = new Set(['nextPollMs', 'traceId', 'nextAttemptAt', 'lastUsedAt', 'lastFailureAt', 'failures']);
/** For how long after the folder was made an instant counts as one at which it was opened again. */
const OPENED_WITHIN_MS = 10 * 60_000;
/** How long a session can be started. The one of a key can be as long from each call on. */
export const LIFETIME_SECONDS = 86_400;

/**
 * An answer in the form in which it is kept and compared.
 * @param madeAt when the folder was made, by the proxy's clock
 */
export function kept({ status, body }: Answer, madeAt: number): Answer {
  // A problem's words may be put better.
  if (status >= 400) {
    const { code, param, resource } = body as Record<string, unknown>;
    return { status, body: { code, param, resource } };
  }
  const isLater = (text: string): boolean => {
    const at = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : 0;
    return [0, LIFETIME_SECONDS * 1_000].some((wait) => at >= madeAt + wait && at < madeAt + wait + OPENED_WITHIN_MS);
  };
  const keep = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => keep(item));
    if (typeof value === 'string' && SECRET.has(name)) return createHash('sha256').update(value).digest('hex');
    if (typeof value === 'string' && isLater(value)) return 'since it was opened';
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).filter(([field]) => !FLEETING.has(field));
    return Object.fromEntries(fields.map(([field, each]) => [field, keep(each, field)]));
  };
  return { status, body: keep(body) };
}
