/** Money moves as it should, and the answer is late, lost or unreadable. */
import { type Delivery, OPERATIONS } from '../domain/plan.ts';
import { HOSTED_OPERATIONS, isHostedStep, isMoneyStep, onHostedPage, onMoney, type Scenario } from './scenario.ts';

/** In a hosted payment the polls get it, since the guest's own step has no answer. */
const unreadable =
  (delivery: Delivery): Scenario['decide'] =>
  (situation) => {
    if (!isMoneyStep(situation)) return {};
    return situation.step === 'hostedPayment' ? { pollFault: { delivery, times: 2 } } : { delivery };
  };

export const ANSWERS: readonly Scenario[] = [
  // Time-outs that are too short turn good payments into unknown ones.
  {
    name: 'slow',
    description: 'Answers take 3 seconds; a hosted result needs 5 polls or 10 seconds after the guest paid.',
    operations: OPERATIONS,
    cards: ['4000000000010902'],
    amount: '6609',
    decide: ({ step }) =>
      isHostedStep(step) ? { settles: { afterPolls: 5, afterSeconds: 10 } } : { delivery: { kind: 'slow' } },
  },
  // A client must stop waiting without calling the payment failed.
  {
    name: 'never-finishes',
    description: 'The guest pays and is charged, but the status stays 0 forever.',
    operations: HOSTED_OPERATIONS,
    cards: ['4000000000011009'],
    amount: '6610',
    decide: onHostedPage({ settles: {} }),
  },
  // A late success must still be found after a deadline has passed.
  {
    name: 'finishes-late',
    description: 'The status stays 0 for 45 minutes of sandbox time after the guest paid: later than any deadline.',
    operations: HOSTED_OPERATIONS,
    cards: ['4000000000011108'],
    amount: '6611',
    decide: onHostedPage({ settles: { afterSeconds: 45 * 60 } }),
  },
  // The client cannot know whether money moved, and must neither retry nor call it failed.
  {
    name: 'answer-lost',
    description: 'The charge happens, then the connection breaks before the answer.',
    operations: OPERATIONS,
    cards: ['4000000000011207'],
    amount: '6612',
    decide: onMoney({ delivery: { kind: 'lost' } }),
  },
  // A 500 proves nothing: the money has moved.
  {
    name: 'error-500-after-charge',
    description: 'The charge happens, then the answer is HTTP 500.',
    operations: OPERATIONS,
    cards: ['4000000000011306'],
    amount: '6613',
    decide: onMoney({ delivery: { kind: 'status', status: 500 } }),
  },
  // A 200 proves nothing either when its body cannot be read.
  {
    name: 'garbage-200',
    description: 'HTTP 200 with a cut-off body after the charge; for a hosted payment the first 2 polls get it.',
    operations: OPERATIONS,
    cards: ['4000000000011405'],
    amount: '6614',
    decide: unreadable({ kind: 'garbage' }),
  },
  // What a load balancer in maintenance answers in the middle of a payment.
  {
    name: 'html-page',
    description: 'HTTP 200 with an HTML page instead of JSON after the charge; for a hosted payment the first 2 polls.',
    operations: OPERATIONS,
    cards: ['4000000000011504'],
    amount: '6615',
    decide: unreadable({ kind: 'html' }),
  },
];
