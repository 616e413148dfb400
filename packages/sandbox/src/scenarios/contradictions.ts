/** Answers that can be read, and contradict what was asked for or said before. */
import { OPERATIONS } from '../domain/plan.ts';
import { HOSTED_OPERATIONS, isHostedStep, onHostedPage, onSteps, type Scenario } from './scenario.ts';

export const CONTRADICTIONS: readonly Scenario[] = [
  // Anybody can visit a return address, as often as they like.
  {
    name: 'duplicate-return',
    description: 'The success address is visited twice: by the sandbox itself and by the guest.',
    operations: HOSTED_OPERATIONS,
    cards: ['4000000000011603'],
    amount: '6616',
    decide: onHostedPage({ returnsTwice: true }),
  },
  // Status and record are two systems: the second may lag behind the first.
  {
    name: 'record-late',
    description: 'Status 1 comes first; the transaction record is complete only on the 4th reading.',
    operations: HOSTED_OPERATIONS,
    cards: ['4000000000011702'],
    amount: '6617',
    decide: onHostedPage({ record: 'late' }),
  },
  // An amount other than the requested one is neither a success nor a failure.
  {
    name: 'record-wrong-amount',
    description: 'The transaction record, or the answer of pay, shows one unit more than was asked for.',
    operations: ['pay', 'initpayNoIframe'],
    cards: ['4000000000011801'],
    amount: '6618',
    decide: onSteps(['pay', 'hostedPayment'], { record: 'wrong-amount' }),
  },
  // A mix-up of minor and major units, caught before it multiplies every charge by a hundred.
  {
    name: 'record-power-of-ten',
    description:
      'The transaction record, or the answer of pay, shows the amount in the other unit: a power of ten too large.',
    operations: ['pay', 'initpayNoIframe'],
    cards: ['4000000000011900'],
    amount: '6619',
    decide: onSteps(['pay', 'hostedPayment'], { record: 'power-of-ten' }),
  },
  // The right number in the wrong currency is the wrong amount.
  {
    name: 'record-wrong-currency',
    description: 'The transaction record shows another currency.',
    operations: ['initpayNoIframe'],
    cards: ['4000000000012007'],
    amount: '6620',
    decide: onSteps(['hostedPayment'], { record: 'wrong-currency' }),
  },
  // A record of somebody else’s payment must never settle this one.
  {
    name: 'record-wrong-request',
    description: 'The transaction record names another request.',
    operations: HOSTED_OPERATIONS,
    cards: ['4000000000012106'],
    amount: '6621',
    decide: onHostedPage({ record: 'wrong-request' }),
  },
  // A final status that changes its mind must not undo what was settled.
  {
    name: 'status-flips',
    description: 'The first final status says done, every later one says error; the money stays charged.',
    operations: HOSTED_OPERATIONS,
    cards: ['4000000000012205'],
    amount: '6622',
    decide: onHostedPage({ flipsAfterFinal: true }),
  },
  // A token can stop being valid at any moment; one new login is the cure, not a failed payment.
  {
    name: 'bearer-expires',
    description: 'The bearer token stops being valid while the result is polled; a new login helps.',
    operations: OPERATIONS.filter((operation) => operation !== 'login' && operation !== 'gateway'),
    cards: ['4000000000012304'],
    amount: '6623',
    decide: ({ step, chosenBy }) => {
      if (isHostedStep(step)) return { expiresBearerOnPoll: true };
      return chosenBy === 'control' ? { expiresBearer: true } : {};
    },
  },
  // The service does not guard against reversing twice, so the client must.
  {
    name: 'double-reversal',
    description: 'A reversal is carried out even when nothing is left: reversing twice pays the guest twice.',
    operations: ['reversal'],
    cards: ['4000000000012403'],
    amount: '6624',
    decide: onSteps(['reversal'], { allowsOverReversal: true }),
  },
  // A reversal can come too late; the payment then stands.
  {
    name: 'late-reversal',
    description: 'The payment succeeds, but any reversal comes too late and is declined.',
    operations: ['reversal'],
    cards: ['4000000000012502'],
    amount: '6625',
    decide: onSteps(['reversal'], { decline: 'not_reversible' }),
  },
  // The specification shows both forms, so a client must read both.
  {
    name: 'numeric-return-code',
    description: 'returnCode is a JSON number instead of a string.',
    operations: ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe', 'transaction'],
    cards: ['4000000000012601'],
    amount: '6626',
    decide: () => ({ hasNumericReturnCode: true }),
  },
];
