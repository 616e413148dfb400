import { randomBytes } from 'node:crypto';
import { afterEach, expect, onTestFailed, test } from 'vitest';
import { FAULTS, type Fault } from '../support/faulty-upstream.ts';
import { type Answer, inParallel, type Json, type MoneyStack, startMoneyStack, until } from '../support/money-stack.ts';
import type { Seeded } from '../support/seeded.ts';
import { seeded } from '../support/seeded.ts';

// STORM_SEED replays a run, STORM_RUNS makes it longer: storm.outer.test.ts does.
const SEED = process.env.STORM_SEED ?? randomBytes(4).toString('hex');
const RUNS = Number(process.env.STORM_RUNS ?? 80);
const KILLS = 2;
/** Longer than the proxy itself waits for an outcome (`WATCHDOG_MS`): whatever has none by then hangs. */
const HANGS_AFTER_MS = 180_000;

const ALL_FAULTS = Object.keys(FAULTS) as [Fault, ...Fault[]];
const BEHAVIOURS = ['once', 'twins', 'crowd', 'hangs_up', 'other_body', 'other_key'] as const;

let stack: MoneyStack | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

function tellSeed(): Seeded {
  onTestFailed(() => console.error(`Replay with STORM_SEED=${SEED} STORM_RUNS=${RUNS}`));
  return seeded(SEED);
}

/** Half of all calls go well; the other half is spread over every fault there is. */
function drawFault(random: Seeded, name: string): Fault {
  return random.number(`${name}/well`) < 0.5 ? 'none' : random.pick(`${name}/fault`, ALL_FAULTS);
}

/** Asks with one key until there is a resource, or a refusal that stays. Some answers are not waited for. */
async function settle(
  current: MoneyStack,
  request: { path: string; key: string; body: Json; hangUpAfterMs?: number },
): Promise<Answer> {
  const { path, key, body, hangUpAfterMs } = request;
  let isFirst = true;
  return until(
    async () => {
      const signal = isFirst && hangUpAfterMs !== undefined ? AbortSignal.timeout(hangUpAfterMs) : undefined;
      isFirst = false;
      return current.call(path, { body, key, ...(signal === undefined ? {} : { signal }) });
    },
    ({ status, body: { code } }) =>
      status !== 'lost' && status !== 202 && status < 500 && code !== 'idempotency_in_progress',
    HANGS_AFTER_MS,
  );
}

/** Kills the proxy when a part of the runs is done. */
function withKills(current: MoneyStack, jobs: readonly (() => Promise<void>)[]): (() => Promise<void>)[] {
  const every = Math.floor(jobs.length / (KILLS + 1));
  let done = 0;
  return jobs.map((job) => async () => {
    await job();
    done += 1;
    if (done % every === 0 && done / every <= KILLS) await current.killAndRestart();
  });
}

/** When one key was first used, and when its callers knew the outcome: it was written down by then. */
interface Span {
  readonly startedAt: number;
  readonly settledAt: number;
}

/** Whether the proxy died before the outcome was written down. */
function wasKilledDuring(kills: readonly number[], { startedAt, settledAt }: Span): boolean {
  return kills.some((at) => at >= startedAt && at <= settledAt);
}

/** As often as the fault says; less only when the proxy died before it could send. */
function expectSent(sent: number, { sends, isKilled }: { sends: number; isKilled: boolean }, what: string): void {
  if (isKilled) expect(sent, what).toBeLessThanOrEqual(sends);
  else expect(sent, what).toBe(sends);
}

async function readAllEvents(current: MoneyStack): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = 0; ; ) {
    const { body } = await current.call(`/v1/events?after=${after}&limit=100`);
    const page = body.data as Json[];
    if (page.length === 0) return events;
    events.push(...page);
    after = body.nextAfter as number;
  }
}

/** The feed is without gaps, and its last word about each resource is what the resource says. */
async function expectFeedAgrees(current: MoneyStack, resources: ReadonlyMap<string, Json>): Promise<void> {
  const isTold = (events: readonly Json[]): boolean => {
    const last = new Map(
      events.map(({ data }) => [(data as { object: Json }).object.id, (data as { object: Json }).object]),
    );
    return [...resources].every(([id, resource]) => last.get(id)?.status === resource.status);
  };
  const events = await until(() => readAllEvents(current), isTold, HANGS_AFTER_MS);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
}

test(`charges survive a storm (seed ${SEED}, ${RUNS} runs)`, async () => {
  const random = tellSeed();
  const current = await startMoneyStack({ faultOf: (_, { text = '' }) => drawFault(random, text.split(' ')[2] ?? '') });
  stack = current;
  const token = await current.storeCard();
  const asked: (Span & { key: string; reference: string; answers: Answer[] })[] = [];

  const jobs = Array.from({ length: RUNS }, (_, run) => async () => {
    const reference = `S${run}`;
    const behaviour = random.pick(`${run}/behaviour`, BEHAVIOURS);
    const body = {
      token,
      tokenFrom: 'moto',
      amount: { value: 10_000 + run, currency: 'EUR' },
      reference,
      reason: 'deposit',
    };
    const request = { path: '/v1/charges', key: `${SEED}-${run}`, body };
    const startedAt = Date.now();
    const copies = { once: 1, twins: 2, crowd: 5, hangs_up: 1, other_body: 1, other_key: 1 }[behaviour];
    const hangUpAfterMs = 1 + random.below(`${run}/hang up`, 60);
    const first = behaviour === 'hangs_up' ? { ...request, hangUpAfterMs } : request;
    const answers = await Promise.all(Array.from({ length: copies }, () => settle(current, first)));
    asked.push({ key: request.key, reference, startedAt, settledAt: Date.now(), answers });
    if (behaviour === 'other_body') {
      const other = await settle(current, { ...request, body: { ...body, text: 'another' } });
      expect(other).toMatchObject({
        status: 422,
        body: { code: 'idempotency_mismatch', resource: answers[0]?.body.id },
      });
    }
    if (behaviour === 'other_key') {
      const key = `${request.key}-again`;
      const again = await settle(current, { ...request, key });
      const first = answers[0]?.body;
      if (first?.status === 'unknown' || first?.status === 'succeeded') {
        expect(again).toMatchObject({ status: 409, body: { code: 'possible_duplicate', resource: first.id } });
      } else asked.push({ key, reference, startedAt, settledAt: Date.now(), answers: [again] });
    }
  });
  await inParallel(24, withKills(current, jobs));
  // The last word of every operation, from a proxy that was not asked while it happened.
  await current.killAndRestart();

  const charges = new Map<string, Json>();
  const counts: Record<string, number> = {};
  const booked = Map.groupBy(current.sandbox.control.ledger().charges, ({ text }) => text.split(' ')[0] ?? '');
  const calls = Map.groupBy(current.upstream.calls, ({ body }) => body.text?.split(' ')[0] ?? '');
  for (const { key, reference, answers, ...span } of asked) {
    expect(
      answers.map(({ status }) => status),
      key,
    ).toEqual(answers.map(() => 201));
    const [id, ...others] = new Set(answers.map(({ body }) => String(body.id)));
    expect(others, key).toEqual([]);
    const { body: charge } = await current.call(`/v1/charges/${id}`);
    for (const { body } of answers) expect({ ...charge, ...body, seq: 0 }, key).toEqual({ ...charge, seq: 0 });
    charges.set(String(id), charge);
    const status = charge.status as string;
    counts[status] = (counts[status] ?? 0) + 1;
    const executed = booked.get(String(id)) ?? [];
    const fault = drawFault(random, reference);
    const what = `${key} ${id} ${fault}: ${status}`;
    const isKilled = wasKilledDuring(current.kills, span);
    expectSent((calls.get(String(id)) ?? []).length, { sends: FAULTS[fault].sends, isKilled }, what);

    expect(executed.length, what).toBeLessThanOrEqual(1);
    if (executed.length === 1) expect(['succeeded', 'unknown'], what).toContain(status);
    if (status === 'succeeded')
      expect(
        executed.map(({ transactionID }) => transactionID),
        what,
      ).toEqual([charge.transactionId]);
    // What the answer said is what the proxy says, unless it was killed before it could write it down.
    if (isKilled) expect(['unknown', 'failed', FAULTS[fault].means], what).toContain(status);
    else expect(status, what).toBe(FAULTS[fault].means);
    if (status === 'failed') expect(executed, what).toEqual([]);
  }
  // Nothing was charged that nobody knows of.
  expect([...booked.keys()].filter((id) => !charges.has(id))).toEqual([]);
  await expectFeedAgrees(current, charges);
  console.log(
    `charges: ${JSON.stringify(counts)}, ${current.upstream.calls.length} calls, ${current.kills.length} kills`,
  );
});

test(`reversals survive a storm (seed ${SEED}, ${RUNS} runs)`, async () => {
  const random = tellSeed();
  const perPayment = 10;
  const nameOf = (body: Readonly<Record<string, string>>): string => `${body.transactionID}/${body.amount}`;
  const current = await startMoneyStack({
    faultOf: (operation, body) => (operation === 'pay' ? 'none' : drawFault(random, nameOf(body))),
  });
  stack = current;
  // The upstream would pay back more than was paid: only the proxy is in the way.
  current.sandbox.control.scenario({ operation: 'reversal', scenario: 'double-reversal', times: 1_000_000 });
  const token = await current.storeCard();
  const payments: Json[] = [];
  await inParallel(
    16,
    Array.from({ length: Math.ceil(RUNS / perPayment) }, (_, run) => async () => {
      const amount = { value: 10_000, currency: 'EUR' };
      const body = { token, tokenFrom: 'moto', amount, reference: `P${run}`, reason: 'balance' };
      payments.push((await settle(current, { path: '/v1/charges', key: `${SEED}-p${run}`, body })).body);
    }),
  );

  const asked: (Span & { payment: Json; answers: Answer[] })[] = [];
  const jobs = payments.flatMap((payment, at) =>
    Array.from({ length: perPayment }, (_, nth) => async () => {
      const name = `${at}/${nth}`;
      // Together far more than was paid. One asks for whatever is left.
      const value = 800 + nth * 100 + random.below(`${name}/value`, 100);
      const amount = nth === perPayment - 1 ? {} : { amount: { value, currency: 'EUR' } };
      const request = { path: '/v1/reversals', key: `${SEED}-r${name}`, body: { payment: payment.id, ...amount } };
      const startedAt = Date.now();
      const hangUpAfterMs = 1 + random.below(`${name}/hang up`, 60);
      const first = random.number(`${name}/hangs`) < 0.2 ? { ...request, hangUpAfterMs } : request;
      const copies = 1 + random.below(`${name}/copies`, 3);
      const answers = await Promise.all(Array.from({ length: copies }, () => settle(current, first)));
      asked.push({ payment, startedAt, settledAt: Date.now(), answers });
    }),
  );
  await inParallel(24, withKills(current, jobs));
  await current.killAndRestart();

  const reversals = new Map<string, Json>();
  const counts: Record<string, number> = {};
  // One amount may have been asked for twice, when the first share came free again.
  const allowed = new Map<string, { sends: number; isKilled: boolean }>();
  for (const { payment, answers, ...span } of asked) {
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => String(body.id));
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) {
      // Nothing left, or not that much: the share may come free again, so one key may see both.
      expect(
        [
          [400, 'amount'],
          [409, undefined],
        ],
        JSON.stringify(body),
      ).toContainEqual([status, body.param]);
    }
    if (made.length === 0) counts.refused = (counts.refused ?? 0) + 1;
    const [id] = made;
    if (id === undefined) continue;
    expect(new Set(made).size).toBe(1);
    const { body: reversal } = await current.call(`/v1/reversals/${id}`);
    reversals.set(id, reversal);
    const status = reversal.status as string;
    counts[status] = (counts[status] ?? 0) + 1;
    const name = `${payment.transactionId}/${(reversal.amount as { value: number }).value}`;
    const fault = drawFault(random, name);
    const what = `${id} ${fault}: ${status}`;
    const isKilled = wasKilledDuring(current.kills, span);
    const { sends, isKilled: isOtherKilled } = allowed.get(name) ?? { sends: 0, isKilled: false };
    allowed.set(name, { sends: sends + FAULTS[fault].sends, isKilled: isKilled || isOtherKilled });
    if (isKilled) expect(['unknown', 'failed', FAULTS[fault].means], what).toContain(status);
    else expect(status, what).toBe(FAULTS[fault].means);
  }

  const calls = Map.groupBy(
    current.upstream.calls.filter(({ operation }) => operation === 'reversal'),
    ({ body }) => nameOf(body),
  );
  for (const [name, each] of allowed) expectSent((calls.get(name) ?? []).length, each, name);
  expect([...calls.keys()].filter((name) => !allowed.has(name))).toEqual([]);

  const booked = current.sandbox.control.ledger().reversals;
  const told = [...reversals.values()].flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  expect(new Set(told).size).toBe(counts.succeeded);
  for (const payment of payments) {
    const mine = [...reversals.values()].filter((reversal) => reversal.payment === payment.id);
    const sum = (...statuses: string[]): number =>
      mine.reduce(
        (total, { status, amount }) =>
          total + (statuses.includes(String(status)) ? (amount as { value: number }).value : 0),
        0,
      );
    const given = booked.filter(({ paymentTransactionID }) => paymentTransactionID === payment.transactionId);
    const givenSum = given.reduce((total, { amount }) => total + amount, 0);
    const what = `${payment.id}`;
    expect(givenSum, what).toBeLessThanOrEqual(10_000);
    expect(sum('succeeded', 'unknown'), what).toBeLessThanOrEqual(10_000);
    expect(sum('succeeded'), what).toBeLessThanOrEqual(givenSum);
    expect(givenSum, what).toBeLessThanOrEqual(sum('succeeded', 'unknown'));
    const ids = given.map(({ transactionID }) => transactionID);
    for (const { status, transactionId } of mine)
      if (status === 'succeeded') expect(ids, what).toContain(transactionId);
    // The payment hears of every outcome in the end, whoever died in between.
    const reversed = { value: sum('succeeded'), currency: 'EUR' };
    const reversing = { value: sum('unknown'), currency: 'EUR' };
    await until(
      async () => (await current.call(`/v1/charges/${payment.id}`)).body,
      (charge) => JSON.stringify([charge.reversed, charge.reversing]) === JSON.stringify([reversed, reversing]),
    );
  }
  await expectFeedAgrees(current, reversals);
  console.log(`reversals: ${JSON.stringify(counts)}, ${booked.length} booked, ${current.kills.length} kills`);
});
