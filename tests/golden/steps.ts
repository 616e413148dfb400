/** What happens at the hotels of the golden folder, in order. A new kind of stored data needs a step here. */
import type { ServedSandbox } from '@innkeep/sandbox';
import { DECLINED_CARD, GOOD_CARD, payOnHostedPage, press, type Visit, visit } from '../support/form-guest.ts';
import { until } from '../support/money-stack.ts';
import { type Answer, askAsGuest, type Call, LIFETIME_SECONDS } from './calls.ts';
import { DESK, hotel, KEYS, type Upstream } from './hotels.ts';

/** A proxy that a folder is made with. */
export interface Stage {
  readonly proxyUrl: string;
  readonly upstream: Upstream;
  readonly sandbox: ServedSandbox['sandbox'];
  passSeconds(seconds: number): Promise<void>;
  /** Makes a call and writes it down, to be repeated for ever. Fails unless the answer has this status. */
  call(name: string, call: Call, status?: number): Promise<Answer>;
}

/** A session as these steps need it. */
interface Session {
  readonly id: string;
  readonly clientSecret: string;
  readonly status: string;
}

const WRONG_AMOUNT_CARD = '4000000000011801';
const DECLINES_LATER_CARD = '4000000000000341';
const LATE_REVERSAL_CARD = '4000000000012502';
const eur = (value: number) => ({ value, currency: 'EUR' });

/** Everything; each group can stand alone. */
export async function playAll(stage: Stage): Promise<void> {
  await directory(stage);
  await sessions(stage);
  const token = await cards(stage);
  await money(stage, token);
  await redaction(stage);
  await desk(stage);
  // Last, for the process ends while they are under way.
  await underWay(stage, token);
}

// ---- hotels --------------------------------------------------------------------------------------------------------

async function directory({ call, upstream }: Stage): Promise<void> {
  const property = (method: string, id: string, more: Partial<Call> = {}): Call => ({
    as: 'platform',
    method,
    path: `/v1/properties/${id}`,
    ...more,
  });
  const inn = hotel('Alpine Inn', KEYS.inn, upstream);
  await call('a hotel joins', property('PUT', 'alpine_inn', { body: inn }), 201);
  await call('a hotel changes', property('PATCH', 'alpine_inn', { body: { surcharge: true }, ifMatch: '"1"' }));
  const gone = hotel('Alpine Gone', `sk_test_${'gonekey'.repeat(6)}`, upstream);
  await call('another hotel joins', property('PUT', 'alpine_gone', { body: gone }), 201);
  await call('a hotel leaves', property('DELETE', 'alpine_gone', { ifMatch: '"1"' }));
}

// ---- sessions ------------------------------------------------------------------------------------------------------

async function sessions(stage: Stage): Promise<void> {
  const { call, passSeconds, sandbox } = stage;
  await open(stage, 'expires by itself', { expiresInSeconds: 60 });
  const abandoned = await open(stage, 'abandoned');
  await start(stage, abandoned);
  await passSeconds(3_700);
  await becomes(stage, abandoned, 'open', 1);

  await open(stage, 'open');
  await open(stage, 'open at the inn', {}, 'inn');
  const left = await open(stage, 'expired at the inn', {}, 'inn');
  await call('the inn ends a session', { ...about(left, 'expire'), as: 'inn' });
  const shared = await open(stage, 'with links');
  const link = (key: string): Call => ({ ...about(shared, 'link'), idempotencyKey: key });
  await call('a link', link('link-1'));
  await call('another link', link('link-2'));
  const revoked = await open(stage, 'with a revoked link');
  await call('a link to revoke', { ...about(revoked, 'link'), idempotencyKey: 'link-3' });
  await call('links are revoked', about(revoked, 'revoke-links'));
  const rotated = await open(stage, 'with a second client secret');
  await call('a new client secret', {
    ...about(rotated, 'client-secret'),
    idempotencyKey: 'secret-1',
    body: { rotate: true },
  });
  const ended = await open(stage, 'expired by the hotel');
  await call('the hotel ends a session', about(ended, 'expire'));
  const byKey = { as: 'aurora', method: 'PUT', path: '/v1/checkout-sessions/by-key/booking-1' } as const;
  await call('a session of a key', { ...byKey, body: payment('by key') }, 201);
  await call('the session of a key changes', { ...byKey, body: { ...payment('by key'), amount: eur(15_000) } });

  const paid = await open(stage, 'paid');
  await payOnHostedPage(await start(stage, paid));
  await becomes(stage, paid, 'succeeded');
  const declined = await open(stage, 'declined, then paid');
  await payOnHostedPage(await start(stage, declined), DECLINED_CARD);
  await becomes(stage, declined, 'open', 1);
  await payOnHostedPage(await start(stage, declined));
  await becomes(stage, declined, 'succeeded');
  const canceled = await open(stage, 'canceled');
  await press(await start(stage, canceled), 'Cancel and go back');
  await becomes(stage, canceled, 'open', 1);
  const unknown = await open(stage, 'unknown');
  await payOnHostedPage(await start(stage, unknown), WRONG_AMOUNT_CARD);
  const resolved = await open(stage, 'unknown, then resolved');
  await payOnHostedPage(await start(stage, resolved), WRONG_AMOUNT_CARD);
  const failed = await open(stage, 'failed');
  await start(stage, failed);
  const { requestID } = sandbox.control.ledger().hosted.at(-1) ?? { requestID: '' };
  sandbox.control.complete({ requestID, outcome: 'aborted' });
  await becomes(stage, failed, 'pending', 1);
  await passSeconds(10);
  await becomes(stage, failed, 'open', 1);
  await becomes(stage, unknown, 'unknown');
  await becomes(stage, resolved, 'unknown');
  const finding = { status: 'succeeded', transactionId: 'PORTAL-1', evidence: 'The portal shows it' };
  await call('somebody resolves a session', { ...about(resolved, 'resolve'), body: finding });
  const reversed = { payment: paid.id, amount: eur(2_000), reason: 'other' };
  await call('part of a session is given back', reversal('rv-session', reversed), 201);
  const pending = await open(stage, 'pending');
  await start(stage, pending);
}

async function cards(stage: Stage): Promise<(card: string) => Promise<string>> {
  let nth = 0;
  return async (card) => {
    nth += 1;
    const session = await open(stage, `card ${nth}`, { kind: 'card', amount: undefined });
    await payOnHostedPage(await start(stage, session), card);
    const { result } = (await becomes(stage, session, 'succeeded')) as { result?: { token?: string } };
    if (result?.token === undefined) throw new Error('no card was stored');
    return result.token;
  };
}

// ---- money ---------------------------------------------------------------------------------------------------------

async function money({ call, sandbox }: Stage, token: (card: string) => Promise<string>): Promise<void> {
  const good = await token(GOOD_CARD);
  const done = await call('a charge', charge('ch-done', good), 201);
  const payment = idOf(done);
  await call('a charge is given back in part', reversal('rv-part', { payment, amount: eur(1_000) }), 201);
  await call('a charge that is declined', charge('ch-declined', await token(DECLINES_LATER_CARD)), 201);
  sandbox.control.scenario({ operation: 'pay', scenario: 'answer-lost', times: 2 });
  await call('a charge whose answer is lost', charge('ch-unknown', good), 201);
  const lost = await call('another charge whose answer is lost', charge('ch-resolved', good), 201);
  await call('somebody resolves a charge', {
    as: 'aurora',
    method: 'POST',
    path: `/v1/charges/${idOf(lost)}/resolve`,
    body: { status: 'failed', evidence: 'The portal does not show it' },
  });
  const late = await call(
    'a charge that cannot be given back',
    charge('ch-late', await token(LATE_REVERSAL_CARD)),
    201,
  );
  await call('a reversal that is declined', reversal('rv-declined', { payment: idOf(late) }), 201);
  sandbox.control.scenario({ operation: 'reversal', scenario: 'answer-lost' });
  await call('a reversal whose answer is lost', reversal('rv-unknown', { payment, amount: eur(500) }), 201);
}

async function redaction(stage: Stage): Promise<void> {
  const session = await open(stage, 'redacted');
  await payOnHostedPage(await start(stage, session));
  await becomes(stage, session, 'succeeded');
  await stage.call('a session is redacted', about(session, 'redact'));
  const { call } = stage;
  const stored = await open(stage, 'card to redact', { kind: 'card', amount: undefined });
  await payOnHostedPage(await start(stage, stored));
  await becomes(stage, stored, 'succeeded');
  await call('a card is redacted', about(stored, 'redact'));
}

/** A charge and a reversal that have reached the payment service, and that nobody has been answered. */
async function underWay({ call, sandbox }: Stage, token: (card: string) => Promise<string>): Promise<void> {
  const good = await token(GOOD_CARD);
  const payment = idOf(await call('a charge to give back', charge('ch-back', good), 201));
  const counts = (): string[] => sandbox.control.requests().requests.map(({ operation }) => operation);
  for (const [operation, one] of [
    ['pay', charge('ch-under-way', good)],
    ['reversal', reversal('rv-under-way', { payment })],
  ] as const) {
    sandbox.control.scenario({ operation, scenario: 'slow' });
    const before = counts().filter((each) => each === operation).length;
    // The process is killed before it can answer.
    call(`a ${operation} under way`, one).catch(() => undefined);
    await until(
      async () => counts().filter((each) => each === operation).length,
      (count) => count > before,
    );
  }
}

// ---- the desk -------------------------------------------------------------------------------------------------------

/** Not repeated: each call makes another session. */
async function desk({ proxyUrl }: Stage): Promise<void> {
  const open = (person: string, features: readonly string[]): Promise<Answer> =>
    askAsGuest(proxyUrl, '/v1/desk-sessions', KEYS.aurora, { person: { id: person }, origin: DESK, features });
  await open('anna', ['read', 'reverse']);
  const { body } = await open('max', ['read']);
  await askAsGuest(proxyUrl, `/v1/desk-sessions/${(body as { id: string }).id}/revoke`, KEYS.aurora, {});
}

// ---- helpers -------------------------------------------------------------------------------------------------------

function payment(reference: string): Record<string, unknown> {
  const metadata = { booking: reference };
  return {
    kind: 'payment',
    amount: eur(12_000),
    reference,
    description: 'Two nights',
    metadata,
    expiresInSeconds: LIFETIME_SECONDS,
  };
}

async function open({ call }: Stage, name: string, more = {}, as: 'aurora' | 'inn' = 'aurora'): Promise<Session> {
  const body = { ...payment(name), ...more };
  const path = '/v1/checkout-sessions';
  const made = await call(
    `session: ${name}`,
    { as, method: 'POST', path, idempotencyKey: `cs ${name}`.replaceAll(' ', '-'), body },
    201,
  );
  return made.body as Session; // What the proxy answers 201 with.
}

function about({ id }: Session, act: string): Call {
  return { as: 'aurora', method: 'POST', path: `/v1/checkout-sessions/${id}/${act}` };
}

function charge(key: string, token: string): Call {
  const body = { token, amount: eur(8_000), reference: key, reason: 'no_show', note: 'Never came' };
  return { as: 'aurora', method: 'POST', path: '/v1/charges', idempotencyKey: key, body };
}

function reversal(key: string, body: unknown): Call {
  return { as: 'aurora', method: 'POST', path: '/v1/reversals', idempotencyKey: key, body };
}

function idOf({ body }: Answer): string {
  return (body as { id: string }).id;
}

/** Starts an attempt. @returns the payment service's page */
async function start({ proxyUrl }: Stage, { clientSecret }: Session): Promise<Visit> {
  const { body } = await askAsGuest(proxyUrl, '/v1/checkout/start', clientSecret, { presentation: 'tab', terms: 1 });
  return visit((body as { viewUrl: string }).viewUrl);
}

/** Waits until a session has a status, and so many attempts that ended. */
async function becomes({ proxyUrl }: Stage, { id }: Session, status: string, attempts = 0): Promise<unknown> {
  const headers = { authorization: `Bearer ${KEYS.aurora}` };
  return until(
    async () =>
      (await (await fetch(`${proxyUrl}/v1/checkout-sessions/${id}`, { headers })).json()) as {
        status: string;
        attempts: unknown[];
      },
    (session) => session.status === status && session.attempts.length >= attempts,
  );
}
