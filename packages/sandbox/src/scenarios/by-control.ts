/** Scenarios that no card, amount or name chooses. */
import { OPERATIONS, type Plan } from '../domain/plan.ts';
import { byControl, HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** Nothing is carried out, which the caller cannot know. */
const skipped = (name: string, description: string, delivery: Plan['delivery']): Scenario => ({
  name,
  description,
  operations: OPERATIONS,
  decide: byControl({ isSkipped: true, ...(delivery && { delivery }) }),
});

export const BY_CONTROL: readonly Scenario[] = [
  // The service answers properly and refuses: it is certain that nothing happened.
  {
    name: 'rejected',
    description:
      'The operation is not carried out, and the answer says so: login 401, gateway RC 1, else a returnCode other than 0.',
    operations: OPERATIONS.filter((operation) => operation !== 'paystatus'),
    decide: ({ step }) => (step === 'transaction' ? { decline: 'declined' } : { decline: 'declined', isSkipped: true }),
  },
  // The twin of `answer-lost`: from outside they look the same, and only one of them has moved money.
  skipped('request-lost', 'The connection breaks before anything is carried out.', { kind: 'lost' }),
  skipped('unavailable', 'Nothing is carried out and the answer is HTTP 503.', { kind: 'status', status: 503 }),
  // Following it would send body and credentials to another origin.
  skipped('redirected', 'Nothing is carried out and the answer is a redirect (307) to another origin.', {
    kind: 'redirect',
    status: 307,
  }),
  // After some statuses, HTTP clients repeat the request, ask for a password or go elsewhere by themselves.
  ...[400, 401, 407, 408, 413, 417, 421, 422, 425, 429].map((status) =>
    skipped(`status-${status}`, `Nothing is carried out and the answer is HTTP ${status}.`, { kind: 'status', status }),
  ),
  ...[301, 302, 303, 307, 308].flatMap((status) => [
    skipped(`redirect-${status}`, `Nothing is carried out and the answer is a redirect (${status}).`, {
      kind: 'redirect',
      status,
    }),
    skipped(`status-${status}`, `Nothing is carried out and the answer is a redirect (${status}) to nowhere.`, {
      kind: 'status',
      status,
    }),
  ]),
  // A code that is not 0 proves nothing by itself: the money has moved.
  {
    name: 'outcome-pending',
    description: 'The operation is carried out, and the answer is returnCode 96 without an id: outcome pending.',
    operations: ['createToken', 'pay', 'reversal'],
    decide: byControl({ delivery: { kind: 'pending' } }),
  },
  // An address from an answer is not to be trusted: the bearer token would follow it.
  {
    name: 'foreign-urls',
    description: 'The init answer carries viewUrl and stateRetrivalUrl on an origin that nobody should trust.',
    operations: HOSTED_OPERATIONS,
    decide: ({ step }) => (isHostedStep(step) ? {} : { hasForeignUrls: true }),
  },
];
