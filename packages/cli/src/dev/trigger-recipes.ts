/** How each kind of event is made to happen on a local stack: by doing what a hotel and its guest would do. */
import { setTimeout as delay } from 'node:timers/promises';
import { createCheckout } from '@innkeep/core/checkout';
import type { WebhookEventType } from '@innkeep/core/contract';
import type { CreatedCheckoutSession, MerchantClient } from '@innkeep/core/merchant';
import type { MoneyJson } from '@innkeep/core/values';
import { type CliError, failure } from '../failures/cli-error.ts';

/** What a recipe can use. */
export interface Stage {
  readonly merchant: MerchantClient;
  readonly proxyUrl: string;
  readonly sandboxUrl: string;
  readonly amount: MoneyJson;
  readonly reference: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** A key that no call had before. */
  readonly newKey: () => string;
  /** Tells the person what is being done. */
  readonly tell: (text: string) => Promise<void>;
}

/** Makes an event happen. @returns the id of what the event is about */
export type Recipe = (stage: Stage) => Promise<string>;

const CARDS = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  wrongRecord: '4000000000011801',
} as const;

const CONTROL_TIMEOUT_MS = 10_000;
const SETTLE_LIMIT_MS = 60_000;

/** Every event that can be triggered. */
export const RECIPES: Readonly<Partial<Record<WebhookEventType, Recipe>>> = {
  'checkout.succeeded': (stage) => payment(stage, 'approved'),
  'checkout.attempt_failed': (stage) => payment(stage, 'declined'),
  'checkout.unknown': (stage) => payment(stage, 'wrongRecord'),
  'checkout.expired': async (stage) => {
    const { id } = await newPayment(stage);
    await stage.merchant.checkoutSessions.expire(id, { signal: stage.signal });
    await stage.tell('The hotel ended it before anybody paid.');
    return id;
  },
  'checkout.duplicate_payment': async (stage) => {
    await untilSettled(stage, await payment(stage, 'approved'));
    return payment(stage, 'approved');
  },
  'charge.succeeded': async (stage) => charge(stage, await storedCard(stage)),
  'charge.declined': (stage) => chargeThat(stage, { scenario: 'declined' }),
  'charge.unknown': (stage) => chargeThat(stage, { scenario: 'answer-lost' }),
  // Without a working access token nothing is executed. The proxy answers a single 401 with a new login.
  'charge.failed': (stage) => chargeThat(stage, { scenario: 'status-401', times: 2 }),
  'reversal.succeeded': (stage) => reversalThat(stage),
  'reversal.declined': (stage) => reversalThat(stage, { scenario: 'late-reversal' }),
  'reversal.unknown': (stage) => reversalThat(stage, { scenario: 'answer-lost' }),
  'reversal.failed': (stage) => reversalThat(stage, { scenario: 'status-401', times: 2 }),
};

/** Why the others cannot be triggered. */
export const NOT_TRIGGERED: Readonly<Partial<Record<WebhookEventType, string>>> = {
  'webhook_endpoint.disabled': 'comes when your server answers 410, though not from innkeep dev',
  'webhook_endpoint.removed': 'comes when an address is removed from the hotel’s settings',
  'payment.redacted': 'comes when the words of a payment are erased',
};

async function newPayment({ merchant, amount, reference, signal, tell }: Stage) {
  const session = await merchant.checkoutSessions.create({ kind: 'payment', amount, reference }, { signal });
  await tell(`Session ${session.id} for ${reference}.`);
  return session;
}

async function payment(stage: Stage, card: keyof typeof CARDS): Promise<string> {
  const session = await newPayment(stage);
  await payWith(stage, session, card);
  return session.id;
}

/** Types a card into the payment page, as a guest would. */
async function payWith(
  { proxyUrl, fetch, signal, tell }: Stage,
  { clientSecret, terms }: CreatedCheckoutSession,
  card: keyof typeof CARDS,
): Promise<void> {
  const checkout = createCheckout({ endpoint: proxyUrl, clientSecret, fetch });
  const { viewUrl } = await checkout.start({ presentation: 'redirect', terms, signal });
  const form = { action: 'pay', cardNumber: CARDS[card], expiry: '12/39', cvc: '123', cardholder: '' };
  const answer = await fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', signal });
  const location = answer.headers.get('location');
  if (answer.status >= 400) throw failed(`The payment page answered ${answer.status}.`);
  // A declined card leads nowhere by itself: the page shows the decline first.
  if (location !== null) await fetch(new URL(location, viewUrl), { redirect: 'manual', signal });
  await tell(`The guest used the card ${CARDS[card].replace(/(\d{4})(?=\d)/g, '$1 ')}.`);
}

async function storedCard(stage: Stage): Promise<string> {
  const { merchant, reference, signal, tell } = stage;
  const session = await merchant.checkoutSessions.create({ kind: 'card', reference }, { signal });
  await tell(`Session ${session.id} keeps a card for ${reference}.`);
  await payWith(stage, session, 'approved');
  const { result } = await untilSettled(stage, session.id);
  if (result === null || !('token' in result) || result.token == null) throw failed('The card was not kept.');
  return result.token;
}

async function charge({ merchant, amount, reference, newKey, signal, tell }: Stage, token: string): Promise<string> {
  const body = { token, amount, reference, reason: 'no_show', allowDuplicate: true } as const;
  const { id } = await merchant.charges.create(body, { idempotencyKey: newKey(), signal });
  await tell(`Charge ${id} of the stored card.`);
  return id;
}

interface Misbehavior {
  readonly scenario: string;
  readonly times?: number;
}

async function chargeThat(stage: Stage, misbehavior: Misbehavior): Promise<string> {
  const token = await storedCard(stage);
  await choose(stage, { operation: 'pay', ...misbehavior });
  return charge(stage, token);
}

async function reversalThat(stage: Stage, misbehavior?: Misbehavior): Promise<string> {
  const { merchant, newKey, signal, tell } = stage;
  const id = await payment(stage, 'approved');
  await untilSettled(stage, id);
  if (misbehavior !== undefined) await choose(stage, { operation: 'reversal', ...misbehavior });
  const reversal = await merchant.reversals.create({ payment: id }, { idempotencyKey: newKey(), signal });
  await tell(`Reversal ${reversal.id} of the whole payment.`);
  return reversal.id;
}

/** Makes the sandbox misbehave at the next calls of an operation. */
async function choose({ sandboxUrl, fetch, signal }: Stage, choice: Misbehavior & { readonly operation: string }) {
  const answer = await fetch(`${sandboxUrl}/__sandbox/scenario`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(choice),
    signal: AbortSignal.any([signal, AbortSignal.timeout(CONTROL_TIMEOUT_MS)]),
  });
  if (!answer.ok) throw failed(`The sandbox answered ${answer.status} to the scenario ${choice.scenario}.`);
}

async function untilSettled({ merchant, signal }: Stage, id: string) {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const session = await merchant.checkoutSessions.refresh(id, { signal });
    if (session.final) return session;
    if (Date.now() > deadline) throw failed(`Session ${id} is still ${session.status}.`);
    await delay(500, undefined, { signal });
  }
}

function failed(message: string): CliError {
  return failure('trigger_failed', message, 'Look in the proxy’s log: .innkeep/proxy.log');
}
