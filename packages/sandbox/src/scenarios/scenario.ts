import type { Operation, Plan, Step } from '../domain/plan.ts';

/** What makes a scenario apply. */
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
  /** Card numbers that choose it, if people can reach it by hand. They pass the Luhn check and belong to nobody. */
  readonly cards?: readonly string[];
  /** Amount that chooses it, as it goes over the wire. */
  readonly amount?: string;
  readonly decide: (situation: Situation) => Plan;
}

export const HOSTED_OPERATIONS: readonly Operation[] = ['initpayNoIframe', 'initCreateTokenNoIframe'];

/** A plan for the guest's acts on a hosted page. */
export const onHostedPage =
  (plan: Plan): Scenario['decide'] =>
  ({ step }) =>
    isHostedStep(step) ? plan : {};

/** A plan for some steps. */
export const onSteps =
  (steps: readonly Step[], plan: Plan): Scenario['decide'] =>
  ({ step }) =>
    steps.includes(step) ? plan : {};

/** A plan for where money moves, see {@link isMoneyStep}. */
export const onMoney =
  (plan: Plan): Scenario['decide'] =>
  (situation) =>
    isMoneyStep(situation) ? plan : {};

/** A plan that no input of a guest can choose. */
export const byControl =
  (plan: Plan): Scenario['decide'] =>
  ({ chosenBy }) =>
    chosenBy === 'control' ? plan : {};

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
