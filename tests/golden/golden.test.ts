// A folder of data that an earlier release has written, opened with the proxy of today: every request is made again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askProxy } from '../support/ask-proxy.ts';
import { until } from '../support/money-stack.ts';
import { type Answer, ask, askAsGuest, type Call } from './calls.ts';
import { type Golden, type OpenGolden, openGolden, page, SENT_ONCE } from './golden.ts';
import { DESK } from './hotels.ts';
import type { Guest } from './put-in.ts';
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

/** What these tests read of an item of a list. */
type Listed = Readonly<Record<'id' | 'at' | 'createdAt' | 'happenedAt', string>> & {
  readonly completedAt: string | null;
  readonly attempt: number | null;
};

/** What these tests read of an event. */
interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string } };
}

const place = (mark: string, at: string | null, id: string): string =>
  Buffer.from(`${mark}${Date.parse(at ?? '')}:${id}`).toString('base64url');
/** Lists, and the cursor after an item, as it has been given out. */
const CURSORS: [name: string, path: string, cursorOf: (item: Listed) => string][] = [
  ['list of checkout-sessions', '/v1/checkout-sessions?', ({ createdAt, id }) => place('', createdAt, id)],
  ['list of charges', '/v1/charges?completedFrom=2026-01-01&', ({ completedAt, id }) => place('c', completedAt, id)],
  [
    'payments by limit=100',
    '/v1/payments?',
    ({ happenedAt, id, attempt }) => place('p', happenedAt, `${id}:${attempt ?? 0}`),
  ],
  ['audit', '/v1/audit?', ({ at, id }) => place('', at, id)],
  ['desk sessions', '/v1/desk-sessions?', ({ id }) => id],
];

const DAY_MS = 24 * 60 * 60_000;

const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
  .map(({ name }) => name);

describe.each(VERSIONS)('the data of %s', (version) => {
  const folder = join(import.meta.dirname, version);
  const golden = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')) as Golden; // Written by `make-golden.ts`.
  const archive = join(folder, 'data.tar.zst');
  let opened: OpenGolden | undefined;
  let answers: Record<string, Answer> = {};
  let calls: string[] = [];

  beforeAll(async () => {
    opened = await openGolden(archive, golden);
    answers = await opened.readAll();
    calls = opened.upstreamCalls();
  });
  afterAll(() => opened?.close());

  const get = (path: string): Promise<Answer> => ask(opened?.url ?? '', { as: 'aurora', method: 'GET', path });
  const post = (idempotencyKey: string | undefined, path: string, body: unknown): Promise<Answer> =>
    ask(opened?.url ?? '', { as: 'aurora', method: 'POST', path, ...(idempotencyKey && { idempotencyKey }), body });
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

  test.each(CURSORS)('goes on after a page of %s', async (name, path, cursorOf) => {
    const [last, next] = known<List<Listed>>(name).data.filter(({ completedAt }) => completedAt !== null);
    const page = (await get(`${path}limit=1&cursor=${last && cursorOf(last)}`)).body as List<Listed>;
    expect(page.data.map(({ id }) => id)).toEqual([next?.id]);
  });

  test('knows whoever holds a secret from before', async () => {
    const asDesk = async (secret: string, path: string, call: object = {}): Promise<Answer> => {
      const answer = await askProxy(`${opened?.url}${path}`, secret, { headers: { origin: DESK }, ...call });
      return { status: answer.status, body: await answer.json() };
    };
    const features = ['read', 'reverse'];
    const desk = { status: 200, body: { person: { id: 'anna' }, features, maxReversal: null } };
    expect(await asDesk(opened?.deskSecret ?? '', '/v1/desk')).toMatchObject(desk);
    // Of today, at a ledger of then.
    const eva = { person: { id: 'eva' }, origin: DESK, features, maxReversal: { EUR: 100 } };
    const { clientSecret } = (await post(undefined, '/v1/desk-sessions', eva)).body as { clientSecret: string };
    const tooMuch = { payment: known('a charge').id, amount: { value: 200, currency: 'EUR' } };
    expect(await asDesk(clientSecret, '/v1/reversals', { key: 'too-much', body: tooMuch })).toMatchObject({
      body: { code: 'limit_reached' },
    });
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
    const ledger = await openGolden(archive, golden, { webhookUrl: receiver.url, without });
    const events = known<List<{ id: string }>>('events').data.map(({ id }) => id);
    await until(
      async () => receiver.eventIds.length,
      (count) => count >= events.length,
      30_000,
    ).finally(() => ledger.close().finally(() => receiver.close()));
    expect([...receiver.eventIds].sort()).toEqual([...events].sort());
  });

  describe('with a payment service that knows its guests, and without the ledger', () => {
    let other: OpenGolden | undefined;
    beforeAll(async () => {
      other = await openGolden(archive, golden, { without: ['LedgerObject'], hasGuests: true });
    });
    afterAll(() => other?.close());

    const asAurora = (path: string, body?: unknown): Promise<Answer> =>
      ask(other?.url ?? '', {
        ...{ as: 'aurora', method: body === undefined ? 'GET' : 'POST', path },
        ...(body !== undefined && { body, idempotencyKey: 'of-today' }),
      });
    const told = async (): Promise<List<Told>> => (await asAurora('/v1/events?limit=100')).body as List<Told>;
    /** The guest of a session, who has left the payment service's page like this. */
    const leaves = async (name: string, outcome: 'paid' | 'aborted'): Promise<Guest> => {
      const guest = other?.guests.find(({ session }) => session === known(`session: ${name}`).id);
      if (guest === undefined) throw new Error(`Nobody was sent to pay “${name}”`);
      await other?.sandbox.control.complete({ requestID: guest.requestID, outcome });
      return guest;
    };

    test('hears who has paid, and gives it back', async () => {
      const total = { value: 12_000, currency: 'EUR' };
      const paid = { status: 'succeeded', final: true, result: { kind: 'payment', total } };
      const { returnPath } = await leaves('pending', 'paid');
      expect((await page(`${other?.url}${returnPath}`)).body).toEqual({ opens: 200, showsTheAmount: true });
      const { session } = await leaves('abandoned', 'paid');
      // Nobody reads it, but its next poll was planned.
      await other?.passDays(2 / 24);
      await until(told, ({ data }) => data.some(({ data: { object } }) => object.id === session), 30_000);
      for (const [id, late] of [
        [known('session: pending').id, false],
        [session, true],
      ] as const)
        expect((await asAurora(`/v1/checkout-sessions/${id}`)).body).toMatchObject({ ...paid, late });
      const back = await asAurora('/v1/reversals', { payment: session });
      expect(back).toMatchObject({ status: 201, body: { status: 'succeeded', amount: total } });
    });

    test('has a guest try again once it is certain that nothing was paid', async () => {
      for (const name of ['canceled', 'failed']) {
        const { requestID } = await leaves(name, 'aborted');
        const url = other?.url ?? '';
        const made = await ask(url, golden.calls[`session: ${name}`] as Call); // A step that there is.
        const { clientSecret } = made.body as { clientSecret: string };
        const start = { presentation: 'tab', terms: 1 };
        expect.soft((await askAsGuest(url, '/v1/checkout/start', clientSecret, start)).status, name).toBe(200);
        const calls = other?.sandbox.control.requests().requests.filter(({ path }) => path.includes(requestID)) ?? [];
        expect.soft(calls, name).toContainEqual(expect.objectContaining({ operation: 'paystatus' }));
      }
    });

    // Until then an object cannot know that the ledger has taken what it was told last.
    test('tells the ledger with what is new what came before', async () => {
      const ids = ['canceled', 'failed'].map((name) => known(`session: ${name}`).id);
      const before = known<List<Told>>('events').data.filter(({ data: { object } }) => ids.includes(object.id));
      expect(before.map(({ type }) => type)).toEqual(ids.map(() => 'checkout.attempt_failed'));
      await until(told, ({ data }) => before.every(({ id }) => data.some((event) => event.id === id)));
      expect(other?.errors()).toEqual([]);
    });
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
    const pending = { as: 'aurora', path: '/v1/checkout-sessions?status=pending' } as const;
    await becomes(pending, ({ body }) => (body as List<Money>).data.length === 0);
    await opened?.passDays(401);
    await becomes({ as: 'aurora', path: `/v1/charges/${charge}` }, isGone);
    await becomes({ as: 'aurora', path: `/v1/checkout-sessions/${paid}` }, isGone);
  });

  test('is used without an error', () => {
    expect(opened?.errors()).toEqual([]);
  });
});
