import type { Operation, Plan } from '../domain/plan.ts';
import { type Choice, choose, type MagicInputs } from '../scenarios/magic-table.ts';
import type { World } from '../world/world.ts';
import { expireBearer } from './api-call.ts';
import { declinedReply, jsonReply, type Reply, type ReplyExtras } from './reply.ts';

/** The scenario of a call and its plan. */
export interface PlannedCall extends Choice {
  readonly plan: Plan;
  /** Goes into every reply: how it is delivered, and the log's note of the scenario. */
  readonly extras: ReplyExtras;
}

/** Chooses the scenario for a call that was found valid: control first, then magic. Uses up one control choice. */
export function planOperation(world: World, operation: Operation, inputs: MagicInputs = {}): PlannedCall {
  const choice = choose(world.queue.take(operation), inputs);
  const plan = choice.scenario.decide({ step: operation, chosenBy: choice.chosenBy });
  return { ...choice, plan, extras: { delivery: plan.delivery, scenario: choice.scenario.name } };
}

/** The reply of a call that its plan does not let happen, or undefined when it may happen. */
export function replyIfPrevented(
  world: World,
  { plan, extras }: PlannedCall,
  { bearer, fields = {} }: { readonly bearer: string; readonly fields?: Readonly<Record<string, string>> },
): Reply | undefined {
  if (plan.expiresBearer === true) expireBearer(world, bearer);
  if (plan.decline !== undefined) return declinedReply(world, { reason: plan.decline, fields, ...extras });
  if (plan.isSkipped === true) return jsonReply({}, extras);
  return undefined;
}
