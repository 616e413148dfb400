// What the page for whoever is on call says, done when it happens: the alert comes, the commands are those of the page, and it ends.
import { createSandbox } from '@innkeep/sandbox';
import { test as always, beforeEach, expect } from 'vitest';
import { LOGIN } from '../cli/sandbox-hotel.ts';
import { storeCard } from '../support/sandbox-hotel.ts';
import { type Deployment, deploy, EXPORT_MINUTES } from './deployment.ts';
import { FIRST, taskOf } from './page.ts';
import { findPromtool } from './promtool.ts';

const HOTEL = { innkeep_property: 'aurora' };
const CHARGE = { amount: { value: 12_000, currency: 'EUR' }, reason: 'no_show' };
/** Whatever is known of a change by then. */
const SECONDS = 5 / 60;
const MINUTE_MS = 60_000;

/** In CI it must not be missing. */
const test = always.runIf(process.env.CI !== undefined || findPromtool() !== undefined);

let deployment: Deployment;
beforeEach(async () => {
  deployment = await deploy();
  return () => deployment.close();
});

/** Runs a block of the page. */
async function run(block: string | undefined, env?: Record<string, string>): Promise<string> {
  const { exitCode, stdout, stderr } = await deployment.run(block ?? 'exit 64', env);
  expect([exitCode, exitCode === 0 ? '' : stderr], block).toEqual([0, '']);
  return stdout;
}

/** What the first command of the page says about the hotel; nothing when all is well. */
async function status(): Promise<string> {
  const { exitCode, stdout } = await deployment.run(FIRST);
  expect(exitCode).toBe(stdout === '' ? 0 : 1);
  return stdout;
}

/** Does something, and waits for a sample of the series with this in their text. */
async function untilExported<Result>(text: string, act: () => Promise<Result>): Promise<Result> {
  const before = deployment.prometheus.samples(text);
  const result = await act();
  await expect.poll(() => deployment.prometheus.samples(text)).toBeGreaterThan(before);
  return result;
}

test('the payment service is down', async () => {
  const { alert, finding } = taskOf('The payment service is down');
  const { response, session } = await deployment.start();
  expect(response.status).toBe(200);
  // The token of that login no longer serves.
  await deployment.pass(90);
  await deployment.stopPayments();
  expect((await deployment.start()).response.status).toBe(502);
  await untilExported('innkeep_state="down"', deployment.start);
  const since = deployment.now();
  for (let minute = 0; minute < 4; minute++) {
    await deployment.pass(1);
    await untilExported('innkeep_state="down"', deployment.start);
  }
  // It is thought to be down for ten seconds after a call that failed.
  const afterFailure = (act: () => Promise<unknown>) => async () => {
    await deployment.start();
    return act();
  };
  await expect.poll(afterFailure(status)).toContain(finding);
  const charge = async (): Promise<unknown[]> => {
    const body = { ...CHARGE, token: 'T', reference: 'R' };
    const answer = await deployment.call('/v1/charges', { secret: deployment.secretKey, body });
    return [answer.status, await answer.json()];
  };
  await expect.poll(afterFailure(charge)).toMatchObject([503, { code: 'upstream_unavailable' }]);
  const until = deployment.now();

  await deployment.servePayments();
  for (const { requestID } of deployment.payments.control.ledger().hosted) {
    await deployment.payments.control.complete({ requestID, outcome: 'paid' });
  }
  expect((await deployment.start()).response.status).toBe(200);
  expect(await status()).toBe('');
  await deployment.pass(6);
  deployment.prometheus.expectAlert(alert, HOTEL, { from: since + 1.5 * MINUTE_MS, to: until, over: deployment.now() });
  const read = async (): Promise<unknown> =>
    (await deployment.call(`/v1/checkout-sessions/${session}`, { secret: deployment.secretKey })).json();
  await expect.poll(read).toMatchObject({ status: 'succeeded' });
});

test('the payment service refuses the login', async () => {
  const { alert, finding, blocks } = taskOf('The payment service refuses the login');
  expect((await deployment.start()).response.status).toBe(200);
  await deployment.stopPayments();
  await deployment.servePayments(createSandbox({ password: 'another' }));
  const refused = 'innkeep_state="refused"';
  expect((await untilExported(refused, deployment.start)).response.status).toBe(503);
  const since = deployment.now();
  for (let tenMinutes = 0; tenMinutes < 4; tenMinutes++) await untilExported(refused, () => deployment.pass(10));
  expect(await status()).toContain(finding);
  const until = deployment.now();

  await run(blocks[0], { ...LOGIN, INNKEEP_UPSTREAM_PASSWORD: 'another' });
  await deployment.pass(SECONDS);
  expect((await deployment.start()).response.status).toBe(200);
  expect(await status()).toBe('');
  await deployment.pass(26);
  deployment.prometheus.expectAlert(alert, HOTEL, { from: since, to: until, over: deployment.now() });
});

test('outcomes stay unknown', async () => {
  const { alert, finding, blocks } = taskOf('Outcomes stay unknown');
  const labels = { innkeep_kind: 'charge', ...HOTEL };
  for (const reference of ['RES-1', 'RES-2']) {
    deployment.payments.control.scenario({ operation: 'pay', scenario: 'outcome-pending' });
    const body = { ...CHARGE, reference, token: await storeCard(deployment.payments) };
    expect((await deployment.call('/v1/charges', { secret: deployment.secretKey, body })).status).toBe(201);
  }
  await expect.poll(status).toContain(finding);
  const since = deployment.now();
  for (let fiveMinutes = 0; fiveMinutes < 6; fiveMinutes++)
    await untilExported('innkeep_outcome_unresolved{', () => deployment.pass(5));
  const until = deployment.now();

  const ids = (await run(blocks[0])).match(/ch_\w+/g) ?? [];
  expect([ids.length, deployment.payments.control.ledger().charges.length]).toEqual([2, 2]);
  for (const id of ids) await run(blocks[1]?.replace(/ch_\w+/, id));
  expect(await status()).toBe('');
  await deployment.pass(16);
  deployment.prometheus.expectAlert(alert, labels, { from: since + 6 * MINUTE_MS, to: until, over: deployment.now() });
});

test('a key leaked', async () => {
  const { alert, blocks } = taskOf('A key leaked');
  const add = 'innkeep hotel key add aurora --key-id web --scope checkout --allow-from 198.51.100.0/24 --json';
  const { secretKey: secret } = JSON.parse(await run(add)).merchantKey as { secretKey: string };
  const body = { kind: 'payment', amount: CHARGE.amount, reference: 'RES-1' };
  const create = async (from?: string): Promise<number> =>
    (await deployment.call('/v1/checkout-sessions', { secret, body, from })).status;
  expect(await create()).toBe(201);
  await deployment.pass(1);
  expect(await untilExported('innkeep_reason="address"', () => create('203.0.113.5'))).toBe(403);
  const since = deployment.now();
  const logged = (): string => deployment.log.filter((line) => line.includes('"refusal":"address"')).join();
  await expect.poll(logged).toMatch(/"key":"web","property":"aurora"/);
  await deployment.pass(1);
  const reasons = { innkeep_key: 'web', innkeep_reason: 'address', ...HOTEL };
  const until = deployment.now();

  await run(blocks[0]);
  await deployment.pass(SECONDS);
  expect([await create(), await create('203.0.113.5')]).toEqual([401, 401]);
  expect(await run(blocks[1])).toContain('checkout_session.created');
  await deployment.pass(16);
  expect(await create('203.0.113.5')).toBe(401);
  deployment.prometheus.expectAlert(alert, reasons, { from: since, to: until, over: deployment.now() });
});

test('requests fail, of few guests, and the page of another one goes on asking', async () => {
  const { alert } = taskOf('Requests fail');
  const since = deployment.now();
  for (let guest = 0; guest < 3; guest++) {
    for (let click = 0; click < 2; click++) {
      deployment.payments.control.scenario({ operation: 'initpayNoIframe', scenario: 'html-page' });
      const { response, clientSecret } = await deployment.start();
      expect(response.status).toBe(502);
      await deployment.pass(1);
      await untilExported('innkeep_status_class="5xx"', async () => {
        for (let poll = 0; poll < 100; poll++) await deployment.call('/v1/checkout', { secret: clientSecret });
      });
    }
    await deployment.pass(23);
  }
  const until = deployment.now();

  expect((await deployment.start()).response.status).toBe(200);
  await deployment.pass(31);
  const span = { from: since + 12 * MINUTE_MS, to: until, over: deployment.now() };
  deployment.prometheus.expectAlert(alert, { job: 'innkeep-proxy' }, span);
});

test('nothing is heard', async () => {
  const { alert, blocks } = taskOf('Nothing is heard');
  await run(blocks[0]);
  await deployment.stopProxy();
  const since = deployment.now();
  await deployment.pass(30);
  const until = deployment.now();

  expect((await deployment.run(blocks[0] ?? '')).exitCode).toBe(7);
  await deployment.serveProxy();
  const heard = async (): Promise<unknown> => {
    await deployment.pass(EXPORT_MINUTES);
    return untilExported('http_server_request', () => run(blocks[0]));
  };
  for (let nth = 0; nth < 3; nth++) await heard();
  await deployment.pass(14);
  deployment.prometheus.restartCollector();
  await heard();
  await deployment.pass(10);
  const span = { from: since + 16 * MINUTE_MS, to: until, over: deployment.now() };
  deployment.prometheus.expectAlert(alert, { job: 'innkeep-proxy' }, span);
});
