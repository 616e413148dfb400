import type { HostedRequest } from '../domain/ledger.ts';
import type { World } from '../world/world.ts';

const CALLBACK_TIMEOUT_MS = 5_000;

/**
 * Visits the callback addresses on its own, where profile or scenario ask for it. Happens once per request: a hosted
 * request is left again whenever its page is submitted again.
 */
export async function visitCallbacks(world: World, hosted: HostedRequest): Promise<void> {
  if (hosted.hasVisitedCallbacks) return;
  hosted.hasVisitedCallbacks = true;
  const { callbackSuccessUrl, callbackAbortUrl } = hosted.terms;
  const hasFailed = hosted.errorText !== undefined;
  if (hosted.plan.returnsTwice === true && !hasFailed) await visit(world, new Request(callbackSuccessUrl, OPTIONS));
  if (!world.profile.postsCallbacks) return;
  const headers = { 'Content-Type': 'application/json' };
  const request = { ...OPTIONS, method: 'POST', headers, body: JSON.stringify(callbackBody(world, hosted)) };
  await visit(world, new Request(hasFailed ? callbackAbortUrl : callbackSuccessUrl, request));
}

const OPTIONS: RequestInit = { redirect: 'manual' };

function callbackBody(world: World, hosted: HostedRequest): Readonly<Record<string, string>> {
  const { terms, requestID, transactionID, card, token } = hosted;
  return {
    cardInfoRefID: terms.cardInfoRefID,
    requestID,
    serviceProvider: terms.serviceProvider,
    ...(hosted.errorText === undefined
      ? { returnCode: '0' }
      : world.profile.declined(hosted.plan.decline ?? 'declined')),
    ...(terms.payment === undefined ? {} : { amount: terms.payment.amount, currency: terms.payment.currency }),
    ...(card === undefined ? {} : { cardNumber: world.profile.mask(card.cardNo), cardTypeCode: card.cardTypeCode }),
    ...(token === undefined ? {} : { token: token.tokenNo, tokenValidUntil: token.tokenExpiry }),
    ...(transactionID === '' ? {} : { transactionID }),
  };
}

async function visit(world: World, request: Request): Promise<void> {
  try {
    const timely = new Request(request, { signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS) });
    const response = await world.settings.callbackFetch(timely);
    await response.body?.cancel();
  } catch {
    // Nobody listens there. The upstream service would not report that either.
  }
}
