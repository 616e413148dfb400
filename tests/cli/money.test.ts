// Charges and reversals as a user at a shell sees them, against a proxy that behaves as badly as it can.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { CARD_TOKEN, fakeCharge, fakeReversal, goodProxy, IDS, problem, startFakeProxy } from './fake-proxy.ts';
import { serveInnkeep } from './innkeep-for-shells.ts';
import { ended, messagesOf, runCommandLine, runInnkeep, runInnkeepOn, spawnInnkeep } from './run-innkeep.ts';

const folder = ownFolder();
const proxy = await startFakeProxy();
afterAll(() => proxy.close());
const env = {
  INNKEEP_ENDPOINT: proxy.url,
  INNKEEP_SECRET_KEY: 'sk_test_money_and_nothing_else',
  INNKEEP_CARD_TOKEN: CARD_TOKEN,
};

beforeEach(() => proxy.answer(goodProxy));

const CHARGE = ['charge', 'create', '--amount', '120.00', 'EUR', '--reference', 'RES-1234', '--reason', 'no_show'];

const moneyRequests = () =>
  proxy.requests.filter(({ method, path }) => method === 'POST' && /^\/v1\/(charges|reversals)$/.test(path));

describe('innkeep charge create', () => {
  it('charges exactly the amount, with the key given', async () => {
    const { exitCode, stdout, stderr } = await runInnkeep([...CHARGE, '--idempotency-key', 'RES-1234-no-show'], {
      env,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('120.00 EUR');
    expect(stderr).toBe('Idempotency key: RES-1234-no-show\n');
    expect(moneyRequests()).toHaveLength(1);
    const [request] = moneyRequests();
    expect(request?.headers).toMatchObject({
      'idempotency-key': 'RES-1234-no-show',
      authorization: `Bearer ${env.INNKEEP_SECRET_KEY}`,
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      token: CARD_TOKEN,
      amount: { value: 12_000, currency: 'EUR' },
      reference: 'RES-1234',
      reason: 'no_show',
    });
  });

  it('names the person of INNKEEP_PERSON for the audit, and sends nothing for one that cannot be', async () => {
    await runInnkeep(CHARGE, { env: { ...env, INNKEEP_PERSON: 'emp-42' } });
    expect(moneyRequests().map(({ headers }) => headers['innkeep-person'])).toEqual(['emp-42']);
    const refused = await runInnkeep(CHARGE, { env: { ...env, INNKEEP_PERSON: 'Änne' } });
    expect([refused.exitCode, moneyRequests().length]).toEqual([2, 1]);
    expect(refused.stderr).toContain('INNKEEP_PERSON must be 1 to 64 visible ASCII characters');
  });

  it('makes a key when there is none, and prints it while the request is still unanswered', async () => {
    let printed = '';
    proxy.answer(async ({ headers }) => {
      const key = String(headers['idempotency-key']);
      // Never answered unless the key is on the screen.
      while (!printed.includes(key)) await new Promise((turn) => setImmediate(turn));
      return { status: 201, json: fakeCharge() };
    });
    const streams = { readStdin: async () => new Uint8Array(), writeOut: async () => undefined };
    const writeErr = async (text: string): Promise<void> => {
      printed += text;
    };
    expect(await runInnkeepOn({ env, cwd: folder, ...streams, writeErr }, CHARGE)).toBe(0);
    const [request] = moneyRequests();
    expect(request?.headers['idempotency-key']).toMatch(/^innkeep-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    proxy.answer(goodProxy);
    await runInnkeep(CHARGE, { env });
    expect(moneyRequests()[0]?.headers['idempotency-key']).not.toBe(request?.headers['idempotency-key']);
  });

  it.each([
    ['declined', 201, 4, 'Declined: the card was not charged. Insufficient funds'],
    ['failed', 201, 1, 'Failed: the card was not charged.'],
    ['unknown', 201, 3, `innkeep charge resolve ${IDS.charge} --status succeeded`],
    ['sent', 202, 3, `innkeep charge get ${IDS.charge}`],
  ])('ends a charge that is %s (%i) with exit code %i', async (status, httpStatus, exitCode, message) => {
    const error = status === 'sent' ? null : { code: 'upstream', message: 'Insufficient funds' };
    proxy.answer(() => ({ status: httpStatus, json: fakeCharge({ status, final: status !== 'unknown', error }) }));
    const run = await runInnkeep(CHARGE, { env });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toContain(status);
    expect(run.stderr).toContain(message);
  });

  it.each([
    ['unknown', 201, `innkeep charge resolve ${IDS.charge} --property aurora --status`],
    ['sent', 202, `innkeep charge get ${IDS.charge} --property aurora`],
  ])('names the hotel in what to do next with a platform key: %s', async (status, httpStatus, command) => {
    proxy.answer(() => ({ status: httpStatus, json: fakeCharge({ status, final: false, error: null }) }));
    const { INNKEEP_SECRET_KEY: _, ...rest } = env;
    const platform = { ...rest, INNKEEP_PLATFORM_KEY: `pk_test_${'p'.repeat(40)}` };
    const { stderr } = await runInnkeep([...CHARGE, '--property', 'aurora'], { env: platform });
    expect(stderr).toContain(command);
  });

  it('resolves a charge with what was really charged', async () => {
    const args = ['charge', 'resolve', IDS.charge, '--status', 'succeeded', '--evidence', 'Portal'];
    const run = await runInnkeep([...args, '--amount', '82.00', 'EUR'], { env });
    expect(run.exitCode).toBe(0);
    const amount = { value: 8200, currency: 'EUR' };
    expect(proxy.requests.map(({ body }) => JSON.parse(body) as object)).toEqual([
      { status: 'succeeded', evidence: 'Portal', amount },
    ]);
  });

  it('asks again with the same key when the answer was lost, and names the command that does so later', async () => {
    proxy.answer(() => 'drop');
    const lost = await runInnkeep([...CHARGE, '--text', "it's late"], { env });
    expect(lost).toMatchObject({ ...ended(3, 'It is not known whether the card was charged'), stdout: '' });
    const keys = new Set(moneyRequests().map(({ headers }) => headers['idempotency-key']));
    expect(moneyRequests().length).toBeGreaterThan(1);
    expect(keys.size).toBe(1);
    const body = moneyRequests()[0]?.body;

    const repeat = lost.stderr.split('\n').find((line) => line.trim().startsWith('innkeep charge create')) ?? '';
    proxy.answer(goodProxy);
    const innkeep = await serveInnkeep(join(folder, 'innkeep'));
    onTestFinished(() => innkeep.close());
    const again = await runCommandLine('sh', ['-c', repeat], {
      env: { ...env, PATH: `${folder}:${process.env.PATH}` },
    });
    expect(again.exitCode).toBe(0);
    expect(moneyRequests().map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual([[...keys, body]]);
  });

  it.each([
    ['a broken proxy', problem(500, 'internal')],
    [
      'somebody in between',
      { status: 502, text: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } },
    ],
    ['an unreadable answer', { status: 201, text: 'charged!' }],
    ['an answer that is no charge', { status: 201, json: {} }],
    ['a charge in no known state', { status: 201, json: fakeCharge({ id: null }) }],
    ['the first call still running', problem(409, 'idempotency_in_progress', { resource: IDS.charge })],
  ])('takes %s for an unknown outcome', async (_name, answer) => {
    proxy.answer(() => answer);
    const run = await runInnkeep([...CHARGE, '--json'], { env });
    expect(run.exitCode).toBe(3);
    expect(run.stdout).toBe('');
    const [notice, failure] = messagesOf(run);
    expect(failure?.error).toMatchObject({ code: 'outcome_unknown', idempotencyKey: notice?.idempotencyKey });
  });

  it.each([
    [problem(400, 'invalid_request', { param: 'amount.value' }), 'Correct amount.value'],
    [problem(401, 'unauthorized'), 'Check INNKEEP_SECRET_KEY'],
    [problem(401, 'unauthorized', { detail: 'This key expired at 2026-01-01T00:00:00Z' }), 'innkeep hotel key add'],
    [problem(403, 'forbidden'), 'lacks the scope'],
    [
      problem(403, 'forbidden', { detail: 'The proxy cannot tell where this request came from' }),
      'CLIENT_ADDRESS_HEADER',
    ],
    [problem(409, 'possible_duplicate', { resource: IDS.charge }), `innkeep charge get ${IDS.charge}`],
    [problem(503, 'upstream_unavailable'), 'Nothing was sent to it'],
    [problem(503, 'property_unavailable', { param: 'password' }), 'innkeep hotel check'],
    [problem(503, 'property_unavailable', { param: 'password' }), 'of the directory: innkeep hotel show'],
    [problem(503, 'property_unavailable', { param: 'PLATFORM_ALPINE' }), 'use its setting PLATFORM_ALPINE'],
  ])('says what to do when the proxy refuses: %j', async (answer, step) => {
    proxy.answer(() => answer);
    const run = await runInnkeep(CHARGE, { env });
    expect(run).toMatchObject(ended(1, step));
    expect(run.stderr).not.toContain('It is not known');
  });

  it('does not call a card uncharged whose key an earlier call has used', async () => {
    proxy.answer(() => problem(422, 'idempotency_mismatch', { resource: IDS.charge }));
    const run = await runInnkeep(CHARGE, { env });
    expect(run).toMatchObject(ended(3, 'It is not known whether the card was charged'));
    expect(run.stderr).toContain(`innkeep charge get ${IDS.charge}`);
    expect(run.stderr).not.toMatch(/use a new key|Repeat the command/);
  });

  it('does not take a refusal of the second try for the outcome of the first', async () => {
    proxy.answer(() => (moneyRequests().length === 1 ? 'drop' : problem(401, 'unauthorized')));
    const run = await runInnkeep(CHARGE, { env });
    expect([run.exitCode, moneyRequests().length]).toEqual([3, 2]);
    expect(run.stderr).toContain('It is not known');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'does not call a charge stopped that %s interrupts',
    async (signal) => {
      let interrupt = (): void => undefined;
      proxy.answer(() => {
        interrupt();
        return new Promise(() => undefined);
      });
      const run = await spawnInnkeep(CHARGE, { env, onStart: (child) => (interrupt = () => child.kill(signal)) });
      expect(run).toMatchObject(ended(3, 'Stopped while the proxy was working. It is not known'));
      expect(run.stderr).toContain('innkeep charge create');
    },
  );

  it('sends nothing when it is stopped while it waits for standard input', async () => {
    // More than a pipe holds: once it is written, the command reads.
    const onStart = (child: ChildProcess): unknown =>
      child.stdin?.write(Buffer.alloc(1 << 21), () => child.kill('SIGTERM'));
    const run = await spawnInnkeep([...CHARGE, '--token-file', '-'], { env, keepsInputOpen: true, onStart });
    expect([run.exitCode, run.stderr, proxy.requests]).toEqual([130, 'Stopped.\n', []]);
  });

  it('ends by SIGTERM where it waits for a file that is a pipe, which nothing can break off', async () => {
    const pipe = join(folder, 'token-pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    // It opens once the command reads it.
    const onStart = async (child: ChildProcess): Promise<void> => {
      const writer = await open(pipe, 'w');
      child.kill('SIGTERM');
      child.once('close', () => writer.close());
    };
    const run = await spawnInnkeep([...CHARGE, '--token-file', pipe], { env, onStart });
    expect([run.exitCode, proxy.requests]).toEqual([null, []]);
  });

  it('names the session that stored the card, and never reads its token', async () => {
    const run = await runInnkeep([...CHARGE, '--from-session', IDS.session], { env });
    expect([run.exitCode, proxy.requests.filter(({ path }) => path.includes(IDS.session))]).toEqual([0, []]);
    const body = JSON.parse(moneyRequests()[0]?.body ?? '');
    expect([body.card, 'token' in body, 'tokenFrom' in body]).toEqual([IDS.session, false, false]);
  });

  it('says where else a card may be when the session has none', async () => {
    proxy.answer((request) =>
      request.path === '/v1/charges'
        ? problem(400, 'invalid_request', { detail: 'This session has stored no card', param: 'card' })
        : goodProxy(request),
    );
    const run = await runInnkeep([...CHARGE, '--from-session', IDS.session], { env });
    expect([run.exitCode, run.stderr]).toEqual([1, expect.stringMatching(/stored no card[\s\S]*--token-file/)]);
  });

  it.each(['file', 'standard input'])('takes the token from a %s', async (source) => {
    const path = join(folder, 'card.token');
    await writeFile(path, `${CARD_TOKEN}\n`, { mode: 0o600 });
    const { INNKEEP_CARD_TOKEN: _, ...withoutToken } = env;
    const flag = source === 'file' ? path : '-';
    const run = await runInnkeep([...CHARGE, '--token-file', flag], { env: withoutToken, input: CARD_TOKEN });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(moneyRequests()[0]?.body ?? '')).toMatchObject({ token: CARD_TOKEN });
    expect(`${run.stdout}${run.stderr}`).not.toContain(CARD_TOKEN);
  });

  it.each([
    [['--amount', '120'], 'has no currency'],
    [['--amount', '120.00', 'EUR', '--reason', 'fun'], 'Allowed choices are deposit, no_show'],
    [['--amount', '120.00', 'EUR', '--idempotency-key', 'with space'], '1 to 255 visible ASCII'],
    [['--amount', '120.00', 'EUR', '--from-session', IDS.session, '--token-file', 'x'], 'cannot be used with'],
  ])('sends nothing for %j', async (flags, message) => {
    const words = ['charge', 'create', '--reference', 'RES-1234', '--reason', 'no_show', ...flags];
    const run = await runInnkeep(words, { env });
    expect([run.exitCode, proxy.requests.length]).toEqual([2, 0]);
    expect(run.stderr).toContain(message);
  });

  it('sends nothing without a token, and says where one comes from', async () => {
    const { INNKEEP_CARD_TOKEN: _, ...withoutToken } = env;
    const run = await runInnkeep(CHARGE, { env: withoutToken });
    expect([run.exitCode, proxy.requests.length]).toEqual([2, 0]);
    expect(run.stderr).toContain('INNKEEP_CARD_TOKEN, or name a file with --token-file');
  });
});

describe('innkeep reversal create', () => {
  it('asks for the attempt of a session that was paid twice', async () => {
    proxy.answer(() => problem(400, 'invalid_request', { param: 'attempt', resource: IDS.session }));
    const run = await runInnkeep(['reversal', 'create', IDS.session], { env });
    expect(run).toMatchObject(
      ended(1, `Add --attempt and its number. See them:\n  innkeep session get ${IDS.session}`),
    );
  });

  it('keeps an unknown outcome unknown', async () => {
    proxy.answer(() => ({ status: 201, json: fakeReversal({ status: 'unknown', final: false }) }));
    const run = await runInnkeep(['reversal', 'create', IDS.session, '--json'], { env });
    expect(run.exitCode).toBe(3);
    expect(JSON.parse(run.stdout)).toMatchObject({ id: IDS.reversal, status: 'unknown' });
    expect(messagesOf(run).at(-1)).toMatchObject({ status: 'unknown', resource: IDS.reversal });
  });

  it('names the same key after a lost answer', async () => {
    proxy.answer(() => 'drop');
    const run = await runInnkeep(['reversal', 'create', IDS.session, '--idempotency-key', 'back-1'], { env });
    expect(run).toMatchObject(ended(3, `innkeep reversal create ${IDS.session} --idempotency-key back-1\n`));
  });

  it('says when nothing is left', async () => {
    proxy.answer(() => problem(409, 'not_reversible'));
    const run = await runInnkeep(['reversal', 'create', IDS.session], { env });
    expect(run).toMatchObject(ended(1, 'Nothing is left to refund'));
  });
});
