// The runtime is killed at many points of the journey and started again on the same storage: nothing is lost, nothing is
// done twice that must not be.
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENT } from '../../scripts/test-limits.ts';
import { type Json, type MoneyStack, startMoneyStack } from '../support/money-stack.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

const SESSIONS = '/v1/checkout-sessions';

/** Milliseconds after which it is killed: kill.outer.test.ts tries them all. */
const after = (...all: readonly number[]): readonly number[] =>
  process.env.KILL_POINTS === 'all' ? all : all.filter((_, nth) => nth % 3 === 1);

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly seq: number;
  readonly data: { readonly object: Json };
}

let proxy: MoneyStack;
let receiver: HttpServer;
const received: ReceivedEvent[] = [];
/** Called when a webhook arrives, before it is answered. */
let onWebhook = async (_event: ReceivedEvent): Promise<void> => {};
const sessions: string[] = [];

beforeAll(async () => {
  receiver = await serveHttp(async (request, answer) => {
    const event = (await json(request)) as ReceivedEvent;
    received.push(event);
    await onWebhook(event);
    answer.writeHead(204).end();
  });
  const secret = `whsec_${Buffer.from('a-webhook-secret-of-tests').toString('base64')}`;
  proxy = await startMoneyStack({ property: { webhooks: [{ url: `${receiver.url}/hooks`, secret }] } });
});
afterAll(async () => {
  await proxy?.close();
  receiver?.close();
});

interface Session {
  readonly id: string;
  readonly clientSecret: string;
}

async function create(): Promise<Session> {
  // A booking for each: two payments of one would be an event of their own.
  const reference = `RES-KILL-${sessions.length}`;
  const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference };
  const session = await made(body);
  sessions.push(session.id);
  return session;
}

/** The session of a request, and of its key. */
async function made(body: Json, key?: string): Promise<Session> {
  // What a session's creation answers.
  return (await proxy.call(SESSIONS, { body, key })).body as unknown as Session;
}

async function retrieve(id: string): Promise<Json> {
  return (await proxy.call(`${SESSIONS}/${id}`)).body;
}

/** Has the payment service asked at once, where whoever reads waits for the next poll. */
async function refresh(id: string): Promise<Json> {
  return (await proxy.call(`${SESSIONS}/${id}/refresh`, { body: {} })).body;
}

const start = ({ clientSecret }: Session) =>
  proxy.call('/v1/checkout/start', { body: { presentation: 'tab', terms: 1 }, bearer: clientSecret });

/** The pages that were opened for a session. */
const pagesOf = (id: string) =>
  proxy.sandbox.control.ledger().hosted.filter(({ cardInfoRefID }) => cardInfoRefID.startsWith(`${id}-`));

/** The guest pays on the first of them. */
async function pay(id: string): Promise<void> {
  await proxy.sandbox.control.complete({ requestID: pagesOf(id)[0]?.requestID ?? '', outcome: 'paid' });
}

/** Starts if that is still to be done, pays on the page the guest was given, and waits for the verified end. */
async function finish(session: Session): Promise<void> {
  const { id } = session;
  if (['open', 'pending'].includes(String((await retrieve(id)).status))) {
    const started = await start(session);
    if (started.status === 200) {
      const page = pagesOf(id).find(({ viewUrl }) => viewUrl === started.body.viewUrl);
      expect(page).toBeDefined();
      await proxy.sandbox.control.complete({ requestID: page?.requestID ?? '', outcome: 'paid' });
    } else {
      expect(started.status).toBe(409);
    }
  }
  await expect.poll(() => refresh(id), { interval: 100 }).toMatchObject({ status: 'succeeded', final: true });
}

test('after a session was created', async () => {
  const session = await create();
  await proxy.killAndRestart();
  await finish(session);
});

test.each(after(0, 2, 5))('%i ms into a creation: the key finds one session', async (ms) => {
  const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-KEY' };
  const attempt = made(body, `kill-${ms}`);
  await delay(ms);
  await proxy.killAndRestart();
  await attempt;
  const again = await made(body, `kill-${ms}`);
  expect(again.id).toMatch(/^cs_/);
  expect((await made(body, `kill-${ms}`)).id).toBe(again.id);
});

test.each(after(0, 3, 6, 10, 20))('%i ms into a start: at most one page is ever handed out', async (ms) => {
  const session = await create();
  const attempt = start(session);
  await delay(ms);
  await proxy.killAndRestart();
  const { viewUrl: first } = (await attempt).body;
  const { status } = await retrieve(session.id);
  expect(['open', 'pending']).toContain(status);
  const { viewUrl } = (await start(session)).body;
  if (first !== undefined) expect(viewUrl).toBe(first);
  await finish(session);
});

test('while a payment is pending', async () => {
  const session = await create();
  await start(session);
  await proxy.killAndRestart();
  expect(await retrieve(session.id)).toMatchObject({ status: 'pending', seq: 2 });
  await finish(session);
});

test('while a guest pays: no caller waits, and the result is found all the same', async () => {
  const session = await create();
  await start(session);
  await proxy.kill();
  await pay(session.id);
  await proxy.restart();
  // Whoever reads the session has it polled.
  await expect.poll(() => retrieve(session.id)).toMatchObject({ status: 'succeeded' });
  await expect.poll(() => received.map(({ data }) => data.object.id)).toContain(session.id);
});

test.each(after(0, 4, 12))('%i ms into the guest’s return', async (ms) => {
  const session = await create();
  await start(session);
  await pay(session.id);
  const asking = refresh(session.id);
  await delay(ms);
  await proxy.killAndRestart();
  await asking;
  await finish(session);
});

test('while a webhook is being delivered: it comes again, with the same id', async () => {
  await proxy.kill();
  await proxy.restart({ offsetMs: 0 });
  const session = await create();
  const arrived = new Promise<string>((resolve) => {
    onWebhook = async (event) => {
      if (event.data.object.id !== session.id) return;
      onWebhook = async () => {};
      resolve(event.id);
      // Long enough for the sender to be killed before it hears that this was accepted.
      await delay(1_000);
    };
  });
  await start(session);
  await pay(session.id);
  await refresh(session.id);
  const id = await arrived;
  await proxy.kill();
  // A minute later nobody takes the delivery for one that is under way.
  await proxy.restart({ offsetMs: 60_000 });
  await expect.poll(() => received.filter((event) => event.id === id).length).toBeGreaterThan(1);
  expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded', seq: 3 });
});

test('after all of that: every session has one event, in a feed without gaps, and every event was delivered', async () => {
  const read = async () => (await proxy.call('/v1/events?limit=100')).body.data as ReceivedEvent[];
  // What a session could not tell before the kill, it tells again within half a minute.
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(sessions.length);
  const data = await read();
  expect(data.map(({ seq }) => seq)).toEqual(data.map((_, i) => i + 1));
  expect(data.map((event) => String(event.data.object.id)).sort()).toEqual([...sessions].sort());
  expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['checkout.succeeded']));
  await vi.waitFor(() => {
    const delivered = new Set(received.map(({ id }) => id));
    expect(data.filter(({ id }) => !delivered.has(id))).toEqual([]);
  }, PATIENT);
});

test('no guest has paid more than once', async () => {
  const ledger = proxy.sandbox.control.ledger();
  const paid = ledger.charges.map(({ requestID }) => {
    const { cardInfoRefID = '' } = ledger.hosted.find((hosted) => hosted.requestID === requestID) ?? {};
    return cardInfoRefID.split('-')[0];
  });
  expect(paid.sort()).toEqual([...sessions].sort());
});
