/** What goes on when a hotel's ledger is full, who is told before, and what its status says. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { type Json, merchant, retrieve, startSession } from '../test-support/client.ts';
import { listedCharge } from '../test-support/listed.ts';
import { charge, postCharge, postReversal, read, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, runLedgerAlarm, type SessionNews } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

const fakes = useMoneyFakes('FULL');
const DAY = 24 * 3_600;
let sqlStorage: SqlStorage;

beforeEach(async () => {
  sqlStorage = await runInDurableObject(env.LEDGERS.getByName('aurora'), (_object, { storage }) =>
    Object.getPrototypeOf(storage.sql),
  );
});

/** Lets every ledger take so many bytes, until the end of the test. */
function takes(bytes: number): void {
  vi.spyOn(sqlStorage, 'databaseSize', 'get').mockReturnValue(bytes);
}

/** A charge whose object is gone. */
function goneLongAgo(_: unknown, nth: number): LedgerUpdate {
  return { ...listedCharge(nth, { createdAt: 0, state: 'failed' }), type: null };
}

const status = async (): Promise<Json> => (await merchant('/v1/status')).json();

test('a full ledger refuses a new charge before anything is stored or sent', async () => {
  takes(9_500_000_000);
  const problem = { code: 'ledger_full', title: 'Ledger full', detail: expect.stringContaining('nothing was stored') };
  await expectProblem(postCharge(fakes.key(), { reference: fakes.reference }), 507, problem);
  expect(fakes.upstream.count('pay')).toBe(0);
  takes(9_499_999_999);
  expect(await charge(fakes.key(), { reference: fakes.reference })).toMatchObject({ status: 'succeeded' });
  expect(fakes.upstream.count('pay')).toBe(1);
});

test('a full ledger goes on with all that is old: outcomes, repeats, reversals, resolutions, webhooks', async () => {
  const { reference } = fakes;
  const paid = await charge(fakes.key('paid'), { reference });
  fakes.upstream.overrides.pay = () => new Response('no', { status: 502 });
  const unknown = await charge(fakes.key('unknown'), { reference: `${reference}-2` });
  const session = await startSession({ reference });
  takes(12_000_000_000);

  const repeated = await postCharge(fakes.key('paid'), { reference });
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  const resolution = { status: 'failed', evidence: 'Portal: never arrived' };
  await merchant(`/v1/charges/${unknown.id}/resolve`, { body: resolution });
  fakes.upstream.pay(session.id);
  await merchant(`/v1/checkout-sessions/${session.id}/refresh`, { method: 'POST' });
  const reversal = await (await postReversal(fakes.key('back'), { payment: paid.id })).json<Json>();

  expect(await read(paid.id)).toMatchObject({ reversed: { value: 8_000 } });
  const outcomes = [
    [paid.id, 'charge.succeeded'],
    [unknown.id, 'charge.unknown'],
    [unknown.id, 'charge.failed'],
    [session.id, 'checkout.succeeded'],
    [reversal.id, 'reversal.succeeded'],
  ];
  const outcomeOf = ({ type, data: { object } }: SessionNews) => [object.id, type];
  await vi.waitFor(async () => {
    const { data } = await (await merchant('/v1/events?limit=100')).json<{ data: SessionNews[] }>();
    expect(data.map(outcomeOf)).toEqual(expect.arrayContaining(outcomes));
    const webhooks = fakes.upstream.requests.filter(({ operation }) => operation === 'webhook');
    const delivered = webhooks.map(({ body }) => outcomeOf(JSON.parse(body)));
    expect(delivered).toEqual(expect.arrayContaining(outcomes));
  }, PATIENT);
  expect(await retrieve(session.id)).toMatchObject({ status: 'succeeded' });
  const list = await (await merchant(`/v1/charges?reference=${reference}-2`)).json<{ data: Json[] }>();
  expect(list.data).toMatchObject([{ id: unknown.id, status: 'failed' }]);
});

test('the log says once a day that little room is left', async () => {
  await charge(fakes.key(), { reference: fakes.reference });
  const warnings: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void warnings.push(line));
  const said = (): Json[] =>
    warnings.map((line) => JSON.parse(line) as Json).filter(({ message }) => message === 'ledger_nearly_full');
  takes(6_900_000_000);
  passSeconds(DAY + 1);
  await runLedgerAlarm();
  expect(said()).toEqual([]);
  takes(7_123_456_789);
  await env.LEDGERS.getByName('aurora').append('aurora', Array.from({ length: 201 }, goneLongAgo));
  passSeconds(DAY + 1);
  await runLedgerAlarm();
  expect(said()).toEqual([]);
  passSeconds(10);
  await runLedgerAlarm();
  passSeconds(DAY / 2);
  await runLedgerAlarm();
  const figures = { bytes: 7_123_456_789, percent: 71.2 };
  const line = { level: 'warn', message: 'ledger_nearly_full', property: 'aurora', ...figures };
  expect(said()).toEqual([line]);
  passSeconds(DAY / 2 + 1);
  await runLedgerAlarm();
  expect(said()).toEqual([line, line]);
});

test('the status says how full the ledger is', async () => {
  const isOk = { status: 'ok', maxBytes: 10_000_000_000, percent: 0 };
  expect(await status()).toMatchObject({ object: 'property_status', property: 'aurora', ledger: isOk });
  takes(9_600_000_000);
  expect((await status()).ledger).toEqual({ ...isOk, status: 'full', bytes: 9_600_000_000, percent: 96 });
});
