// Core's guest and merchant clients against the real proxy: what their types promise is what comes.
import { isInnkeepError } from '@innkeep/core';
import { createCheckout } from '@innkeep/core/checkout';
import { CheckoutViewSchema, ProblemSchema, StartedCheckoutSchema } from '@innkeep/core/checkout/contract';
import {
  type CardResult,
  type Charge,
  type CheckoutSession,
  createMerchantClient,
  type MerchantClient,
  type PaymentResult,
  type RecordedResolution,
  type Reversal,
} from '@innkeep/core/merchant';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

// Complete by type: a member that is missing here, or there no more, does not compile.
const SESSION = {
  object: true,
  id: true,
  property: true,
  kind: true,
  status: true,
  final: true,
  seq: true,
  amount: true,
  reference: true,
  description: true,
  surcharge: true,
  returnUrl: true,
  metadata: true,
  livemode: true,
  previous: true,
  createdAt: true,
  startedAt: true,
  completedAt: true,
  expiresAt: true,
  late: true,
  result: true,
  error: true,
  recorded: true,
  reversed: true,
  reversing: true,
} satisfies Record<Exclude<keyof CheckoutSession, 'resolution'>, true>;
const PAYMENT = {
  total: true,
  base: true,
  surcharge: true,
  transactionId: true,
  paymentObjectId: true,
  maskedCard: true,
} satisfies Record<keyof PaymentResult, true>;
const CARD = {
  token: true,
  tokenValidUntil: true,
  tokenObjectId: true,
  transactionId: true,
  maskedCard: true,
} satisfies Record<keyof CardResult, true>;
const CHARGE = {
  object: true,
  id: true,
  property: true,
  livemode: true,
  status: true,
  final: true,
  seq: true,
  amount: true,
  reference: true,
  reason: true,
  transactionId: true,
  maskedCard: true,
  error: true,
  reversed: true,
  reversing: true,
  createdAt: true,
  completedAt: true,
} satisfies Record<Exclude<keyof Charge, 'resolution'>, true>;
const REVERSAL = {
  object: true,
  id: true,
  property: true,
  livemode: true,
  status: true,
  final: true,
  seq: true,
  payment: true,
  amount: true,
  transactionId: true,
  error: true,
  createdAt: true,
  completedAt: true,
} satisfies Record<Exclude<keyof Reversal, 'resolution'>, true>;
const RESOLUTION = {
  status: true,
  evidence: true,
  transactionId: true,
  by: true,
  at: true,
} satisfies Record<keyof RecordedResolution, true>;

function membersOf(value: object | null): string[] {
  return Object.keys(value ?? {}).sort();
}

const amount = { value: 12000, currency: 'EUR' };

let stack: StackProcess;
let merchant: MerchantClient;

beforeAll(async () => {
  stack = await startStackProcess();
  merchant = createMerchantClient({ endpoint: stack.proxyUrl, secretKey: stack.merchantKey });
});

afterAll(async () => {
  await stack?.stop();
});

/** Ends the newest hosted request as its guest would. */
async function complete(outcome: 'paid' | 'tokenized'): Promise<void> {
  const ledger = await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json();
  const { requestID } = (ledger as { hosted: { requestID: string }[] }).hosted.at(-1) ?? { requestID: '' };
  const response = await fetch(`${stack.sandboxUrl}/__sandbox/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestID, outcome }),
  });
  expect(response.status).toBe(200);
}

/** A whole session, from the hotel's server through the guest's page to its end. */
async function finishSession(kind: 'payment' | 'card'): Promise<CheckoutSession> {
  const created = await merchant.checkoutSessions.create({
    kind,
    reference: 'RES-1',
    ...(kind === 'payment' && { amount }),
  });
  expect(membersOf(created)).toEqual([...membersOf(SESSION), 'clientSecret'].sort());
  const checkout = createCheckout({ endpoint: stack.proxyUrl, clientSecret: created.clientSecret ?? '' });
  expect(v.safeParse(CheckoutViewSchema, await checkout.read()).issues).toBeUndefined();
  const started = await checkout.start({ presentation: 'redirect' });
  expect(v.safeParse(StartedCheckoutSchema, started).issues).toBeUndefined();
  expect((await checkout.start({ presentation: 'redirect' })).viewUrl).toBe(started.viewUrl);
  await complete(kind === 'payment' ? 'paid' : 'tokenized');
  for await (const view of checkout.watch()) {
    expect(v.safeParse(CheckoutViewSchema, view).issues).toBeUndefined();
    if (view.final) expect(view.status).toBe('succeeded');
  }
  return merchant.checkoutSessions.retrieve(created.id);
}

describe('core’s clients and the proxy', () => {
  it('agree about a payment', async () => {
    const session = await finishSession('payment');
    expect(membersOf(session)).toEqual(membersOf(SESSION));
    expect(membersOf(session.result)).toEqual(membersOf(PAYMENT));
    const reversal = await merchant.reversals.create({ payment: session.id }, { idempotencyKey: `${session.id}-back` });
    expect(membersOf(reversal)).toEqual(membersOf(REVERSAL));
    expect(reversal).toMatchObject({ status: 'succeeded', amount, payment: session.id });
    expect(await merchant.reversals.retrieve(reversal.id)).toEqual(reversal);
  });

  it('agree about a stored card and its charge', async () => {
    const session = await finishSession('card');
    expect(membersOf(session.result)).toEqual(membersOf(CARD));
    const { token = '' } = session.result as CardResult;
    const body = { token, amount, reference: 'RES-2', reason: 'no_show' } as const;
    const charge = await merchant.charges.create(body, { idempotencyKey: 'RES-2-no-show' });
    expect(membersOf(charge)).toEqual(membersOf(CHARGE));
    expect(charge.status).toBe('succeeded');
    expect((await merchant.charges.create(body, { idempotencyKey: 'RES-2-no-show' })).id).toBe(charge.id);
    await expect(
      merchant.charges.create({ ...body, reference: 'RES-3' }, { idempotencyKey: 'RES-2-no-show' }),
    ).rejects.toMatchObject({ code: 'idempotency_mismatch', status: 422 });
  });

  it('agree about lists and the feed', async () => {
    await expect
      .poll(async () => (await merchant.charges.list({ reference: 'RES-2' })).data.map(membersOf), { timeout: 20_000 })
      .toEqual([membersOf(CHARGE)]);
    const { data, nextCursor } = await merchant.checkoutSessions.list({ limit: 1 });
    expect(data).toHaveLength(1);
    expect(nextCursor).toEqual(expect.any(String));
    const events = await merchant.events.list({ after: 0 });
    expect(events.data.map(({ seq }) => seq)).toEqual(events.data.map((_, index) => index + 1));
    expect(events.nextAfter).toBe(events.data.length);
  });

  it('agree about the export', async () => {
    const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const csv = await merchant.exports.csv({ from: dayFromNow(-1), to: dayFromNow(2) });
    const [header = '', ...rows] = csv.trimEnd().split('\r\n');
    expect(header).toMatch(/^"type","id","status"/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(['"checkout_session"', '"charge"', '"reversal"']);
    await expect(merchant.exports.csv({ from: '2026-03-01', to: '2026-02-01' })).rejects.toMatchObject({ param: 'to' });
  });

  it('agree about an outcome that a person resolved', async () => {
    const { result } = await finishSession('card');
    const { token = '' } = result as CardResult;
    // The sandbox charges this amount and loses the answer.
    const lost = { token, amount: { value: 6612, currency: 'EUR' }, reference: 'RES-4', reason: 'other' } as const;
    const charge = await merchant.charges.create(lost, { idempotencyKey: 'RES-4-other' });
    expect(charge).toMatchObject({ status: 'unknown', final: false });
    const resolved = await merchant.charges.resolve(charge.id, { status: 'failed', evidence: 'Not in the portal' });
    expect(membersOf(resolved)).toEqual([...membersOf(CHARGE), 'resolution'].sort());
    expect(membersOf(resolved.resolution ?? null)).toEqual(membersOf(RESOLUTION));
    expect(resolved.resolution).toMatchObject({ status: 'failed', evidence: 'Not in the portal', transactionId: null });
  });

  it('agree about refusals', async () => {
    const unknown = await merchant.charges.retrieve(`ch_${'0'.repeat(26)}`).catch((error: unknown) => error);
    expect(unknown).toMatchObject({ name: 'MerchantError', code: 'not_found', status: 404 });
    const bad = await merchant.checkoutSessions
      .create({ kind: 'payment', reference: 'R', amount: { value: -1, currency: 'EUR' } })
      .catch((error: unknown) => error);
    expect(isInnkeepError(bad, 'invalid_request')).toBe(true);
    expect(bad).toMatchObject({ param: 'amount.value', traceId: expect.any(String) });
    const guest = createCheckout({ endpoint: stack.proxyUrl, clientSecret: 'cs_nothing_here' });
    await expect(guest.read()).rejects.toMatchObject({ name: 'CheckoutError', code: 'unauthorized', status: 401 });
    const problem = await (await fetch(`${stack.proxyUrl}/v1/charges`)).json();
    expect(v.safeParse(ProblemSchema, problem).issues).toBeUndefined();
  });
});
