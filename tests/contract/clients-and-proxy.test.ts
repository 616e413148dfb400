// Core's guest and merchant clients against the real proxy: what their types promise is what comes.
import { isInnkeepError } from '@innkeep/core';
import { createCheckout } from '@innkeep/core/checkout';
import {
  ChargeListSchema,
  ChargeSchema,
  CheckoutSessionSchema,
  CheckoutViewSchema,
  CreatedCheckoutSessionSchema,
  EventListSchema,
  ProblemSchema,
  ReversalSchema,
  StartedCheckoutSchema,
} from '@innkeep/core/contract';
import {
  type CardResult,
  type CheckoutSession,
  createMerchantClient,
  type MerchantClient,
} from '@innkeep/core/merchant';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MoneyStack, startMoneyStack } from '../support/money-stack.ts';

/** What a schema reads of an answer: less than the answer when it has a field that the contract does not know. */
function read<Schema extends v.GenericSchema>(schema: Schema, answer: unknown): v.InferOutput<Schema> {
  return v.parse(schema, answer);
}

const amount = { value: 12000, currency: 'EUR' };

let stack: MoneyStack;
let merchant: MerchantClient;

beforeAll(async () => {
  stack = await startMoneyStack();
  merchant = createMerchantClient({ endpoint: stack.proxyUrl, secretKey: stack.merchantKey });
});

afterAll(async () => {
  await stack?.close();
});

/** Ends the newest hosted request as its guest would. */
async function complete(outcome: 'paid' | 'tokenized'): Promise<void> {
  const { control } = stack.sandbox;
  await control.complete({ requestID: control.ledger().hosted.at(-1)?.requestID ?? '', outcome });
}

/** A whole session, from the hotel's server through the guest's page to its end. */
async function finishSession(kind: 'payment' | 'card'): Promise<CheckoutSession> {
  const created = await merchant.checkoutSessions.create({
    reference: 'RES-1',
    ...(kind === 'payment' ? { kind, amount } : { kind }),
  });
  expect(read(CreatedCheckoutSessionSchema, created)).toEqual(created);
  expect(created.clientSecret).toMatch(/^cs_/);
  const checkout = createCheckout({ endpoint: stack.proxyUrl, clientSecret: created.clientSecret ?? '' });
  expect(v.safeParse(CheckoutViewSchema, await checkout.read()).issues).toBeUndefined();
  const started = await checkout.start({ presentation: 'redirect', terms: 1 });
  expect(v.safeParse(StartedCheckoutSchema, started).issues).toBeUndefined();
  expect((await checkout.start({ presentation: 'redirect', terms: 1 })).viewUrl).toBe(started.viewUrl);
  await complete(kind === 'payment' ? 'paid' : 'tokenized');
  for await (const view of checkout.watch()) {
    expect(v.safeParse(CheckoutViewSchema, view).issues).toBeUndefined();
    if (view.final) expect(view.status).toBe('succeeded');
  }
  return merchant.checkoutSessions.retrieve(created.id);
}

function tokenOf({ result }: CheckoutSession): string {
  const { token } = result as CardResult;
  expect(token).toEqual(expect.any(String));
  return token ?? '';
}

describe('core’s clients and the proxy', () => {
  it('agree about a payment', async () => {
    const session = await finishSession('payment');
    expect(read(CheckoutSessionSchema, session)).toEqual(session);
    expect(session).toMatchObject({ late: false, result: { total: amount, base: amount }, attempts: [{}] });
    const reversal = await merchant.reversals.create({ payment: session.id }, { idempotencyKey: `${session.id}-back` });
    expect(read(ReversalSchema, reversal)).toEqual(reversal);
    expect(reversal).toMatchObject({ status: 'succeeded', amount, payment: session.id, attempt: 1 });
    expect(await merchant.reversals.retrieve(reversal.id)).toEqual(reversal);
  });

  it('agree about a stored card and its charge', async () => {
    const session = await finishSession('card');
    expect(read(CheckoutSessionSchema, session)).toEqual(session);
    const token = tokenOf(session);
    const body = { token, amount, reference: 'RES-2', reason: 'no_show' } as const;
    const charge = await merchant.charges.create(body, { idempotencyKey: 'RES-2-no-show' });
    expect(read(ChargeSchema, charge)).toEqual(charge);
    expect(charge.status).toBe('succeeded');
    expect((await merchant.charges.create(body, { idempotencyKey: 'RES-2-no-show' })).id).toBe(charge.id);
    await expect(
      merchant.charges.create({ ...body, reference: 'RES-3' }, { idempotencyKey: 'RES-2-no-show' }),
    ).rejects.toMatchObject({ code: 'idempotency_mismatch', status: 422 });
  });

  it('agree about lists and the feed', async () => {
    await expect.poll(async () => (await merchant.charges.list({ reference: 'RES-2' })).data).toHaveLength(1);
    const charges = await merchant.charges.list({ reference: 'RES-2' });
    expect(read(ChargeListSchema, charges)).toEqual(charges);
    const { data, nextCursor } = await merchant.checkoutSessions.list({ limit: 1 });
    expect(data).toHaveLength(1);
    expect(nextCursor).toEqual(expect.any(String));
    const events = await merchant.events.list({ after: 0 });
    expect(read(EventListSchema, events)).toEqual(events);
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
    const token = tokenOf(await finishSession('card'));
    // The sandbox charges this amount and loses the answer.
    const lost = { token, amount: { value: 6612, currency: 'EUR' }, reference: 'RES-4', reason: 'other' } as const;
    const charge = await merchant.charges.create(lost, { idempotencyKey: 'RES-4-other' });
    expect(charge).toMatchObject({ status: 'unknown', final: false });
    const resolved = await merchant.charges.resolve(charge.id, { status: 'failed', evidence: 'Not in the portal' });
    expect(read(ChargeSchema, resolved)).toEqual(resolved);
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

  it('agree about the one session of a booking, which asks what its page shows', async () => {
    const ensure = (value: number) =>
      merchant.checkoutSessions.ensure('RES-5', {
        kind: 'payment',
        amount: { value, currency: 'EUR' },
        reference: 'R',
      });
    const first = await ensure(100);
    expect(read(CreatedCheckoutSessionSchema, first)).toEqual(first);
    const page = createCheckout({ endpoint: stack.proxyUrl, clientSecret: first.clientSecret });
    expect(await page.read()).toMatchObject({ terms: 1, amount: { value: 100 } });
    const { id, clientSecret, ...changed } = await ensure(120);
    expect([id, clientSecret]).toEqual([first.id, first.clientSecret]);
    expect(await merchant.checkoutSessions.retrieveByKey('RES-5')).toEqual({ id, ...changed });
    const start = (terms: number) => page.start({ presentation: 'redirect', terms });
    await expect(start(1)).rejects.toMatchObject({ code: 'terms_changed' });
    await start(2);
    expect(await ensure(140)).toMatchObject({ id, status: 'pending', outdated: true, amount: { value: 120 } });
  });
});
