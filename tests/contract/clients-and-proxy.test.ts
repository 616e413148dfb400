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
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

/** What a schema reads of an answer: less than the answer when it has a field that the contract does not know. */
function read<Schema extends v.GenericSchema>(schema: Schema, answer: unknown): v.InferOutput<Schema> {
  return v.parse(schema, answer);
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
async function complete(outcome: 'paid' | 'tokenized' | 'error'): Promise<void> {
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
    reference: 'RES-1',
    ...(kind === 'payment' ? { kind, amount } : { kind }),
  });
  expect(read(CreatedCheckoutSessionSchema, created)).toEqual(created);
  expect(created.clientSecret).toMatch(/^cs_/);
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

function tokenOf({ result }: CheckoutSession): string {
  const { token } = result as CardResult;
  expect(token).toEqual(expect.any(String));
  return token ?? '';
}

describe('core’s clients and the proxy', () => {
  it('agree about a payment', async () => {
    const session = await finishSession('payment');
    expect(read(CheckoutSessionSchema, session)).toEqual(session);
    expect(session).toMatchObject({ late: false, result: { total: amount, base: amount }, recorded: null });
    const reversal = await merchant.reversals.create({ payment: session.id }, { idempotencyKey: `${session.id}-back` });
    expect(read(ReversalSchema, reversal)).toEqual(reversal);
    expect(reversal).toMatchObject({ status: 'succeeded', amount, payment: session.id });
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
});

describe('the one session of a booking', () => {
  const bookingOf = (key: string, value: number) =>
    ({ key, kind: 'payment', amount: { value, currency: 'EUR' }, reference: key }) as const;
  const start = (clientSecret: string) =>
    createCheckout({ endpoint: stack.proxyUrl, clientSecret }).start({ presentation: 'redirect' });
  /** Presses the button of a payment link's page. */
  async function startFrom(url: string): Promise<number> {
    const headers = { origin: stack.proxyUrl, 'sec-fetch-site': 'same-origin' };
    return (await fetch(url, { method: 'POST', redirect: 'manual', headers })).status;
  }
  async function decline(id: string): Promise<void> {
    await complete('error');
    const status = async () => (await merchant.checkoutSessions.refresh(id)).status;
    await expect.poll(status).toBe('failed');
  }
  /** Every try that was made with a key. */
  async function triesOf(key: string): Promise<CheckoutSession[]> {
    const tries: CheckoutSession[] = [];
    for (;;) {
      const [found] = (await merchant.checkoutSessions.list({ idempotencyKey: `${key}-${tries.length + 1}` })).data;
      if (found === undefined) return tries;
      tries.push(found);
    }
  }

  it('is the same for five servers at the same moment, and each has a client secret that works', async () => {
    const booking = bookingOf('ENSURE-1', 33000);
    const ensured = await Promise.all(Array.from({ length: 5 }, () => merchant.ensureCheckoutSession(booking)));
    expect(new Set(ensured.map(({ session }) => session.id)).size).toBe(1);
    for (const { outcome, isOutdated, clientSecret } of ensured) {
      expect([outcome, isOutdated]).toEqual(['open', false]);
      const view = await createCheckout({ endpoint: stack.proxyUrl, clientSecret }).read();
      expect(view.amount).toEqual(booking.amount);
    }
  });

  it('is one at a time while servers disagree about the price and guests begin to pay', async () => {
    const key = 'ENSURE-2';
    const begin = async (value: number): Promise<void> => {
      const { outcome, clientSecret } = await merchant.ensureCheckoutSession(bookingOf(key, value));
      // Refused where the session was ended meanwhile.
      if (outcome === 'open') await start(clientSecret).catch(() => undefined);
    };
    await Promise.all([100, 120, 100, 140, 120, 160].map(begin));
    const tries = await triesOf(key);
    expect(tries.filter(({ status }) => status === 'pending')).toHaveLength(1);
    expect(tries.filter(({ status }) => status !== 'pending' && status !== 'expired')).toEqual([]);
  });

  it('is replaced when the price changes, but not while it is being paid or once it is paid', async () => {
    const first = await merchant.ensureCheckoutSession(bookingOf('ENSURE-3', 100));
    const link = await merchant.checkoutSessions.createLink(first.session.id);
    const dearer = await merchant.ensureCheckoutSession(bookingOf('ENSURE-3', 120));
    expect(dearer).toMatchObject({ outcome: 'open', isOutdated: false, session: { amount: { value: 120 } } });
    expect((await merchant.checkoutSessions.retrieve(first.session.id)).status).toBe('expired');
    expect(await startFrom(link.url)).toBe(409);

    await start(dearer.clientSecret);
    const kept = { isOutdated: true, session: { id: dearer.session.id } };
    expect(await merchant.ensureCheckoutSession(bookingOf('ENSURE-3', 140))).toMatchObject({
      ...kept,
      outcome: 'under_way',
    });
    await complete('paid');
    await merchant.checkoutSessions.refresh(dearer.session.id);
    expect(await merchant.ensureCheckoutSession(bookingOf('ENSURE-3', 140))).toMatchObject({
      ...kept,
      outcome: 'succeeded',
    });
    expect(await triesOf('ENSURE-3')).toHaveLength(2);
  });

  it('shares its fate with the payment link of an earlier try', async () => {
    const booking = bookingOf('ENSURE-4', 100);
    const first = await merchant.ensureCheckoutSession(booking);
    const link = await merchant.checkoutSessions.createLink(first.session.id);
    await start(first.clientSecret);
    await decline(first.session.id);
    expect(await startFrom(link.url)).toBe(303);
    const underWay = await merchant.ensureCheckoutSession(booking);
    expect(underWay).toMatchObject({
      outcome: 'under_way',
      session: { previous: first.session.id, status: 'pending' },
    });
    await decline(underWay.session.id);
    const second = await merchant.ensureCheckoutSession(booking);
    expect(second).toMatchObject({ outcome: 'open', session: { previous: null } });
    expect(await startFrom(link.url)).toBe(409);
  });
});
