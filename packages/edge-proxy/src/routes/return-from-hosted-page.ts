/** `GET|POST /return/{sessionId}/{nonce}/{success|abort}`: the guest is back. A hint to look now; it proves nothing. */
import type { AppContext } from '../middleware/app-context.ts';
import { checkoutPage, messagePage } from '../pages/checkout-page.ts';
import { ProblemError } from '../problem.ts';
import { pageResponse } from './page-response.ts';
import { pageTexts } from './page-texts.ts';
import type { Route } from './route.ts';

const path = '/return/:sessionId/:nonce/:outcome{success|abort}';

/** The visit by redirect. */
export const returnFromHostedPage: Route = { method: 'GET', path, handle: handleReturn };

/** The visit by form post; whatever its body says is not read. */
export const returnFromHostedPageByPost: Route = { method: 'POST', path, handle: handleReturn };

async function handleReturn(c: AppContext): Promise<Response> {
  try {
    const through = c.req.param('outcome') === 'abort' ? 'abort' : 'success';
    const [sessionId, nonce] = [c.req.param('sessionId') ?? '', c.req.param('nonce') ?? ''];
    const { view, property, presentation, returnUrl } = await c
      .get('dependencies')
      .sessions.returned(sessionId, nonce, through);
    c.get('facts').resource = view.id;
    if (presentation === 'redirect' && returnUrl !== null) return seeOther(withSession(returnUrl, view.id));
    return pageResponse(c, checkoutPage({ view, ...(await pageTexts(c)) }), { property });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error;
    const { language, messages } = await pageTexts(c);
    return pageResponse(c, messagePage(language, messages, 'notFound'), { status: 404 });
  }
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/**
 * The address was checked against the property's origins when the session was created. Its query is kept as text:
 * rewriting it would break one that the hotel has signed.
 */
function withSession(returnUrl: string, id: string): string {
  const url = new URL(returnUrl);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('checkout_session='));
  url.search = [...kept, `checkout_session=${id}`].join('&');
  return url.href;
}
