import type { Context, Env } from 'hono';
import { HonoBase, type HonoOptions } from 'hono/hono-base';
import { matchedRoutes } from 'hono/route';
import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/** More than there are addresses without parameters. Filling it with others only slows those that are not in it yet. */
const REMEMBERED = 100;

/** Remembers what is at an address without parameters, as Hono’s other routers do: pages ask the same one again and again. */
class RememberingRouter<T> extends TrieRouter<T> {
  readonly #found = new Map<string, Result<T>>();

  override match(method: string, path: string): Result<T> {
    const asked = `${method} ${path}`;
    const known = this.#found.get(asked);
    if (known !== undefined) return known;
    const found = super.match(method, path);
    const hasParams = found[0].some(([, params]) => Object.keys(params).length > 0);
    if (!hasParams && this.#found.size < REMEMBERED) this.#found.set(asked, found);
    return found;
  }
}

/** A Hono app with the one router that supports our patterns; those that its presets try first do not. */
export class Routes<E extends Env = Env> extends HonoBase<E> {
  /** @param options.getPath the path that leads a request to its route; by default that of its address */
  constructor(options: Pick<HonoOptions<E>, 'getPath'> = {}) {
    super({ ...options, router: new RememberingRouter() });
  }
}

/** Leads from an address that ends with a slash to the one without; undefined for any other. */
export function withoutLastSlash(c: Omit<Context, 'set'>): Response | undefined {
  if (!c.req.path.endsWith('/')) return undefined;
  // As it was sent: decoded, it may be invalid in a header. Of `/pay/..//x/` two slashes lead, which would name another host.
  const { pathname, search } = new URL(c.req.url);
  const location = pathname.replace(/\/+$/, '').replace(/^\/+/, '/') + search;
  return c.body(null, 308, { location, 'cache-control': 'no-store' });
}

/** The pattern of the route that a request was for. Middleware matches, too, and counts only where nothing else does. */
export function routeOf(c: Omit<Context, 'set'>): string {
  const matched = matchedRoutes(c as Context);
  return (matched.findLast(({ method }) => method !== 'ALL') ?? matched.at(-1))?.path ?? '';
}
