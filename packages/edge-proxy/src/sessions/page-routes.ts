/**
 * What a guest's browser opens by itself: payment links with their form and QR code, and the way back from the hosted page.
 * A link id or a nonce is the capability; nothing here needs a script.
 */
import type { CheckoutView } from '@innkeep/core/contract';
import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { type AppContext, type AppEnv, limit, publicUrl } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { errorResponse } from '../http/error-response.ts';
import { sha256Hex } from '../http/hash.ts';
import { type Outcome, ProblemError, unwrap } from '../http/problem.ts';
import { withoutLastSlash } from '../http/routes.ts';
import { query } from '../http/validate.ts';
import { UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import type { CallerDependencies } from '../properties/caller-env.ts';
import { publicApp } from '../properties/resource-app.ts';
import { type CheckoutPage, checkoutPage, messagePage } from './checkout-page.ts';
import { type SessionDependencies, sessionOfCapability, sessionOfGuest, unwrapNoted } from './checkout-sessions.ts';
import type { Messages } from './messages.ts';
import { pageResponse } from './page-response.ts';
import { pageTexts } from './page-texts.ts';
import { noSuchPage } from './refusals.ts';
import type { SessionPage, StartedSession } from './session-page.ts';

type PageDependencies = CallerDependencies &
  SessionDependencies & {
    /** What keeps the whole deployment from being served. */
    readonly misconfigured?: { readonly param: string; readonly detail: string } | undefined;
  };
type PageContext = AppContext<PageDependencies>;

const RETURN_PATH = '/return/:sessionId/:nonce/:outcome{success|abort}';
const AFTER_RETURN_PATH = '/return/:sessionId/:nonce/start';
/** How soon a return that failed is tried again. */
const RETURN_RETRY_SECONDS = 5;
/** Query of the forms. Without it no terms fit, and the page is shown again. */
const PageStartSchema = v.object({
  terms: v.pipe(
    v.optional(v.string(), '0'),
    v.description('Version of the terms that the page shows.'),
    v.transform(Number),
  ),
});

const limitAddress: MiddlewareHandler<AppEnv<PageDependencies>> = async (c, next) => {
  const { misconfigured } = c.get('dependencies');
  if (misconfigured !== undefined) throw new ProblemError('property_unavailable', misconfigured);
  await limit(c, 'guest');
  await next();
};

/** The sub-app. Whatever goes wrong here is answered with a page: nobody reads JSON in a browser. */
export const pages = publicApp<PageDependencies>({ tag: 'Pages' })
  .onError(async (error, c) => {
    const answer = await errorResponse(error, c);
    const texts = await pageTexts(c);
    if (answer.status === 404) return pageResponse(c, messagePage(texts, 'notFound'), { failure: answer });
    // A guest who comes back from paying has nowhere else to go: the page tries again until it can lead on.
    const isReturn = c.req.path.startsWith('/return/');
    const seconds = Number(answer.headers.get('retry-after') ?? RETURN_RETRY_SECONDS);
    return pageResponse(c, messagePage(texts, 'refused', isReturn ? seconds : undefined), { failure: answer });
  })
  .use('/pay/*', limitAddress)
  .use('/return/*', limitAddress)
  .get(RETURN_PATH, describe({ id: 'returnFromHostedPage' }), handleReturn)
  .post(RETURN_PATH, describe({ id: 'returnFromHostedPageByPost' }), handleReturn)
  // A page that answers the form and waits loads itself again.
  .get(AFTER_RETURN_PATH, describe({ id: 'showAfterReturn' }), (c) =>
    resultPage(c, { ...c.req.param(), through: null }),
  )
  .post(AFTER_RETURN_PATH, describe({ id: 'startAfterReturn' }), query(PageStartSchema), async (c) => {
    const { sessionId, nonce } = c.req.param();
    const how = startFromPage(c, c.req.valid('query'));
    const session = await sessionOfReturn(c, sessionId, UPSTREAM_ANSWER_LIMIT_MS);
    return startOrShow(c, session.startAfter(await sha256Hex(nonce), how), (failure) =>
      resultPage(c, { sessionId, nonce, through: null }, failure),
    );
  })
  // Never calls the upstream.
  .get('/pay/:linkId', describe({ id: 'showPaymentLink' }), (c) => linkPage(c, c.req.param('linkId')))
  .post('/pay/:linkId', describe({ id: 'startPaymentLink' }), query(PageStartSchema), async (c) => {
    const { linkId } = c.req.param();
    const how = startFromPage(c, c.req.valid('query'));
    const { session, linkHash } = await sessionOfLink(c, linkId, UPSTREAM_ANSWER_LIMIT_MS);
    return startOrShow(c, session.startFromLink(linkHash, how), (failure) => linkPage(c, linkId, failure));
  })
  .get('/pay/:linkId/qr.svg', describe({ id: 'showPaymentLinkCode' }), async (c) => {
    const linkId = c.req.param('linkId');
    await openLink(c, linkId);
    const { qrSvg } = await import('./qr-svg.ts');
    return c.html(qrSvg(`${publicUrl(c).origin}/pay/${linkId}`), 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'x-robots-tag': 'noindex',
    });
  })
  .all('/pay/*', lost)
  .all('/return/*', lost);

/** Nothing is here: whoever has added a slash is led on. */
function lost(c: Context<AppEnv<PageDependencies>>): Response {
  return withoutLastSlash(c) ?? unwrap<never>(noSuchPage());
}

async function handleReturn(c: Context<AppEnv<PageDependencies>, typeof RETURN_PATH>) {
  const { sessionId, nonce, outcome } = c.req.param();
  return resultPage(c, { sessionId, nonce, through: outcome === 'abort' ? 'abort' : 'success' });
}

/** What the guest sees after the hosted page: the page of the hotel, or the proxy's own. */
async function resultPage(
  c: PageContext,
  { sessionId, nonce, through }: { sessionId: string; nonce: string; through: 'success' | 'abort' | null },
  failure?: ProblemError,
): Promise<Response> {
  const session = await sessionOfReturn(c, sessionId);
  const { traceparent } = c.get('dependencies');
  const outcome: Outcome<SessionPage> = await session.returned(await sha256Hex(nonce), through, traceparent);
  const { view, property, presentation, returnUrl, mayStart, viewUrl } = unwrapNoted(c, outcome);
  if (presentation === 'redirect' && returnUrl !== null) return seeOther(c, withSession(returnUrl, view.id));
  const afterReturn = `/return/${sessionId}/${nonce}/start`;
  // Only the guest comes back: a page that waits is no sign that somebody is there.
  const addresses = { waitAddress: afterReturn, ...(mayStart ? { payAction: afterReturn } : {}) };
  return sessionPage(c, { view, property, failure, viewUrl, ...addresses });
}

async function sessionOfReturn(c: PageContext, id: string, limitMs?: number) {
  return (await sessionOfGuest(c, id, limitMs)) ?? unwrap<never>(noSuchPage());
}

async function sessionOfLink(c: PageContext, linkId: string, limitMs?: number) {
  const session = (await sessionOfCapability(c, linkId, limitMs)) ?? unwrap<never>(noSuchPage());
  return { session, linkHash: await sha256Hex(linkId) };
}

async function openLink(c: PageContext, linkId: string): Promise<SessionPage> {
  const { session, linkHash } = await sessionOfLink(c, linkId);
  return unwrapNoted<SessionPage>(c, await session.page(linkHash));
}

async function linkPage(c: PageContext, linkId: string, failure?: ProblemError): Promise<Response> {
  const { view, property, mayStart, viewUrl } = await openLink(c, linkId);
  const address = `/pay/${linkId}`;
  const form = mayStart || view.status !== 'open' ? { payAction: address } : {};
  const code = 'payAction' in form ? { qrSource: `${address}/qr.svg` } : {};
  return sessionPage(c, { view, property, failure, viewUrl, ...form, ...code });
}

async function sessionPage(
  c: PageContext,
  {
    property,
    failure,
    viewUrl,
    ...shown
  }: Pick<CheckoutPage, 'view' | 'payAction' | 'waitAddress' | 'qrSource'> &
    Pick<SessionPage, 'property' | 'viewUrl'> & { readonly failure: ProblemError | undefined },
): Promise<Response> {
  const texts = await pageTexts(c);
  const notice = failure && noticeOf(failure, texts.messages, shown.view);
  const page = checkoutPage({ ...shown, ...texts, ...(notice === undefined ? {} : { notice }) });
  return pageResponse(c, page, {
    property,
    viewUrl,
    ...(failure === undefined ? {} : { failure: await errorResponse(failure, c) }),
  });
}

/** What to say of a start that was refused. A session that is over, or can have no other attempt, says so itself. */
function noticeOf({ code }: ProblemError, t: Messages, { status }: CheckoutView): string | undefined {
  if (code === 'session_not_open' || code === 'too_many_attempts' || status === 'expired') return undefined;
  if (code === 'terms_changed') return t.termsChanged;
  // Nobody may say that nothing was charged while it is not certain how the last attempt ended.
  return code === 'upstream_unavailable' ? `${t.unavailable}.` : `${t.unavailable}. ${t.unavailableText}`;
}

/** How a form of ours starts an attempt. */
function startFromPage(c: PageContext, { terms }: { readonly terms: number }) {
  const { origin: publicOrigin } = publicUrl(c);
  const from = c.req.header('origin');
  // The page says no-referrer, so its own form arrives with `null`.
  if (from !== undefined && from !== 'null' && from !== publicOrigin) {
    throw new ProblemError('forbidden', { detail: 'This form was sent from another site', param: 'Origin' });
  }
  return { terms, publicUrl: publicOrigin, traceparent: c.get('dependencies').traceparent };
}

/** Leads to the hosted page, or shows the page again with the reason why not. */
async function startOrShow(
  c: PageContext,
  starting: Promise<Outcome<StartedSession>>,
  show: (failure: ProblemError) => Promise<Response>,
): Promise<Response> {
  try {
    return seeOther(c, unwrapNoted(c, await starting).viewUrl);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return show(error);
  }
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
