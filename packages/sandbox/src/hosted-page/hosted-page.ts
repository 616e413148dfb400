/** The page behind `viewUrl`: plain HTML, one form, no script needed. @see upstream API, section "Init response" */
import {
  baseMinorOf,
  cancelHosted,
  decideFor,
  declineHosted,
  isCanceled,
  submitCard,
  surchargeOf,
} from '../bookkeeping/hosted-outcome.ts';
import { DECLINE_TEXT } from '../domain/decline-reason.ts';
import type { HostedRequest, SubmittedCard } from '../domain/ledger.ts';
import type { Reply } from '../endpoints/reply.ts';
import { maskCardNumbersIn } from '../wire/card-number.ts';
import type { World } from '../world/world.ts';
import { visitCallbacks } from './callbacks.ts';
import type { CardField } from './card-form.ts';
import { brokenPage, entryPage, outcomePage, surchargePage, unknownPage } from './pages.ts';
import { readCard } from './read-card.ts';

export interface PageVisit {
  readonly url: URL;
  readonly page: 'payment' | 'create';
  readonly customer: string;
  /** Path prefix of this sandbox, empty when it is at the root. */
  readonly prefix: string;
  /** The submitted form; absent when the page is only opened. */
  readonly form?: URLSearchParams;
}

interface Stage {
  readonly world: World;
  readonly hosted: HostedRequest;
  /** Path that this sandbox's own files are under. */
  readonly assets: string;
  readonly action: string;
}

/** Shows the page, or does what the guest asked for and redirects the browser. */
export async function visitHostedPage(world: World, visit: PageVisit): Promise<Reply> {
  const assets = `${visit.prefix}/__sandbox/assets`;
  const hosted = findByView(world, visit);
  if (hosted === undefined) return pageReply(unknownPage(assets), 404);
  const stage: Stage = { world, hosted, assets, action: `${visit.url.pathname}${visit.url.search}` };
  if (visit.form !== undefined) return submit(stage, visit.form);
  return show(stage);
}

function show(stage: Stage): Reply {
  const { hosted, assets } = stage;
  if (hosted.phase !== 'open') return pageReply(outcomePage(assets, hosted));
  return hosted.offer === undefined ? showEntry(stage) : showSurcharge(stage);
}

async function submit(stage: Stage, form: URLSearchParams): Promise<Reply> {
  const { hosted } = stage;
  // Somebody acted before: a double click, the back button, a second tab. The first act stands.
  if (hosted.phase !== 'open') return leave(stage);
  switch (form.get('action')) {
    case 'cancel':
      cancelHosted(hosted);
      return leave(stage);
    case 'decline':
      declineHosted(hosted, DECLINE_TEXT.declined);
      return leave(stage);
    case 'another-card':
      hosted.offer = undefined;
      return show(stage);
    case 'confirm':
      return confirm(stage, form);
    default:
      return submitEntry(stage, form);
  }
}

async function submitEntry(stage: Stage, form: URLSearchParams): Promise<Reply> {
  const { world, hosted } = stage;
  const entry = readCard(world, form);
  if (!entry.isValid) return showEntry(stage, { form, errors: entry.errors });
  if (surchargeOf(world, hosted, decideFor(hosted, entry.card).plan) === undefined) return payWith(stage, entry.card);
  hosted.offer = entry.card;
  return showSurcharge(stage);
}

/** A confirmation applies to the offer that its page showed: a second tab may have another card. */
async function confirm(stage: Stage, form: URLSearchParams): Promise<Reply> {
  const { offer } = stage.hosted;
  const shown = form.get('offer');
  if (offer === undefined || (shown !== null && shown !== nameOf(offer))) return show(stage);
  return payWith(stage, offer);
}

function nameOf({ card, cardScenario, cardholder, valid }: SubmittedCard): string {
  return [card.cardNo, valid, cardScenario, cardholder].join(' ');
}

async function payWith(stage: Stage, card: SubmittedCard): Promise<Reply> {
  submitCard(stage.world, stage.hosted, card);
  return leave(stage);
}

/** Where the browser goes once somebody has acted. */
async function leave(stage: Stage): Promise<Reply> {
  const { world, hosted, assets } = stage;
  await visitCallbacks(world, hosted);
  const log = hosted.scenario === undefined ? {} : { scenario: hosted.scenario };
  // The guest did not choose the decline, so the page says what happened before it leads back.
  if (hosted.errorText !== undefined && !isCanceled(hosted))
    return { ...pageReply(outcomePage(assets, hosted)), ...log };
  const { delivery } = hosted.plan;
  if (delivery?.kind === 'status') return { ...pageReply(brokenPage(assets), delivery.status), ...log };
  const callback = isCanceled(hosted) ? hosted.terms.callbackAbortUrl : hosted.terms.callbackSuccessUrl;
  // A header carries ASCII only: an address with an umlaut is sent the way a browser would write it.
  const location = new URL(callback).href;
  return { status: 303, contentType: 'text/html; charset=utf-8', body: '', location, delivery, ...log };
}

function showEntry(
  { world, hosted, assets, action }: Stage,
  { form, errors }: { form?: URLSearchParams; errors: ReadonlyMap<CardField, string> } = { errors: new Map() },
): Reply {
  const values = {
    expiry: maskCardNumbersIn(form?.get('expiry') ?? '').slice(0, 7),
    cardholder: maskCardNumbersIn(form?.get('cardholder') ?? '').slice(0, 100),
  };
  const page = entryPage(assets, { hosted, baseMinor: baseMinorOf(world, hosted), form: { action, values, errors } });
  return pageReply(page, errors.size === 0 ? 200 : 422);
}

function showSurcharge({ world, hosted, assets, action }: Stage): Reply {
  const surcharge = hosted.offer && surchargeOf(world, hosted, decideFor(hosted, hosted.offer).plan);
  if (hosted.offer === undefined || surcharge === undefined) return showEntry({ world, hosted, assets, action });
  const offer = nameOf(hosted.offer);
  return pageReply(surchargePage(assets, { hosted, baseMinor: baseMinorOf(world, hosted), surcharge, action, offer }));
}

function findByView(world: World, { url, page, customer }: PageVisit): HostedRequest | undefined {
  const { requestID, viewKey } = readView(url.searchParams.get('PD') ?? '');
  const hosted = world.ledger.hosted.get(requestID);
  if (hosted === undefined || hosted.viewKey !== viewKey || hosted.customer !== customer) return undefined;
  return (hosted.terms.payment === undefined ? 'create' : 'payment') === page ? hosted : undefined;
}

function readView(parameter: string): { requestID: string; viewKey: string } {
  try {
    const view: unknown = JSON.parse(atob(parameter));
    if (typeof view === 'object' && view !== null && 'requestID' in view && 'viewKey' in view) {
      return { requestID: String(view.requestID), viewKey: String(view.viewKey) };
    }
  } catch {
    // The address is not ours: the page of an unknown request follows.
  }
  return { requestID: '', viewKey: '' };
}

function pageReply(html: string, status = 200): Reply {
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: html,
    headers: {
      // No form-action: browsers apply it to every redirect after a form, and those lead to pages of the hotel.
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
