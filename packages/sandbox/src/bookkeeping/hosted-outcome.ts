/** What happens to a hosted request: the guest's own acts, control's, and time's. */
import { ABORT_TEXT, DECLINE_TEXT } from '../domain/decline-reason.ts';
import { isFinished, nextPhase } from '../domain/hosted-machine.ts';
import type { HostedRequest, SubmittedCard } from '../domain/ledger.ts';
import type { Plan } from '../domain/plan.ts';
import { scenarioNamed } from '../scenarios/all-scenarios.ts';
import { type Choice, choose } from '../scenarios/magic-table.ts';
import { approved } from '../scenarios/outcomes.ts';
import { surchargeOn, toMinor } from '../wire/amount.ts';
import { toMaskedCard } from '../wire/card-number.ts';
import type { World } from '../world/world.ts';
import { bookCharge } from './book-charge.ts';
import { bookToken, endOfMonth } from './book-token.ts';

/** How a submitted card will be treated, decided before anything happens so that a surcharge can be shown first. */
export interface Decision extends Choice {
  readonly plan: Plan;
}

const DECLINED_CARD = '4000000000000002';

/** A surcharge on a hosted payment. */
export interface Surcharge {
  readonly percent: number;
  readonly minor: bigint;
}

/** Asks the scenario that applies to this guest and this card. Control beats magic. */
export function decideFor(hosted: HostedRequest, card: SubmittedCard): Decision {
  const choice = chooseFor(hosted, card);
  const step = hosted.terms.payment === undefined ? 'hostedTokenization' : 'hostedPayment';
  return { ...choice, plan: choice.scenario.decide({ step, chosenBy: choice.chosenBy }) };
}

/** The surcharge that a plan puts on a request, or undefined: the feature must have been asked for. */
export function surchargeOf(world: World, hosted: HostedRequest, plan: Plan): Surcharge | undefined {
  const { payment } = hosted.terms;
  if (payment === undefined || plan.surcharge === undefined) return undefined;
  if (!payment.hasSurchargeFeature && plan.surcharge.isUnasked !== true) return undefined;
  return byPercent(world, hosted, plan.surcharge.percent);
}

/** The amount that was asked for, in minor units; 0 for a tokenization. */
export function baseMinorOf(world: World, hosted: HostedRequest): bigint {
  const { payment } = hosted.terms;
  if (payment === undefined) return 0n;
  return toMinor(payment.amount, { unit: world.settings.amountUnit, currency: payment.currency });
}

/**
 * The guest submits a card: the charge or the token is booked now, the status follows when the plan lets it. Does
 * nothing when somebody acted before, so that a double click cannot charge twice.
 */
export function submitCard(world: World, hosted: HostedRequest, card: SubmittedCard): void {
  if (hosted.phase !== 'open') return;
  const plan = act(world, hosted, card);
  if (plan.decline !== undefined) {
    failHosted(hosted, DECLINE_TEXT[plan.decline]);
    return;
  }
  book(world, hosted, card, surchargeOf(world, hosted, plan));
  settleIfDue(world, hosted);
}

/** Ends a request like a guest who turns back: no card was entered. */
export function cancelHosted(hosted: HostedRequest): void {
  failHosted(hosted, ABORT_TEXT);
}

/** Ends a request by declining for the guest, who may have entered no card: one that always declines stands in for it. */
export function declineHosted(hosted: HostedRequest, errorText: string): void {
  if (nextPhase(hosted.phase, 'fail') !== undefined) hosted.card ??= toMaskedCard(DECLINED_CARD);
  failHosted(hosted, errorText);
}

/** Whether a request has ended because its guest turned back: only then did it fail without a card. */
export function isCanceled({ phase, card }: HostedRequest): boolean {
  return phase === 'failed' && card === undefined;
}

function failHosted(hosted: HostedRequest, errorText: string): void {
  if (nextPhase(hosted.phase, 'fail') === undefined) return;
  hosted.errorText = errorText;
  finish(hosted, 'fail');
}

/**
 * Ends a request well, by hand: what the guest has not done yet is done with `card`, and no plan holds the result
 * back any longer.
 */
export function completeHosted(
  world: World,
  hosted: HostedRequest,
  { card, surchargePercent }: { readonly card: SubmittedCard; readonly surchargePercent: number | undefined },
): void {
  if (hosted.phase === 'open') {
    const plan = act(world, hosted, card);
    const byHand = surchargePercent === undefined ? undefined : byPercent(world, hosted, surchargePercent);
    book(world, hosted, card, byHand ?? surchargeOf(world, hosted, plan));
  }
  finish(hosted, 'succeed');
}

/** Applies time and polls to a request whose guest has acted. */
export function settleIfDue(world: World, hosted: HostedRequest): void {
  if (hosted.phase !== 'settling' || hosted.actedAt === undefined) return;
  const { settles } = hosted.plan;
  const byPolls = settles?.afterPolls !== undefined && hosted.pollsSinceActed >= settles.afterPolls;
  const byTime =
    settles?.afterSeconds !== undefined && world.clock.now() - hosted.actedAt >= settles.afterSeconds * 1_000;
  if (settles === undefined || byPolls || byTime) finish(hosted, 'succeed');
}

function chooseFor(hosted: HostedRequest, card: SubmittedCard): Choice {
  const controlled = hosted.controlled === undefined ? undefined : scenarioNamed(hosted.controlled);
  const cardScenario = scenarioNamed(card.cardScenario);
  return choose(controlled, {
    name: card.cardholder,
    ...(hosted.terms.payment === undefined ? {} : { amount: hosted.terms.payment.amount }),
    ...(cardScenario === undefined ? {} : { card: cardScenario }),
  });
}

function act(world: World, hosted: HostedRequest, card: SubmittedCard): Plan {
  const { plan, scenario } = decideFor(hosted, card);
  hosted.scenario = scenario.name;
  hosted.plan = plan;
  hosted.card = card.card;
  hosted.phase = nextPhase(hosted.phase, 'act') ?? hosted.phase;
  hosted.actedAt = world.clock.now();
  hosted.offer = undefined;
  return plan;
}

function finish(hosted: HostedRequest, event: 'succeed' | 'fail'): void {
  const phase = nextPhase(hosted.phase, event);
  if (phase === undefined || !isFinished(phase)) return;
  hosted.phase = phase;
  hosted.offer = undefined;
}

function book(world: World, hosted: HostedRequest, card: SubmittedCard, surcharge: Surcharge | undefined): void {
  const { terms, customer, requestID } = hosted;
  const { magicScenario } = chooseFor(hosted, card);
  const common = {
    customer,
    requestID,
    card: card.card,
    serviceProvider: terms.serviceProvider,
    via: 'hosted' as const,
  };
  hosted.objectID = world.ids.next('object');
  if (terms.payment === undefined) {
    const tokenExpiry = endOfMonth(card.valid);
    hosted.token = bookToken(world, {
      ...common,
      tokenExpiry,
      cardholder: card.cardholder,
      cardScenario: card.cardScenario,
    });
    hosted.transactionID = world.ids.next('transaction');
    return;
  }
  hosted.charge = bookCharge(world, {
    ...common,
    tokenNo: null,
    currency: terms.payment.currency,
    baseMinor: baseMinorOf(world, hosted),
    surchargeMinor: surcharge?.minor ?? 0n,
    text: terms.payment.description,
    hotelID: terms.hotelID,
    user: terms.user,
    scenario: hosted.scenario ?? approved.name,
    ...(magicScenario === undefined ? {} : { magicScenario }),
  });
  hosted.surchargePercent = surcharge?.percent;
  hosted.transactionID = hosted.charge.transactionID;
}

/** No surcharge that rounds to zero: only one above zero was applied. */
function byPercent(world: World, hosted: HostedRequest, percent: number): Surcharge | undefined {
  const minor = surchargeOn(baseMinorOf(world, hosted), percent);
  return minor === 0n ? undefined : { percent, minor };
}
