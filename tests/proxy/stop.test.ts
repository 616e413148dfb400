// A stop that was asked for waits for the money that is being moved, also for what no caller waits for any more.
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { askProxy } from '../support/ask-proxy.ts';
import type { Program } from '../support/program.ts';
import { serveHttp } from '../support/serve-http.ts';
import { environment, MERCHANT_KEY } from './support/environment.ts';
import { endLaunched, launch, SERVE } from './support/launch.ts';

/** Has the 30 seconds of a stop be over at a signal. */
const LIMIT_AT_SIGNAL = `data:text/javascript,${encodeURIComponent(`import timers from 'node:timers/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const [real, over] = [timers.setTimeout, new Promise((done) => process.once('SIGUSR2', done))];
  timers.setTimeout = (ms, ...more) => (ms === 30_000 ? over : real(ms, ...more));
  syncBuiltinESMExports();`)}`;

let root: string;
let port: number;
let service: Awaited<ReturnType<typeof startPaymentService>>;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'innkeep-stop-'));
  port = await freePort();
  service = await startPaymentService();
  const settings = environment(service.url).replace('["checkout","events"]', '["checkout","charges"]');
  writeFileSync(join(root, 'proxy.env'), settings, { mode: 0o600 });
});
afterEach(async () => {
  await endLaunched('SIGKILL');
  service.close();
  rmSync(root, { recursive: true, force: true });
});

/** A payment service that answers only when it is told to: from then on, and what it has kept waiting. */
async function startPaymentService() {
  const answers = {
    login: { access_token: 'token', username: 'demo', roles: ['USER'], token_type: 'Bearer', expires_in: 4_800 },
    pay: {
      returnCode: '0',
      returnText: '',
      transactionID: 'PAY-1',
      cardType: '1',
      cardTypeCode: 'VI',
      cardNo: '424242......4242',
      serviceProvider: 'SANDBOX_HOSTED',
    },
  };
  const calls = { login: [] as ServerResponse[], pay: [] as ServerResponse[] };
  const answered = new Set<string>();
  const answer = (name: keyof typeof answers, to: ServerResponse): void =>
    void to.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[name]));
  const answersAll = (name: keyof typeof answers): void => {
    answered.add(name);
    for (const call of calls[name]) if (!call.writableEnded) answer(name, call);
  };
  const server = await serveHttp((incoming, to) => {
    incoming.resume();
    const name = incoming.url?.includes('login') ? 'login' : 'pay';
    calls[name].push(to);
    if (answered.has(name)) answer(name, to);
  });
  const answering = { answersLogins: () => answersAll('login'), answersPays: () => answersAll('pay') };
  return { ...server, ...answering, logins: calls.login, pays: calls.pay };
}

/** Starts `innkeep-proxy` on the same data. */
async function launched(nodeOptions: readonly string[] = []): Promise<Program> {
  const args = ['--port', String(port), '--env', join(root, 'proxy.env'), '--data', join(root, 'data')];
  const program = launch(args, [process.execPath, ...nodeOptions, SERVE]);
  await program.ready();
  return program;
}

/** Asks for a stop, and returns once it has begun: then whoever waits for nothing is sent away. */
async function stopping(ask: () => void): Promise<void> {
  const idle = connect(port, '127.0.0.1', () => idle.write('GET /healthz HTTP/1.1\r\nhost: proxy\r\n\r\n'));
  await once(idle, 'data');
  ask();
  await once(idle, 'close');
}

const ask: typeof askProxy = (path, key, call) => askProxy(`http://127.0.0.1:${port}${path}`, key, call);
const chargeOf = (reference: string): object => ({
  ...{ token: 'card-token', amount: { value: 6_618, currency: 'EUR' }, reference, reason: 'no_show' },
});

/** A charge that is being sent, and for which nobody waits: its caller was there before a restart. */
async function chargeUnderWay(nodeOptions?: readonly string[]): Promise<Program> {
  await launched();
  const asked = ask('/v1/charges', MERCHANT_KEY, { body: chargeOf('RES-1'), key: 'first' }).catch(() => undefined);
  await expect.poll(() => service.logins.length).toBe(1);
  await endLaunched('SIGKILL');
  await asked;
  service.answersLogins();
  const program = await launched(nodeOptions);
  await expect.poll(() => service.pays.length).toBe(1);
  expect(await charges()).toEqual({ 'RES-1': 'sent' });
  return program;
}

/** How each charge stands, by its booking. */
async function charges(): Promise<Record<string, string>> {
  const answer = await ask('/v1/charges', MERCHANT_KEY);
  const { data } = (await answer.json()) as { data: { id: string; reference: string }[] };
  const states = data.map(async ({ id, reference }) => {
    const one = await ask(`/v1/charges/${id}`, MERCHANT_KEY);
    return [reference, ((await one.json()) as { status: string }).status] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

test('SIGTERM lets a charge end for which nobody waits', async () => {
  const { child, ended } = await chargeUnderWay();
  await stopping(() => child.kill('SIGTERM'));
  service.answersPays();
  expect(await ended).toBe(0);
  await launched();
  expect(await charges()).toEqual({ 'RES-1': 'succeeded' });
  expect(service.pays).toHaveLength(1);
});

test('Ctrl-C, which reaches the runtime as well, lets it end, too', async () => {
  const { child, ended } = await chargeUnderWay();
  const runtime = Number(readFileSync(join(root, 'data/workerd.pid'), 'utf8'));
  await stopping(() => [runtime, Number(child.pid)].map((pid) => process.kill(pid, 'SIGINT')));
  service.answersPays();
  expect(await ended).toBe(0);
  await launched();
  expect(await charges()).toEqual({ 'RES-1': 'succeeded' });
});

test('a charge that takes longer than a stop may is cut off, and never sent again', async () => {
  const { child, ended } = await chargeUnderWay(['--import', LIMIT_AT_SIGNAL]);
  await stopping(() => child.kill('SIGTERM'));
  expect(service.pays[0]?.closed).toBe(false);
  expect(child.kill('SIGUSR2')).toBe(true);
  expect(await ended).toBe(0);
  await expect.poll(() => service.pays[0]?.closed).toBe(true);
  await launched();
  expect(await charges()).toEqual({ 'RES-1': 'unknown' });
  expect(service.pays).toHaveLength(1);
});

test('a charge that was not sent when a stop began is sent after the next start', async () => {
  service.answersLogins();
  const { child } = await launched();
  // Its request is under way, so the stop waits for it.
  const body = JSON.stringify(chargeOf('RES-2'));
  const headers = { authorization: `Bearer ${MERCHANT_KEY}`, 'content-type': 'application/json' };
  const more = { 'idempotency-key': 'second', 'content-length': body.length };
  const caller = request({ port, path: '/v1/charges', method: 'POST', headers: { ...headers, ...more } });
  caller.on('error', () => undefined).on('response', (answer) => answer.resume());
  await new Promise<unknown>((done) => caller.write(body.slice(0, 10), done));
  await stopping(() => child.kill('SIGTERM'));
  caller.end(body.slice(10));
  await expect.poll(alarms).toBe(1);
  // A second signal, more than a second after the first.
  await expect.poll(() => child.kill('SIGTERM') || child.exitCode).toBe(0);
  service.answersPays();
  await launched();
  await expect.poll(charges).toEqual({ 'RES-2': 'succeeded' });
  expect(service.pays).toHaveLength(1);
});

/** How many charges have something to do, in the runtime's own table. */
function alarms(): number {
  const [file = ''] = globSync(join(root, 'data/objects/*MoneyOperationObject/metadata.sqlite'));
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM _cf_ALARM').get()?.n);
  } finally {
    database.close();
  }
}

test('nobody but the launcher can have it begin no charge any more', async () => {
  const known = 'STOP_KEY=known\n';
  writeFileSync(join(root, 'proxy.env'), environment(service.url) + known, { mode: 0o600 });
  await launched();
  for (const authorization of ['', 'Bearer known', `Bearer ${'a'.repeat(32)}`, `Bearer ${MERCHANT_KEY}`]) {
    const call = { method: 'POST', headers: { authorization } };
    const [answer, other] = await Promise.all(['/__stop', '/__nothing'].map((path) => ask(path, '', call)));
    expect([answer?.status, other?.status]).toEqual([404, 404]);
    expect(Object.keys((await answer?.json()) as object)).toEqual(Object.keys((await other?.json()) as object));
  }
});
