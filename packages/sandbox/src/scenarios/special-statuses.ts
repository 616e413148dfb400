import { OPERATIONS, type Plan } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/**
 * Statuses that HTTP clients treat specially: after some of them a client repeats the request, asks for a password or goes
 * elsewhere without being told to. Nothing is carried out, which the caller cannot know.
 */
export const specialStatuses: readonly Scenario[] = [
  ...[400, 401, 407, 408, 413, 417, 421, 422, 425, 429].map((status) =>
    whenControlled(`status-${status}`, `Nothing is carried out and the answer is HTTP ${status}.`, {
      delivery: { kind: 'status', status },
    }),
  ),
  ...[301, 302, 303, 307, 308].flatMap((status) => [
    whenControlled(`redirect-${status}`, `Nothing is carried out and the answer is a redirect (${status}).`, {
      delivery: { kind: 'redirect', status },
    }),
    whenControlled(`status-${status}`, `Nothing is carried out and the answer is a redirect (${status}) to nowhere.`, {
      delivery: { kind: 'status', status },
    }),
  ]),
];

function whenControlled(name: string, description: string, plan: Plan): Scenario {
  return {
    name,
    description,
    operations: OPERATIONS,
    decide: ({ chosenBy }) => (chosenBy === 'control' ? { ...plan, isSkipped: true } : {}),
  };
}
