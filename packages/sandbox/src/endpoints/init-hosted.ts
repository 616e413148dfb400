/** What both hosted inits do. @see upstream API, section "Init response" */
import type { HostedRequest, HostedTerms } from '../domain/ledger.ts';
import type { World } from '../world/world.ts';
import type { ApiCall } from './api-call.ts';
import { type PlannedCall, planOperation, replyIfPrevented } from './plan-operation.ts';
import { jsonReply, type Reply, successCode } from './reply.ts';

const FOREIGN_ORIGIN = 'https://elsewhere.invalid';

type Ids = Pick<HostedRequest, 'requestID' | 'viewKey'>;

/** Opens a hosted request and answers where the guest goes and where the status is. */
export function initHosted(
  world: World,
  { call, bearer, terms }: { readonly call: ApiCall; readonly bearer: string; readonly terms: HostedTerms },
): Reply {
  const amount = terms.payment?.amount;
  const planned = planOperation(world, terms.operation, amount === undefined ? {} : { amount });
  // Only control declines an init itself; a magic amount is about the payment that follows.
  const isForLater = planned.plan.decline !== undefined && planned.plan.isSkipped !== true;
  const effective = isForLater ? { ...planned, plan: {} } : planned;
  const fields = { serviceProvider: terms.serviceProvider };
  const prevented = replyIfPrevented(world, effective, { bearer, fields });
  if (prevented !== undefined) return prevented;

  const hosted = openHosted(world, { call, terms, controlled: remembered(planned) });
  const { requestID } = hosted;
  const toShown = (url: string): string =>
    planned.plan.hasForeignUrls === true ? url.replace(call.baseUrl, FOREIGN_ORIGIN) : url;
  const answer = {
    viewUrl: toShown(hosted.viewUrl),
    stateRetrivalUrl: toShown(stateUrlOf(world, { call, requestID })),
    requestID,
    dateTime: world.profile.dateTime(world.clock.localDateTime()),
    returnCode: successCode(world, planned.plan),
    serviceProvider: terms.serviceProvider,
  };
  return jsonReply(answer, planned.extras);
}

// The init uses up a fault of its own answer; everything else that control chose is about the guest's step.
function remembered({ plan, scenario, chosenBy }: PlannedCall): string | undefined {
  const isUsedUp = plan.delivery !== undefined && plan.delivery.kind !== 'slow';
  return chosenBy === 'control' && !isUsedUp ? scenario.name : undefined;
}

function openHosted(
  world: World,
  { call, terms, controlled }: { call: ApiCall; terms: HostedTerms; controlled: string | undefined },
): HostedRequest {
  const ids: Ids = { requestID: world.ids.next('request'), viewKey: world.ids.next('view') };
  const hosted: HostedRequest = {
    ...ids,
    viewUrl: viewUrlOf({ call, terms, ids }),
    customer: call.customer,
    terms,
    controlled,
    createdAt: world.clock.now(),
    phase: 'open',
    polls: 0,
    recordReads: 0,
    finalAnswers: 0,
    scenario: undefined,
    plan: {},
    actedAt: undefined,
    pollsSinceActed: 0,
    offer: undefined,
    transactionID: '',
    objectID: '',
    card: undefined,
    charge: undefined,
    surchargePercent: undefined,
    token: undefined,
    errorText: undefined,
    hasVisitedCallbacks: false,
  };
  world.ledger.hosted.set(hosted.requestID, hosted);
  return hosted;
}

function viewUrlOf({ call, terms, ids }: { call: ApiCall; terms: HostedTerms; ids: Ids }): string {
  const page = terms.payment === undefined ? 'create' : 'payment';
  const parameter = { oc: page.toUpperCase(), amount: terms.payment?.amount ?? '0', refType: 'R', ...ids };
  const query = new URLSearchParams({ PD: btoa(JSON.stringify(parameter)) });
  return `${addressOf(call)}/hosted/${page}?${query}`;
}

function stateUrlOf(world: World, { call, requestID }: { call: ApiCall; requestID: string }): string {
  const query = new URLSearchParams({ requestid: requestID, serviceProvider: world.settings.providerHosted });
  return `${addressOf(call)}/paystatus?${query}`;
}

function addressOf({ baseUrl, customer }: ApiCall): string {
  return `${baseUrl}/${encodeURIComponent(customer)}`;
}
