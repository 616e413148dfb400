import { expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { createSession, type Json, merchant, startAttempt, startSession } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { KEYS } from '../test-support/environment.ts';
import { charge, postReversal, useMoneyFakes } from '../test-support/money.ts';
import { endAttempt, poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp } from '../test-support/whole-app.ts';

const fakes = useMoneyFakes();
/** A day of the calendar, so many days from now. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('writes a row for each charge and reversal of the range, and no formula', async () => {
  const { id } = await charge('csv-1', { reference: '=HYPERLINK("https://x.test")' });
  const reversal = await (
    await postReversal('csv-2', { payment: id, amount: { value: 1_050, currency: 'EUR' } })
  ).json<{ id: string }>();
  fakes.upstream.overrides.pay = () => Response.json({ returnCode: '+51' });
  await charge('csv-3', { reference: 'RES-9' });
  await vi.waitFor(async () => {
    const [from, to] = [day(-1), day(2)];
    const answer = await merchant(`/v1/export.csv?from=${from}&to=${to}`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="aurora-${from}-${to}.csv"`);
    const lines = (await answer.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('"type","id","status"');
    expect(lines[1]).toContain(`"charge","${id}","succeeded","true"`);
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://x.test"")","no_show"`);
    expect(lines[1]).toContain('"EUR","80.00","","10.50","0.00","PAY-1"');
    expect(lines[2]).toContain(`"declined","'+51"`);
    expect(lines[3]).toContain(`"reversal","${reversal.id}","succeeded"`);
    expect(lines[3]).toContain(`"${id}","EUR","10.50"`);
  }, PATIENT);
});

/** The answer of a proxy whose ledger reads ranges so. */
async function exportOf(range: (asked: Json) => Promise<unknown>): Promise<Response> {
  const dependencies = editedDependencies();
  const ledger: typeof dependencies.ledger = (property) =>
    new Proxy(dependencies.ledger(property), {
      get: (stub, name) => (name === 'range' ? range : Reflect.get(stub, name)),
    });
  const headers = { authorization: `Bearer ${KEYS.aurora}` };
  const path = `/v1/export.csv?from=${day(-1)}&to=${day(2)}`;
  return createApp({ ...dependencies, ledger }).request(`https://proxy.test${path}`, { headers });
}

test('is refused when the ledger cannot be read, and not broken off', async () => {
  const range = () => Promise.reject(new TypeError('The RPC receiver does not implement the method'));
  await expectProblem(exportOf(range), 500, { code: 'internal' });
});

test('reads every kind to its last page', async () => {
  const asked: unknown[] = [];
  const answer = await exportOf(async ({ kind, cursor }) => {
    asked.push([kind, cursor]);
    return { items: [], nextCursor: cursor === null ? 'more' : null };
  });
  await answer.text();
  const kinds = ['checkout_session', 'charge', 'reversal'];
  expect(asked).toEqual(kinds.flatMap((kind) => [null, 'more'].map((cursor) => [kind, cursor])));
});

test.each([
  ['Pacific/Auckland', 'day=2026-09-01', '2026-09-01-2026-09-02'],
  ['Europe/Vienna', 'from=2026-09-01&to=2026-10-01', '2026-09-01-2026-10-01'],
  ['Pacific/Honolulu', 'from=2026-09-01&to=2026-10-01', '2026-09-01-2026-10-01'],
])('the table of payments is named after the days of a hotel in %s', async (timeZone, query, days) => {
  const app = createApp(editedDependencies({ timeZone, dayStartsAt: '00:00' }));
  const headers = { authorization: `Bearer ${KEYS.aurora}` };
  const answer = await app.request(`https://proxy.test/v1/payments.csv?${query}`, { headers });
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="aurora-payments-${days}.csv"`);
  await answer.text();
});

test.each([
  ['no range', '', 'from'],
  ['half a range', '?from=2026-01-01', 'to'],
  ['no day', '?from=2026-01-01&to=yesterday', 'to'],
  ['a range of no time', '?from=2026-01-01&to=2026-01-01', 'to'],
  ['half a range of completion', '?completedFrom=2026-01-01', 'completedTo'],
  ['both ranges', '?completedFrom=2026-01-01&completedTo=2026-02-01&from=2026-01-01', 'from'],
  ['a day more than the longest year', '?from=2024-01-01&to=2025-01-02', 'to'],
])('refuses %s', async (_name, query, param) => {
  await expectProblem(merchant(`/v1/export.csv${query}`), 400, { code: 'invalid_request', param });
});

test('writes a row for each attempt that was paid, or else one for the session, with what it brought', async () => {
  const { id } = await startSession({ reference: 'RES-SESSION', surcharge: true });
  await createSession({ reference: 'RES-IDLE' });
  await startSession({ kind: 'card', amount: undefined, reference: 'RES-CARD' });
  const twice = await startSession({ reference: 'RES-TWICE' });
  await endAttempt(fakes.upstream, twice.id, 'declined');
  const declined = await startSession({ reference: 'RES-DECLINED' });
  await endAttempt(fakes.upstream, declined.id, 'declined');
  await startAttempt(twice);
  for (const number of [1, 2]) fakes.upstream.pay(`${twice.id}-${number}`, { transactionID: `TX-${number}` });
  await poll(twice.id, 300);
  fakes.upstream.pay(id, { amount: 12_360, surchargeApplied: true, surchargeAmount: 360, surchargePercentUsed: 3 });
  await merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' });
  await vi.waitFor(async () => {
    const text = await (await merchant(`/v1/export.csv?from=${day(-1)}&to=${day(2)}`)).text();
    const rowsOf = (session: string): string[] => text.split('\r\n').filter((row) => row.includes(session));
    const [line = ''] = rowsOf(id);
    expect(line).toContain(`"checkout_session","${id}","succeeded","true"`);
    expect(line).toContain(
      '"RES-SESSION","","","EUR","123.60","3.60","0.00","0.00","TX-1","424242......4242","","","false","1"',
    );
    expect(rowsOf(twice.id).map((row) => /"(TX-\d)".*"(\d)","","web","","key"$/.exec(row)?.slice(1))).toEqual([
      ['TX-1', '1'],
      ['TX-2', '2'],
    ]);
    expect(rowsOf(declined.id)).toEqual([
      expect.stringMatching(/"open","false",.*"declined","","false","1","","web","","key"$/),
    ]);
    expect(text).not.toMatch(/RES-IDLE|RES-CARD/);
  }, PATIENT);
});

test('writes a row for each attempt of which nobody knows, beside what was paid and after what was declined', async () => {
  const doubtful = await startSession({ reference: 'RES-DOUBT' });
  await endAttempt(fakes.upstream, doubtful.id, 'declined');
  await startAttempt(doubtful);
  fakes.upstream.pay(`${doubtful.id}-1`, { amount: 1 });
  const rowsOf = async (): Promise<(string[] | undefined)[]> => {
    for (const seconds of [300, 5, 300, 5]) await poll(doubtful.id, seconds);
    const text = await (await merchant(`/v1/export.csv?from=${day(-1)}&to=${day(2)}`)).text();
    return text
      .split('\r\n')
      .filter((row) => row.includes(doubtful.id))
      .map((row) => /"cs_\w+","(\w+)","(\w+)",.*"(\w*)","","\w+","(\d)","","web","","key"$/.exec(row)?.slice(1));
  };
  const unknown = ['unknown', 'false', 'amount_mismatch', '1'];
  expect(await rowsOf()).toEqual([unknown]);
  fakes.upstream.pay(`${doubtful.id}-2`);
  expect(await rowsOf()).toEqual([['succeeded', 'true', '', '2'], unknown]);
});

test('a second payment of a session is in the file of the month that found it', async () => {
  const year = new Date().getUTCFullYear() + 2;
  const months = [`${year}-01-01`, `${year}-02-01`, `${year}-03-01`];
  vi.setSystemTime(Date.parse(`${year}-01-31T20:00:00Z`));
  const session = await startSession({ reference: 'RES-LATE', expiresInSeconds: 30 * 86_400 });
  await endAttempt(fakes.upstream, session.id, 'declined');
  await startAttempt(session);
  for (const [number, time] of [
    [2, `${year}-01-31T23:00:00Z`],
    [1, `${year}-02-01T08:00:00Z`],
  ] as const) {
    vi.setSystemTime(Date.parse(time));
    fakes.upstream.pay(`${session.id}-${number}`, { transactionID: `TX-${number}` });
    await poll(session.id, 300);
  }
  for (const [n, found] of [[['TX-2', '2']], [['TX-1', '1']]].entries()) {
    const query = `completedFrom=${months[n]}&completedTo=${months[n + 1]}`;
    const file = await (await merchant(`/v1/export.csv?${query}`)).text();
    const rows = file.split('\r\n').filter((row) => row.includes(session.id));
    expect(rows.map((row) => /"(TX-\d)".*"(\d)","","web","","key"$/.exec(row)?.slice(1))).toEqual(found);
    // It was completed with the first one that was found.
    const { data } = await (await merchant(`/v1/checkout-sessions?${query}`)).json<{ data: Json[] }>();
    expect(data.map(({ id }) => id === session.id)).toEqual(n === 0 ? [true] : []);
  }
});

test('an empty range has only the header, and other properties’ rows are not in it', async () => {
  const answer = await merchant('/v1/export.csv?from=2024-01-01&to=2025-01-01', { key: KEYS.borealis });
  expect((await answer.text()).split('\r\n')).toHaveLength(2);
});
