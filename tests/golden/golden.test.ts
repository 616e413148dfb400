// A folder of data that an earlier release has written, opened with the proxy of today: every request is made again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/money-stack.ts';
import { type Answer, ask, type Call } from './calls.ts';
import { type Golden, type OpenGolden, openGolden, SENT_ONCE } from './golden.ts';
import { receive } from './receiver.ts';

interface Amount {
  readonly value: number;
  readonly currency: string;
}

/** What these tests read of a payment, or of a reversal. */
interface Money {
  readonly id: string;
  readonly amount: Amount;
  readonly reversed: Amount;
  readonly reversing: Amount;
}

interface List<Item> {
  readonly data: readonly Item[];
}

const DAY_MS = 24 * 60 * 60_000;

const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
  .map(({ name }) => name);

describe.each(VERSIONS)('the data of %s', (version) => {
  const folder = join(import.meta.dirname, version);
  const golden = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')) as Golden; // Written by `make-golden.ts`.
  let opened: OpenGolden | undefined;
  let answers: Record<string, Answer> = {};
  let calls: string[] = [];

  beforeAll(async () => {
    opened = await openGolden(join(folder, 'data.tar.zst'), golden);
    answers = await opened.readAll();
    calls = opened.upstreamCalls();
  });
  afterAll(() => opened?.close());

  const get = (path: string): Promise<Answer> => ask(opened?.url ?? '', { as: 'aurora', method: 'GET', path });
  const post = (idempotencyKey: string, path: string, body: unknown): Promise<Answer> =>
    ask(opened?.url ?? '', { as: 'aurora', method: 'POST', path, idempotencyKey, body });
  /** What a name in `golden.json` stands for. */
  const known = <Body = Money>(name: string): Body => golden.answers[name]?.body as Body;

  // What a later release adds to an answer is no change.
  test('answers every request as it did, and can all be read', () => {
    expect(Object.keys(golden.answers).length).toBeGreaterThan(100);
    for (const [name, answer] of Object.entries(golden.answers)) expect.soft(answers[name], name).toMatchObject(answer);
  });

  test('sends nothing to the payment service again', () => {
    // It was asked at all.
    expect(calls).toContain('login');
    expect(calls.filter((operation) => SENT_ONCE.includes(operation))).toEqual([]);
  });

  test('sums up what was taken and given back', async () => {
    const lines = known<List<{ counted: { taken: Amount; reversed: Amount } | null }>>('payments by limit=100').data;
    const counted = lines.flatMap((line) => line.counted ?? []);
    const reversals = known<List<Money>>('succeeded reversals').data;
    const [taken, reversed] = [counted.map((line) => line.taken), reversals.map(({ amount }) => amount)].map((sums) =>
      sums.reduce((sum, { value }) => sum + value, 0),
    );
    expect(reversed).toBeGreaterThan(0);
    const [from, to] = [-20, 1].map((days) => new Date(golden.madeAt + days * DAY_MS).toISOString().slice(0, 10));
    expect((await get(`/v1/payments?from=${from}&to=${to}&limit=1`)).body).toMatchObject({
      totals: [{ payments: counted.length, taken, reversals: reversals.length, reversed }],
    });
  });

  test('still keeps from doing twice what may have been done', async () => {
    const twice = { status: 409, body: { code: 'possible_duplicate' } };
    for (const name of ['a charge', 'a charge whose answer is lost', 'a reversal whose answer is lost']) {
      const { path = '', body } = golden.calls[name] ?? {};
      const answer = await post(`${name} twice`.replaceAll(' ', '-'), path, body);
      expect.soft(answer, name).toMatchObject({ ...twice, body: { ...twice.body, resource: known(name).id } });
    }
  });

  // From here on something is sent.
  test('can be gone on with', async () => {
    const next = (await opened?.goOn()) ?? {};
    for (const [name, answer] of Object.entries(golden.next)) expect.soft(next[name], name).toMatchObject(answer);
  });

  test('counts what is given back on top of what was', async () => {
    const charge = known('a charge');
    const lost = known('a reversal whose answer is lost');
    const sums = async (): Promise<unknown> => {
      const { reversed, reversing } = (await get(`/v1/charges/${charge.id}`)).body as Money;
      return { reversed: reversed.value, reversing: reversing.value };
    };
    const [reversed, reversing] = [charge.reversed.value, charge.reversing.value];
    expect([reversed, reversing, lost.amount.value]).toEqual([1_000, 500, 500]);
    // The sandbox of today declines it: it has not made the charge.
    const body = { payment: charge.id, amount: { ...charge.amount, value: 700 } };
    expect(await post('once-more', '/v1/reversals', body)).toMatchObject({ status: 201, body: { status: 'declined' } });
    expect(await sums()).toEqual({ reversed, reversing });
    const found = { status: 'succeeded', transactionId: 'PORTAL-3', evidence: 'The portal shows it' };
    await post('lost-is-found', `/v1/reversals/${lost.id}/resolve`, found);
    await until(sums, (now) => JSON.stringify(now) !== JSON.stringify({ reversed, reversing }));
    expect(await sums()).toEqual({ reversed: reversed + reversing, reversing: 0 });
  });

  // Nothing else is there that could have the ledger go on.
  test('brings what waited for a webhook', async () => {
    const receiver = await receive();
    const without = ['CheckoutSessionObject', 'MoneyOperationObject'];
    const archive = join(folder, 'data.tar.zst');
    const ledger = await openGolden(archive, golden, { webhookUrl: receiver.url, without });
    const events = known<List<{ id: string }>>('events').data.map(({ id }) => id);
    await until(
      async () => receiver.eventIds.length,
      (count) => count >= events.length,
      30_000,
    ).finally(() => ledger.close().finally(() => receiver.close()));
    expect([...receiver.eventIds].sort()).toEqual([...events].sort());
  });

  // Last: in the end nothing is left.
  test('ends what was to end', async () => {
    const becomes = (call: Pick<Call, 'as' | 'path'>, holds: (answer: Answer) => boolean): Promise<Answer> =>
      until(() => ask(opened?.url ?? '', { method: 'GET', ...call }), holds, 30_000);
    const isGone = ({ status }: Answer): boolean => status === 404;
    const [open, paid, charge] = ['session: open at the inn', 'session: paid', 'a charge that is declined'].map(
      (name) => known(name).id,
    );
    await opened?.passDays(2);
    // The list, for a session that is read itself ends then.
    const expired = { as: 'inn', path: '/v1/checkout-sessions?status=expired&limit=100' } as const;
    await becomes(expired, ({ body }) => (body as List<Money>).data.some(({ id }) => id === open));
    await opened?.passDays(401);
    await becomes({ as: 'aurora', path: `/v1/charges/${charge}` }, isGone);
    await becomes({ as: 'aurora', path: `/v1/checkout-sessions/${paid}` }, isGone);
  });

  test('is used without an error', () => {
    expect(opened?.errors()).toEqual([]);
  });
});
