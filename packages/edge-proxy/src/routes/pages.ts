/**
 * What a guest's browser opens by itself: payment links with their form and QR code, and the way back from the hosted page.
 * A link id or a nonce is the capability; nothing here needs a script.
 */
import type { Context } from 'hono';
import { type AppContext, type AppEnv, publicUrl } from '../middleware/app-context.ts';
import { limit, publicApp } from '../middleware/resource-app.ts';
import { checkoutPage, messagePage } from '../pages/checkout-page.ts';
import { STYLE_PATH } from '../pages/page-style.ts';
import { qrSvg } from '../pages/qr-svg.ts';
import { ProblemError } from '../problem.ts';
import { fileResponse } from './file-response.ts';
import { pageResponse } from './page-response.ts';
import { pageTexts } from './page-texts.ts';

const RETURN_PATH = '/return/:sessionId/:nonce/:outcome{success|abort}';

/** The sub-app. */
export const pages = publicApp()
  .onError(async (error, c) => {
    if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error;
    c.get('facts').code = error.code;
    const { language, messages } = await pageTexts(c);
    return pageResponse(c, messagePage(language, messages, 'notFound'), { status: 404 });
  })
  // By redirect or by form post, whose body is not read. A hint to look now; it proves nothing.
  .get(RETURN_PATH, handleReturn)
  .post(RETURN_PATH, handleReturn)
  // What is to be paid and how it stands. Never calls the upstream.
  .get('/pay/:linkId', (c) => linkPage(c, c.req.param('linkId')))
  // Starts, and sends the guest to the hosted page.
  .post('/pay/:linkId', async (c) => {
    await limit(c, 'guest');
    const linkId = c.req.param('linkId');
    const { origin } = publicUrl(c);
    const from = c.req.header('origin');
    // The page says no-referrer, so its own form arrives with `null`.
    if (from !== undefined && from !== 'null' && from !== origin) {
      throw new ProblemError('forbidden', { detail: 'This form is not ours', param: 'Origin' });
    }
    try {
      const { view, viewUrl } = await c.get('dependencies').sessions.startLink(linkId, origin);
      c.get('facts').resource = view.id;
      return seeOther(c, viewUrl);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code === 'not_found') throw error;
      c.get('facts').code = error.code;
      return linkPage(c, linkId, error);
    }
  })
  .get('/pay/:linkId/qr.svg', async (c) => {
    const linkId = c.req.param('linkId');
    await c.get('dependencies').sessions.openLink(linkId);
    return c.html(qrSvg(`${publicUrl(c).origin}/pay/${linkId}`), 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'x-robots-tag': 'noindex',
    });
  })
  .get(STYLE_PATH, (c) => fileResponse(c, 'text/css; charset=utf-8'));

async function handleReturn(c: Context<AppEnv, typeof RETURN_PATH>) {
  const { sessionId, nonce, outcome } = c.req.param();
  const through = outcome === 'abort' ? 'abort' : 'success';
  const { sessions } = c.get('dependencies');
  const { view, property, presentation, returnUrl } = await sessions.returned(sessionId, nonce, through);
  c.get('facts').resource = view.id;
  if (presentation === 'redirect' && returnUrl !== null) return seeOther(c, withSession(returnUrl, view.id));
  return pageResponse(c, checkoutPage({ view, ...(await pageTexts(c)) }), { property });
}

async function linkPage(c: AppContext, linkId: string, failure?: ProblemError): Promise<Response> {
  const texts = await pageTexts(c);
  const { view, property } = await c.get('dependencies').sessions.openLink(linkId);
  c.get('facts').resource = view.id;
  const payAction = `/pay/${linkId}`;
  // A session that has ended says so itself; only a start that could be tried again needs a word.
  const needsNotice = failure !== undefined && failure.code !== 'session_not_open';
  const isTimeOver = Date.parse(view.expiresAt) <= c.get('dependencies').now();
  // An expired try may be followed by another one while the link lives; what nobody had started is over for good.
  const isOver =
    view.status === 'expired' ? view.final || isTimeOver : /failed|canceled/.test(view.status) && isTimeOver;
  const page = checkoutPage({
    view,
    ...texts,
    ...(isOver ? {} : { payAction }),
    qrSource: `${payAction}/qr.svg`,
    ...(needsNotice ? { notice: `${texts.messages.unavailable}. ${texts.messages.unavailableText}` } : {}),
  });
  return pageResponse(c, page, { property, status: failure?.status ?? 200 });
}

function seeOther(c: AppContext, location: string): Response {
  return c.body(null, 303, { location, 'cache-control': 'no-store' });
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
