// The runtime is killed at many points of the journey and started again on the same storage: nothing is lost, nothing is
// done twice that must not be.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENT } from '../../scripts/test-limits.ts';
import { type Json, type ProxyUnderTest, startProxyUnderTest } from './support/proxy-under-test.ts';

const SESSIONS = '/v1/checkout-sessions';
const START = { presentation: 'tab', terms: 1 };

/** Milliseconds after which it is killed: kill.outer.test.ts tries them all. */
const after = (...all: readonly number[]): readonly number[] =>
  process.env.KILL_POINTS === 'all' ? all : all.filter((_, nth) => nth % 3 === 1);

let proxy: ProxyUnderTest;
const sessions: string[] = [];

beforeAll(async () => {
  proxy = await startProxyUnderTest();
});
afterAll(() => proxy?.close());

interface Session {
  readonly id: string;
  readonly clientSecret: string;
}

async function create(): Promise<Session> {
  // A booking for each: two payments of one would be an event of their own.
  const reference = `RES-KILL-${sessions.length}`;
  const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference };
  const session = (await (await proxy.merchant(SESSIONS, { body })).json()) as Session;
  sessions.push(session.id);
  return session;
}

async function retrieve(id: string): Promise<Json> {
  return (await (await proxy.merchant(`${SESSIONS}/${id}`)).json()) as Json;
}

/** Has the payment service asked at once, where whoever reads waits for the next poll. */
async function refresh(id: string): Promise<Json> {
  return (await (await proxy.merchant(`${SESSIONS}/${id}/refresh`, { body: {} })).json()) as Json;
}

interface Hosted {
  readonly requestID: string;
  readonly cardInfoRefID: string;
  readonly viewUrl: string;
}

async function hostedRequests(id: string): Promise<Hosted[]> {
  const { hosted } = (await proxy.sandbox('ledger')) as { hosted: Hosted[] };
  return hosted.filter(({ cardInfoRefID }) => cardInfoRefID.startsWith(`${id}-`));
}

/** Starts if that is still to be done, pays on the page the guest was given, and waits for the verified end. */
async function finish({ id, clientSecret }: Session): Promise<void> {
  if (['open', 'pending'].includes(String((await retrieve(id)).status))) {
    const started = await proxy.guest('/v1/checkout/start', clientSecret, START);
    if (started.status === 200) {
      const { viewUrl } = (await started.json()) as { viewUrl: string };
      const page = (await hostedRequests(id)).find((hosted) => hosted.viewUrl === viewUrl);
      expect(page).toBeDefined();
      await proxy.sandbox('complete', { requestID: page?.requestID, outcome: 'paid' });
    } else {
      expect(started.status).toBe(409);
    }
  }
  await expect.poll(() => refresh(id), { interval: 100 }).toMatchObject({ status: 'succeeded', final: true });
}

async function killAndRestart(): Promise<void> {
  await proxy.kill();
  await proxy.restart();
}

test('after a session was created', async () => {
  const session = await create();
  await killAndRestart();
  await finish(session);
});

test.each(after(0, 2, 5))('%i ms into a creation: the key finds one session', async (ms) => {
  const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-KEY' };
  const attempt = proxy.merchant(SESSIONS, { body, key: `kill-${ms}` }).catch(() => undefined);
  await delay(ms);
  await killAndRestart();
  await attempt;
  const again = (await (await proxy.merchant(SESSIONS, { body, key: `kill-${ms}` })).json()) as Session;
  const third = (await (await proxy.merchant(SESSIONS, { body, key: `kill-${ms}` })).json()) as Session;
  expect(third.id).toBe(again.id);
});

test.each(after(0, 3, 6, 10, 20))('%i ms into a start: at most one page is ever handed out', async (ms) => {
  const session = await create();
  const attempt = proxy.guest('/v1/checkout/start', session.clientSecret, START).then(
    async (answer) => ((await answer.json()) as { viewUrl?: string }).viewUrl,
    () => undefined,
  );
  await delay(ms);
  await killAndRestart();
  const first = await attempt;
  const { status } = await retrieve(session.id);
  expect(['open', 'pending']).toContain(status);
  const again = await proxy.guest('/v1/checkout/start', session.clientSecret, START);
  const { viewUrl } = (await again.json()) as { viewUrl: string };
  if (first !== undefined) expect(viewUrl).toBe(first);
  await finish(session);
});

test('while a payment is pending', async () => {
  const session = await create();
  await proxy.guest('/v1/checkout/start', session.clientSecret, START);
  await killAndRestart();
  expect(await retrieve(session.id)).toMatchObject({ status: 'pending', seq: 2 });
  await finish(session);
});

test('while a guest pays: no caller waits, and the result is found all the same', async () => {
  const session = await create();
  await proxy.guest('/v1/checkout/start', session.clientSecret, START);
  await proxy.kill();
  const [page] = await hostedRequests(session.id);
  await proxy.sandbox('complete', { requestID: page?.requestID, outcome: 'paid' });
  await proxy.restart();
  // Whoever reads the session has it polled.
  await expect.poll(() => retrieve(session.id)).toMatchObject({ status: 'succeeded' });
  await expect.poll(() => proxy.received.map(({ data }) => data.object.id)).toContain(session.id);
});

test.each(after(0, 4, 12))('%i ms into the guest’s return', async (ms) => {
  const session = await create();
  await proxy.guest('/v1/checkout/start', session.clientSecret, START);
  const [page] = await hostedRequests(session.id);
  await proxy.sandbox('complete', { requestID: page?.requestID, outcome: 'paid' });
  const asking = refresh(session.id).catch(() => undefined);
  await delay(ms);
  await killAndRestart();
  await asking;
  await finish(session);
});

test('while a webhook is being delivered: it comes again, with the same id', async () => {
  await proxy.kill();
  await proxy.restart({ offsetMs: 0 });
  const session = await create();
  const arrived = new Promise<string>((resolve) => {
    proxy.onWebhook = async (event) => {
      if (event.data.object.id !== session.id) return;
      proxy.onWebhook = () => {};
      resolve(event.id);
      // Long enough for the sender to be killed before it hears that this was accepted.
      await delay(1_000);
    };
  });
  await proxy.guest('/v1/checkout/start', session.clientSecret, START);
  const [page] = await hostedRequests(session.id);
  await proxy.sandbox('complete', { requestID: page?.requestID, outcome: 'paid' });
  await refresh(session.id);
  const id = await arrived;
  await proxy.kill();
  // A minute later nobody takes the delivery for one that is under way.
  await proxy.restart({ offsetMs: 60_000 });
  await expect.poll(() => proxy.received.filter((event) => event.id === id).length).toBeGreaterThan(1);
  expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded', seq: 3 });
});

test('after all of that: every session has one event, in a feed without gaps, and every event was delivered', async () => {
  const { data } = (await (await proxy.merchant('/v1/events?limit=100')).json()) as {
    data: { id: string; type: string; seq: number; data: { object: Json } }[];
  };
  expect(data.map(({ seq }) => seq)).toEqual(data.map((_, i) => i + 1));
  expect(data.map((event) => String(event.data.object.id)).sort()).toEqual([...sessions].sort());
  expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['checkout.succeeded']));
  await vi.waitFor(() => {
    const delivered = new Set(proxy.received.map(({ id }) => id));
    expect(data.filter(({ id }) => !delivered.has(id))).toEqual([]);
  }, PATIENT);
});

test('no guest has paid more than once', async () => {
  const ledger = (await proxy.sandbox('ledger')) as { charges: { requestID: string }[]; hosted: Hosted[] };
  const paid = ledger.charges.map(({ requestID }) => {
    const { cardInfoRefID = '' } = ledger.hosted.find((hosted) => hosted.requestID === requestID) ?? {};
    return cardInfoRefID.split('-')[0];
  });
  expect(paid.sort()).toEqual([...sessions].sort());
});
