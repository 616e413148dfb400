/**
 * `/desk/{property}`: a page of the proxy itself with the elements of the desk, for hotels without a developer. The link to it has a code
 * in its fragment, which the page exchanges for a cookie.
 */
import { OpenDeskPageSchema } from '@innkeep/core/contract';
import { html } from 'hono/html';
import * as v from 'valibot';
import { limit, publicUrl } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { sha256Hex } from '../http/hash.ts';
import { ProblemError } from '../http/problem.ts';
import { withoutLastSlash } from '../http/routes.ts';
import { jsonBody, params } from '../http/validate.ts';
import type { CallerDependencies } from '../properties/caller-env.ts';
import { newDeskSecret, ownerOfSecret } from '../properties/desk-caller.ts';
import { DESK_SCRIPT_PATH, setDeskCookie } from '../properties/desk-cookie.ts';
import { publicApp } from '../properties/resource-app.ts';
import type { LedgerDependencies } from './lists.ts';

/** Only its own script, which inserts no text as markup except that of its templates. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const HotelSchema = v.object({
  property: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9_]{1,40}$/, 'Must be the id of a property'),
    v.description('Id of the hotel at the proxy.'),
    v.examples(['aurora']),
  ),
});

export const deskPages = publicApp<CallerDependencies & LedgerDependencies>({ tag: 'Desk' })
  // The same for every hotel, even one that does not exist: only the cookie tells which do.
  .get('/:property', describe({ id: 'showDeskPage' }), params(HotelSchema), (c) =>
    c.html(
      html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Payments</title><link rel="icon" href="data:,"><script type="module" src="${DESK_SCRIPT_PATH}"></script></head><body><noscript>This page needs JavaScript.</noscript></body></html>`,
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
    ),
  )
  // Keeps the fragment, as every redirect does.
  .all('/:property/', (c) => withoutLastSlash(c) ?? c.notFound())
  .post(
    '/:property/session',
    describe({ id: 'openDeskPage' }),
    params(HotelSchema),
    jsonBody(OpenDeskPageSchema),
    async (c) => {
      await limit(c, 'guest');
      const { origin } = publicUrl(c);
      if (c.req.header('origin') !== origin) {
        throw new ProblemError('forbidden', { detail: 'Only the proxy’s own page can call this', param: 'Origin' });
      }
      const { ledger } = c.get('dependencies');
      const { property } = c.req.valid('param');
      const { code } = c.req.valid('json');
      const owner = await ownerOfSecret(code, c.get('dependencies'));
      if (owner?.property.id !== property) throw usedUp();
      Object.assign(c.get('logFields'), { property, desk: owner.id });
      const secret = newDeskSecret(owner.id, property);
      const session = await ledger(property).openDeskPage(owner.id, await sha256Hex(code), await sha256Hex(secret));
      if (session?.page === undefined) throw usedUp();
      const seconds = Math.ceil((session.page.endsAt - c.get('dependencies').now()) / 1_000);
      setDeskCookie(c, { property, secret, seconds });
      return c.body(null, 204, { 'cache-control': 'no-store' });
    },
  );

function usedUp(): ProblemError {
  const detail = 'This link was used or is older than a minute: ask for a new one';
  return new ProblemError('unauthorized', { detail, param: 'code' });
}
