/** Payment links: a page, its form and its QR code. The link id is the capability; nothing here needs a script. */
import { type AppContext, publicUrl } from '../middleware/app-context.ts';
import { limitGuest } from '../middleware/limit-address.ts';
import { checkoutPage, messagePage } from '../pages/checkout-page.ts';
import { qrSvg } from '../pages/qr-svg.ts';
import { ProblemError } from '../problem.ts';
import { pageResponse } from './page-response.ts';
import { pageTexts } from './page-texts.ts';
import type { Route } from './route.ts';

/** `GET /pay/{linkId}`: what is to be paid and how it stands. Never calls the upstream. */
export const showPaymentLink: Route = {
  method: 'GET',
  path: '/pay/:linkId',
  handle: (c) => orNotFound(c, () => linkPage(c)),
};

/** `POST /pay/{linkId}`: starts, and sends the guest to the hosted page. */
export const startPaymentLink: Route = {
  method: 'POST',
  path: '/pay/:linkId',
  handle: (c) =>
    orNotFound(c, async () => {
      await limitGuest(c);
      const { origin } = publicUrl(c);
      const from = c.req.header('origin');
      // The page says no-referrer, so its own form arrives with `null`.
      if (from !== undefined && from !== 'null' && from !== origin) {
        throw new ProblemError('forbidden', { detail: 'This form is not ours', param: 'Origin' });
      }
      try {
        const { view, viewUrl } = await c.get('dependencies').sessions.startLink(linkIdOf(c), origin);
        c.get('facts').resource = view.id;
        return new Response(null, { status: 303, headers: { location: viewUrl, 'cache-control': 'no-store' } });
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code === 'not_found') throw error;
        c.get('facts').code = error.code;
        return linkPage(c, error);
      }
    }),
};

/** `GET /pay/{linkId}/qr.svg`. */
export const showPaymentLinkCode: Route = {
  method: 'GET',
  path: '/pay/:linkId/qr.svg',
  handle: (c) =>
    orNotFound(c, async () => {
      await c.get('dependencies').sessions.openLink(linkIdOf(c));
      return new Response(qrSvg(`${publicUrl(c).origin}/pay/${linkIdOf(c)}`), {
        headers: {
          'content-type': 'image/svg+xml',
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'",
          'x-robots-tag': 'noindex',
        },
      });
    }),
};

async function linkPage(c: AppContext, failure?: ProblemError): Promise<Response> {
  const texts = await pageTexts(c);
  const linkId = linkIdOf(c);
  const { view, property } = await c.get('dependencies').sessions.openLink(linkId);
  c.get('facts').resource = view.id;
  const payAction = `/pay/${linkId}`;
  // A session that has ended says so itself; only a start that could be tried again needs a word.
  const needsNotice = failure !== undefined && failure.code !== 'session_not_open';
  const isTimeOver = Date.parse(view.expiresAt) <= c.get('dependencies').now();
  // An expired try may be followed by another one while the link lives; what nobody had started is over for good.
  const isOver =
    view.status === 'expired' ? view.final || isTimeOver : /failed|canceled/.test(view.status) && isTimeOver;
  const html = checkoutPage({
    view,
    ...texts,
    ...(isOver ? {} : { payAction }),
    qrSource: `${payAction}/qr.svg`,
    ...(needsNotice ? { notice: `${texts.messages.unavailable}. ${texts.messages.unavailableText}` } : {}),
  });
  return pageResponse(c, html, { property, status: failure?.status ?? 200 });
}

function linkIdOf(c: AppContext): string {
  return c.req.param('linkId') ?? '';
}

async function orNotFound(c: AppContext, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error;
    c.get('facts').code = error.code;
    const { language, messages } = await pageTexts(c);
    return pageResponse(c, messagePage(language, messages, 'notFound'), { status: 404 });
  }
}
