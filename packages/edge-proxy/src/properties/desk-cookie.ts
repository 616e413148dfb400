/**
 * The cookie of the proxy's own page of a desk. It is sent only below `/desk/{property}`: the page's calls are there once more,
 * as `/desk/{property}/v1/…`, where only the cookie says who calls. Everywhere else no cookie is read.
 */
import { getPath } from 'hono/utils/url';
import { type AppContext, publicUrl } from '../http/app-context.ts';
import { ProblemError } from '../http/problem.ts';

/** Where the page finds its one script: the elements, and what gets the cookie. */
export const DESK_SCRIPT_PATH = '/desk.js';

/** Name of the cookie. Each hotel has its own, by the path. */
export const DESK_COOKIE = 'innkeep-desk';

const COOKIE = new RegExp(`(?:^|;\\s?)${DESK_COOKIE}=([^;\\s]+)`);
const PAGE_CALL = /^https?:\/\/[^/?#]+\/desk\/([a-z0-9_]{1,40})\/v1\//;

/** The hotel on whose page a call was made; undefined for every other call. */
export function deskPageOf(url: string): string | undefined {
  return PAGE_CALL.exec(url)?.[1];
}

/** The path that leads a request to its route: a page calls the same routes as everybody. Keys find nothing there. */
export function routedPath(request: Request): string {
  const path = getPath(request);
  const page = deskPageOf(request.url);
  return page === undefined || request.headers.has('authorization') ? path : path.slice(`/desk/${page}`.length);
}

/** The secret in the cookie of a page. @throws ProblemError 401 without one */
export function deskCookie(c: AppContext): string {
  const [, secret] = COOKIE.exec(c.req.header('cookie') ?? '') ?? [];
  if (secret !== undefined) return secret;
  throw new ProblemError('unauthorized', { detail: 'The page has no cookie: open its link', param: 'Cookie' });
}

/** Gives the page of a hotel its cookie, or with `seconds` 0 takes it away. */
export function setDeskCookie(
  c: AppContext,
  { property, secret, seconds }: { readonly property: string; readonly secret: string; readonly seconds: number },
): void {
  const isSecure = publicUrl(c).protocol === 'https:';
  const cookie = `${DESK_COOKIE}=${secret}; Max-Age=${seconds}; Path=/desk/${property}; HttpOnly; SameSite=Strict`;
  c.header('set-cookie', isSecure ? `${cookie}; Secure` : cookie);
}
