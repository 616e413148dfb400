import type { Operation, Plan, Step } from '../domain/plan.ts';

/** What made a scenario apply. */
export type ChosenBy = 'control' | 'card' | 'amount' | 'name';

/** Where a scenario is asked what to do. */
export interface Situation {
  readonly step: Step;
  readonly chosenBy: ChosenBy;
}

/** One way in which the upstream service can behave. */
export interface Scenario {
  readonly name: string;
  /** One sentence for the magic table, the demo and the docs. */
  readonly description: string;
  /** Operations for which `POST /__sandbox/scenario` accepts it. */
  readonly operations: readonly Operation[];
  readonly decide: (situation: Situation) => Plan;
}

/** Both hosted inits. */
export const HOSTED_OPERATIONS: readonly Operation[] = ['initpayNoIframe', 'initCreateTokenNoIframe'];

/** Whether the guest is acting on a hosted page. */
export function isHostedStep(step: Step): boolean {
  return step === 'hostedPayment' || step === 'hostedTokenization';
}

/**
 * Whether a fault that belongs to moving money applies here: where control put it, and otherwise only where money
 * moves. A magic card must be stored before it can misbehave when charged, and a reversal has its own amount but not
 * its own card.
 */
export function isMoneyStep({ step, chosenBy }: Situation): boolean {
  if (chosenBy === 'control') return true;
  return step === 'pay' || step === 'hostedPayment' || (step === 'reversal' && chosenBy === 'amount');
}
