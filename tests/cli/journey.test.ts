// A day at the back office: the command, the real proxy and the sandbox, nothing in between.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCheckout } from '@innkeep/core/checkout';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { hotelAt } from '../support/sandbox-hotel.ts';
import { ended, type InnkeepRun, runInnkeep } from './run-innkeep.ts';
import { API_KEY, LOGIN, serveFolder } from './sandbox-hotel.ts';

/** How long the payment service must say that an attempt has failed. */
const BELIEVED_AFTER_MS = 5_000;

const folder = ownFolder();
const sandbox = await serveSandbox({ port: 0 });
afterAll(() => sandbox.close());
await writeFile(join(folder, 'hotel.json'), JSON.stringify(hotelAt(sandbox.url)));
const scopes = 'read checkout charges reversals resolutions tokens gateway events desk';
const added = await runInnkeep(`hotel add aurora --from hotel.json --scope ${scopes} --json`.split(' '), {
  cwd: folder,
  env: { ...LOGIN, INNKEEP_GATEWAY_API_KEY: API_KEY },
});
const { merchantKey } = JSON.parse(added.stdout) as { merchantKey: { secretKey: string } };
const proxy = await serveFolder(folder, { clock: { offsetMs: 0 } });
afterAll(() => proxy.close());
const env = { INNKEEP_ENDPOINT: proxy.url, INNKEEP_SECRET_KEY: merchantKey.secretKey };

type Resource = Record<string, unknown> & { id: string; status: string };

async function innkeep(...words: readonly string[]): Promise<InnkeepRun & { readonly data: Resource }> {
  const run = await runInnkeep([...words, '--json'], { env, cwd: folder });
  return { ...run, data: (run.stdout === '' ? {} : JSON.parse(run.stdout)) as Resource };
}

/** Has the guest of a session start it, and ends the attempt at the payment service. Answers with the session then. */
async function attempt(session: Resource, outcome: 'paid' | 'tokenized' | 'error'): Promise<Resource> {
  const known = new Set(sandbox.sandbox.control.ledger().hosted.map(({ requestID }) => requestID));
  const checkout = createCheckout({ endpoint: proxy.url, clientSecret: String(session.clientSecret) });
  await checkout.start({ presentation: 'redirect', terms: Number(session.terms) });
  const hosted = sandbox.sandbox.control.ledger().hosted.find(({ requestID }) => !known.has(requestID));
  await sandbox.sandbox.control.complete({ requestID: hosted?.requestID ?? '', outcome });
  const refresh = async (): Promise<Resource> => (await innkeep('session', 'refresh', session.id)).data;
  if (outcome === 'error') {
    expect(await refresh()).toMatchObject({ status: 'pending' });
    await proxy.moveClock(BELIEVED_AFTER_MS);
  }
  await expect.poll(async () => (await refresh()).status).not.toBe('pending');
  const ended = await refresh();
  for await (const view of checkout.watch()) expect(view.status).toBe(ended.status);
  return ended;
}

/** Makes a session that its guest finishes. */
async function finishedSession(outcome: 'paid' | 'tokenized', ...flags: readonly string[]): Promise<string> {
  const session = await attempt((await innkeep('session', 'create', ...flags)).data, outcome);
  expect(session.status).toBe('succeeded');
  return session.id;
}

describe('the page of a reception', () => {
  const desk = ['desk', 'aurora', '--person', 'anna', '--features', 'read,reverse'];

  it('is opened once by its link, and calls with the cookie that it gets', async () => {
    const { exitCode, data } = await innkeep(...desk, '--max-reversal', '200.00 EUR');
    expect([exitCode, data]).toEqual([
      0,
      { id: expect.stringMatching(/^ds_/), url: expect.any(String), expiresAt: expect.stringMatching(/Z$/) },
    ]);
    const { origin, pathname, hash } = new URL(String(data.url));
    expect([origin, pathname]).toEqual([proxy.url, '/desk/aurora']);
    const page = await fetch(`${origin}${pathname}`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    const open = () =>
      fetch(`${origin}${pathname}/session`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ code: hash.replace('#code=', '') }),
      });
    const opened = await open();
    expect(opened.status).toBe(204);
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const look = await fetch(`${origin}${pathname}/v1/desk`, { headers: { cookie, origin } });
    const person = { id: 'anna' };
    expect(await look.json()).toMatchObject({ person, features: ['read', 'reverse'], maxReversal: { EUR: 20_000 } });
    expect((await open()).status).toBe(401);
  });

  it('is for the hotel of the key, and for features that there are', async () => {
    expect(await innkeep('desk', 'borealis', ...desk.slice(2))).toMatchObject(
      ended(1, 'This key belongs to another property'),
    );
    expect(await innkeep(...desk.slice(0, -1), 'read,everything')).toMatchObject(
      ended(2, '“everything” is not a feature'),
    );
    const text = await runInnkeep(desk, { env, cwd: folder });
    expect(text.stdout).toMatch(
      /^Link +http:\/\/127\.0\.0\.1:\d+\/desk\/aurora#code=ds_\S+\nOpen it by +\S+Z\nSession +ds_\w+\n$/,
    );
  });
});

describe('sessions and links', () => {
  it('are made once for one key, listed, linked and expired', async () => {
    const create = 'session create --amount 99.50 EUR --reference RES-1 --idempotency-key once'.split(' ');
    const first = await innkeep(...create, '--metadata', 'bookingId=7');
    expect(first.data).toMatchObject({
      status: 'open',
      amount: { value: 9950, currency: 'EUR' },
      metadata: { bookingId: '7' },
      clientSecret: expect.stringMatching(/^cs_/),
    });
    const again = await innkeep(...create, '--metadata', 'bookingId=7');
    expect(again.data.id).toBe(first.data.id);
    expect(again.data.clientSecret).toBe(first.data.clientSecret);

    const other = await innkeep(...create, '--metadata', 'bookingId=8');
    expect(other).toMatchObject(ended(1, 'idempotency_mismatch'));

    const link = await innkeep('link', 'create', first.data.id);
    expect((await fetch(String(link.data.url))).status).toBe(200);

    expect((await innkeep('session', 'expire', first.data.id)).data.status).toBe('expired');
    expect(
      await innkeep('session', 'resolve', first.data.id, '--status', 'failed', '--evidence', 'none'),
    ).toMatchObject(ended(1, 'not_resolvable'));
    await expect
      .poll(async () => (await innkeep('session', 'list', '--reference', 'RES-1')).data.data)
      .toEqual([expect.objectContaining({ id: first.data.id, status: 'expired' })]);
  });

  it('page through lists', async () => {
    for (const reference of ['P', 'P', 'P'])
      await innkeep('session', 'create', '--kind', 'card', '--reference', reference);
    const ids = async (...flags: readonly string[]): Promise<readonly string[]> =>
      ((await innkeep('session', 'list', '--reference', 'P', ...flags)).data.data as Resource[]).map(({ id }) => id);
    await expect.poll(() => ids()).toHaveLength(3);
    expect(await ids('--all', '--limit', '1')).toEqual(await ids());
  });
});

describe('charges and reversals', () => {
  it('charge a kept card once for one key, and refund the money once', async () => {
    const card = await finishedSession('tokenized', '--kind', 'card', '--reference', 'RES-2');
    const { stdout } = await innkeep('session', 'get', card);
    expect(stdout).toMatch(/"token": "….{4}"/);
    const whole = (await innkeep('session', 'get', card, '--show-token')).data as unknown as {
      result: { token: string };
    };
    expect(whole.result.token.length).toBeGreaterThan(5);

    const charge = ['charge', 'create', '--amount', '80.00', 'EUR', '--reference', 'RES-2', '--reason', 'no_show'];
    const keyed = [...charge, '--from-session', card, '--idempotency-key', 'no-show-2'];
    const first = await innkeep(...keyed);
    expect([first.exitCode, first.data.status]).toEqual([0, 'succeeded']);
    const again = await innkeep(...keyed);
    expect([again.exitCode, again.data.id]).toEqual([0, first.data.id]);
    expect(sandbox.sandbox.control.ledger().charges).toHaveLength(1);
    expect(`${first.stdout}${first.stderr}`).not.toContain(whole.result.token);

    const part = await innkeep('reversal', 'create', first.data.id, '--amount', '30.00', 'EUR');
    expect([part.exitCode, part.data.amount]).toEqual([0, { value: 3000, currency: 'EUR' }]);
    const rest = await innkeep('reversal', 'create', first.data.id);
    expect([rest.exitCode, rest.data.amount]).toEqual([0, { value: 5000, currency: 'EUR' }]);
    expect(await innkeep('reversal', 'create', first.data.id)).toMatchObject(ended(1, 'Nothing is left'));
    expect(sandbox.sandbox.control.ledger().reversals).toHaveLength(2);
    expect((await innkeep('charge', 'get', first.data.id)).data.reversed).toEqual({ value: 8000, currency: 'EUR' });
    await expect.poll(async () => (await innkeep('reversal', 'list')).data.data).toHaveLength(2);
  });

  it('end with 3 when the answer was lost, and are resolved with evidence', async () => {
    const card = await finishedSession('tokenized', '--kind', 'card', '--reference', 'RES-4');
    const before = sandbox.sandbox.control.ledger().charges.length;
    sandbox.sandbox.control.scenario({ operation: 'pay', scenario: 'error-500-after-charge', times: 1 });
    const charge = `charge create --amount 10.00 EUR --reference RES-4 --reason deposit --from-session ${card}`.split(
      ' ',
    );
    const lost = await innkeep(...charge, '--idempotency-key', 'deposit-4');
    expect([lost.exitCode, lost.data.status]).toEqual([3, 'unknown']);
    expect(lost.stderr).toContain(`innkeep charge resolve ${lost.data.id}`);

    expect(await innkeep(...charge, '--idempotency-key', 'deposit-4-again')).toMatchObject(
      ended(1, `innkeep charge get ${lost.data.id}`),
    );
    expect(sandbox.sandbox.control.ledger().charges).toHaveLength(before + 1);

    const evidence = ['--status', 'succeeded', '--evidence', 'Ledger, line 1'];
    const resolved = await innkeep('charge', 'resolve', lost.data.id, ...evidence);
    expect([resolved.exitCode, resolved.data.status]).toEqual([0, 'succeeded']);
    await expect
      .poll(async () => (await innkeep('charge', 'list', '--reference', 'RES-4')).data.data)
      .toEqual([expect.objectContaining({ id: lost.data.id, status: 'succeeded' })]);
  });
});

describe('the session of a booking', () => {
  it('is one, whose first card is declined and whose second is not', async () => {
    const ensure = ['session', 'ensure', 'RES-5', '--amount', '99.50', 'EUR', '--reference', 'RES-5'];
    const { data: first } = await innkeep(...ensure);
    expect(await attempt(first, 'error')).toMatchObject({ status: 'open', attempts: [{ status: 'declined' }] });
    const { data: again } = await innkeep(...ensure, '--description', 'Two nights');
    expect(again).toMatchObject({ id: first.id, clientSecret: first.clientSecret, terms: 2 });
    const paid = await attempt(again, 'paid');
    expect(paid).toMatchObject({ status: 'succeeded', attempts: [{ status: 'declined' }, { status: 'succeeded' }] });
    expect(await innkeep('session', 'ensure', 'RES-5', '--kind', 'card', '--reference', 'RES-5')).toMatchObject(
      ended(1, 'session of another kind'),
    );
    const back = await innkeep('reversal', 'create', first.id, '--attempt', '2');
    expect([back.exitCode, back.data.attempt]).toEqual([0, 2]);
  });
});

describe('the export', () => {
  it('has a row of each, and no row of a range that ends before it begins', async () => {
    const day = (fromNow: number): string => new Date(Date.now() + fromNow * 86_400_000).toISOString().slice(0, 10);
    const { data } = await innkeep('export', 'csv', '--from', day(-1), '--to', day(2));
    const kinds = String(data.csv).match(/(?<=^")\w+(?=",)/gm);
    expect(new Set(kinds)).toEqual(new Set(['type', 'checkout_session', 'charge', 'reversal']));
    expect(await innkeep('export', 'csv', '--from', day(2), '--to', day(-1))).toMatchObject(ended(1, '"param":"to"'));
  });
});

describe('events', () => {
  it('are read in order from a position', async () => {
    const page = await innkeep('events', 'list', '--limit', '2');
    const events = page.data.data as { id: string; seq: number }[];
    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    const next = await innkeep('events', 'list', '--after', String(page.data.nextAfter), '--limit', '1');
    expect((next.data.data as { seq: number }[]).map(({ seq }) => seq)).toEqual([3]);
    expect((await innkeep('events', 'redeliver', events[0]?.id ?? '')).exitCode).toBe(0);
  });
});

describe('the gateway', () => {
  it('answers with its own bytes', async () => {
    const words = 'gateway send RMS/keepalivereq --xml OC=KA TN=1 CDT=2026-06-01T12:00:00 status=0'.split(' ');
    const run = await runInnkeep([...words, '--out', 'answer.xml'], { env, cwd: folder });
    expect([run.exitCode, run.stdout]).toEqual([0, '']);
    const { data } = await innkeep(...words);
    expect(Buffer.from(String(data.base64), 'base64')).toEqual(await readFile(join(folder, 'answer.xml')));
    expect(await innkeep('gateway', 'send', 'RMS/other', '--form', 'a=1')).toMatchObject(ended(1, 'gateway.allow'));
  });
});
