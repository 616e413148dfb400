/** Charges and reversals as a hotel's server asks for them, and what the fake payment service answers. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, vi } from 'vitest';
import type { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import type { NewCharge } from '../src/money/money-record.ts';
import type { StoredSchedule } from '../src/objects/schedule.ts';
import { type Json, merchant } from './client.ts';
import { runAlarmsSetForNow, stopClock } from './clock.ts';
import { FakeUpstream } from './fake-upstream.ts';
import { tablesOf } from './objects.ts';
import { ACTOR, HOTEL } from './records.ts';

/** A charge or a reversal as its merchant receives it. */
export interface Operation {
  id: string;
  status: string;
  final: boolean;
  seq: number;
  [name: string]: unknown;
}

/** A body that is accepted. */
export const CHARGE: Json = {
  token: 'TOKEN-SECRET-9876',
  amount: { value: 8_000, currency: 'EUR' },
  reference: 'RES-1234',
  reason: 'no_show',
};

const { origin: _, ...hotel } = HOTEL;

/** The same, as the route hands it to the object. */
export const NEW_CHARGE: Omit<NewCharge, 'id' | 'reference' | 'createdAt'> = {
  kind: 'charge',
  property: 'aurora',
  livemode: false,
  madeBy: ACTOR,
  amount: { value: 8_000, currency: 'EUR' },
  reason: 'no_show',
  note: null,
  text: null,
  serviceProvider: 'TEST_HOSTED',
  hotel,
};

/** What each test of a file starts with. */
export interface MoneyFakes {
  /** The payment service of this test. */
  upstream: FakeUpstream;
  /** The booking of this test. Storage lives as long as the file, so every test has another. */
  reference: string;
  /** An idempotency key of this booking. */
  key(name?: string): string;
}

/** Installs a payment service that takes money, around each test; the returned object always holds the current one. */
export function useMoneyFakes(prefix = 'RES'): MoneyFakes {
  let run = 0;
  const fakes: MoneyFakes = {
    upstream: new FakeUpstream(),
    reference: '',
    key: (name = 'a') => `${fakes.reference}-${name}`,
  };
  beforeEach(async () => {
    run += 1;
    fakes.reference = `${prefix}-${run}`;
    stopClock();
    await runAlarmsSetForNow();
    fakes.upstream = new FakeUpstream().install();
    answerMoney(fakes.upstream);
  });
  return fakes;
}

/** Answers `pay` and `reversal` well. A test overrides them to answer badly. */
export function answerMoney(upstream: FakeUpstream): void {
  let payments = 0;
  upstream.overrides.pay = (seen) => {
    payments += 1;
    const { serviceProvider } = JSON.parse(seen.body) as Json;
    return Response.json({ ...ANSWER, serviceProvider, cardNo: '424242......4242', transactionID: `PAY-${payments}` });
  };
  upstream.overrides.reversal = (seen) => {
    payments += 1;
    const { serviceProvider } = JSON.parse(seen.body) as Json;
    return Response.json({ ...ANSWER, serviceProvider, transactionID: `REV-${payments}` });
  };
}

const ANSWER = { cardType: '1', cardTypeCode: 'VI', returnCode: '0' };

/** An answer that a test gives when it wants to. It is made where it is used: objects do not share what they wait for. */
export function heldAnswer(answer: () => Response = () => Response.json({ ...ANSWER, transactionID: 'LATE' })): {
  give(): void;
  readonly answer: () => Promise<Response>;
} {
  let isGiven = false;
  return {
    give() {
      isGiven = true;
    },
    async answer() {
      while (!isGiven) await scheduler.wait(5);
      return answer();
    },
  };
}

/** The object of a session, a charge or a reversal. */
function objectOf(id: string): DurableObjectStub<MoneyOperationObject> {
  const namespace = id.startsWith('cs_') ? env.CHECKOUT_SESSIONS : env.MONEY_OPERATIONS;
  // What is used here, both have.
  return namespace.getByName(id) as DurableObjectStub<MoneyOperationObject>;
}

/** Ends an object's instance the hard way, whatever it was doing. */
export async function killOperation(id: string): Promise<void> {
  await runInDurableObject(objectOf(id), (_object, ctx) => ctx.abort('killed by a test')).catch(() => undefined);
}

/** Sends `POST /v1/charges`. */
export function postCharge(key: string, overrides: Json = {}): Promise<Response> {
  return merchant('/v1/charges', { body: { ...CHARGE, ...overrides }, headers: { 'idempotency-key': key } });
}

/** Charges, and expects any outcome. */
export async function charge(key: string, overrides: Json = {}): Promise<Operation> {
  const answer = await postCharge(key, overrides);
  if (answer.status !== 201) throw new Error(`charge answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Sends `POST /v1/reversals`. */
export function postReversal(key: string, body: Json): Promise<Response> {
  return merchant('/v1/reversals', { body, headers: { 'idempotency-key': key } });
}

/** Reads a charge or a reversal. */
export async function read(id: string): Promise<Operation> {
  const kind = id.startsWith('rv') ? 'reversals' : 'charges';
  return (await merchant(`/v1/${kind}/${id}`)).json();
}

/** What of a payment is refunded, and is being refunded. It knows as soon as the caller does. */
export async function sums(id: string): Promise<unknown[]> {
  const path = id.startsWith('cs_') ? 'checkout-sessions' : 'charges';
  const { reversed, reversing } = await (await merchant(`/v1/${path}/${id}`)).json<Json>();
  return [reversed, reversing].map((money) => (money as { value: number } | null)?.value);
}

/** Runs an operation's alarm now. */
export function runOperationAlarm(id: string): Promise<boolean> {
  return runDurableObjectAlarm(env.MONEY_OPERATIONS.getByName(id));
}

/** When the tasks of a session, a charge or a reversal are due that are stored, in milliseconds since the epoch. */
export async function storedTasks(id: string): Promise<Record<string, number>> {
  const text = await storedText(id);
  return text === '' ? {} : (JSON.parse(text) as { readonly schedule: StoredSchedule }).schedule.tasks;
}

/** Waits until a stored task is due, and runs the alarm. */
export async function runDue(id: string, kind: string): Promise<void> {
  const { [kind]: at } = await storedTasks(id);
  if (at === undefined) throw new Error(`no task ${kind} is stored`);
  vi.setSystemTime(Math.max(at, Date.now()));
  await runInDurableObject(objectOf(id), (object) => object.alarm());
}

/** What a newer version has planned, before it was rolled back. */
export async function planOfTomorrow(id: string): Promise<void> {
  const tasks = JSON.stringify({ ...(await storedTasks(id)), of_tomorrow: Date.now() });
  await runInDurableObject(objectOf(id), (_object, { storage }) => {
    storage.sql.exec("UPDATE object SET body = json_set(body, '$.schedule.tasks', json(?))", tasks);
    return storage.sync();
  });
  await killOperation(id);
}

/** The row of a session, a charge or a reversal; empty when nothing is stored, not even a table. */
export function storedText(id: string): Promise<string> {
  return runInDurableObject(objectOf(id), (_object, { storage }) => {
    return tablesOf(storage).length === 0
      ? ''
      : storage.sql.exec<{ body: string }>('SELECT body FROM object').one().body;
  });
}
