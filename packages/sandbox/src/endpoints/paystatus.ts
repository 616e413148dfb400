/** @see upstream API, sections "Status response" and "States and transitions" */
import { settleIfDue } from '../bookkeeping/hosted-outcome.ts';
import type { HostedRequest } from '../domain/ledger.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, expireBearer, requireBearer } from './api-call.ts';
import { findHosted } from './find-hosted.ts';
import { planOperation, replyIfPrevented } from './plan-operation.ts';
import { jsonReply, type Reply } from './reply.ts';

type StatusAnswer = { readonly state: 0 } | { readonly state: 1 | 2; readonly result: string };

/** `GET /<customer_id>/paystatus` and `GET /V2/<customer_id>/paystatus`: how far a hosted request is. */
export function paystatus(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const hosted = findHosted(world, call);
  const planned = planOperation(world, 'paystatus');
  const prevented = replyIfPrevented(world, planned, { bearer });
  if (prevented !== undefined) return prevented;

  hosted.polls += 1;
  if (hosted.actedAt !== undefined) hosted.pollsSinceActed += 1;
  if (hosted.plan.expiresBearerOnPoll === true && hosted.pollsSinceActed === 1) expireBearer(world, bearer);
  settleIfDue(world, hosted);
  const { pollFault } = hosted.plan;
  const isFaulty = pollFault !== undefined && hosted.pollsSinceActed >= 1 && hosted.pollsSinceActed <= pollFault.times;
  const scenario = planned.chosenBy === 'control' ? planned.scenario.name : hosted.scenario;
  return jsonReply(statusOf(hosted), {
    delivery: planned.plan.delivery ?? (isFaulty ? pollFault.delivery : undefined),
    ...(scenario === undefined ? {} : { scenario }),
  });
}

function statusOf(hosted: HostedRequest): StatusAnswer {
  const answer = truthOf(hosted);
  if (answer.state === 0) return answer;
  hosted.finalAnswers += 1;
  return hosted.plan.flipsAfterFinal === true && hosted.finalAnswers > 1 ? oppositeOf(hosted, answer.state) : answer;
}

function truthOf(hosted: HostedRequest): StatusAnswer {
  if (hosted.phase === 'done') return { state: 1, result: resultOf(hosted) };
  if (hosted.phase === 'failed') return { state: 2, result: errorOf(hosted.errorText ?? '') };
  return { state: 0 };
}

function oppositeOf(hosted: HostedRequest, state: 1 | 2): StatusAnswer {
  return state === 1 ? { state: 2, result: errorOf('Unknown error') } : { state: 1, result: resultOf(hosted) };
}

/** `PAYOBJID=<id>` or `TOKENOBJID=<id>`. */
export function resultOf(hosted: HostedRequest): string {
  return `${hosted.terms.payment === undefined ? 'TOKENOBJID' : 'PAYOBJID'}=${hosted.objectID}`;
}

function errorOf(text: string): string {
  return `ERROR=${encodeURIComponent(text)}`;
}
