/**
 * A payment service that puts a card number, control characters, a script, a foreign address and a very long text into every
 * field of every answer: nothing of it reaches an answer, a log line, a webhook, an export, a page or the disk.
 */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cards } from '../src/money/card-routes.ts';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import {
  createSession,
  guest,
  type Json,
  merchant,
  paymentLink,
  send,
  startAttempt,
  startSession,
  submit,
} from '../test-support/client.ts';
import { postAfterEdit } from '../test-support/edited-proxy.ts';
import { AURORA } from '../test-support/environment.ts';
import type { SeenRequest } from '../test-support/fake-upstream.ts';
import { postCharge, postReversal, useMoneyFakes } from '../test-support/money.ts';
import { dumpOf, passSeconds, runLedgerAlarm } from '../test-support/objects.ts';

const CARD_NUMBER = '5105105105105100';
const MIXTURE = [
  '5105 1051-0510 5100 \u0000\u001b[31m\u202e',
  '<script>alert(1)</script> javascript:alert(1) https://foreign.test/?5105105105105100',
  // Percent-encoded just below what is read of an answer.
  'A1 '.repeat(12_000),
].join(' ');
const CANARIES: readonly unknown[] = [CARD_NUMBER, Number(CARD_NUMBER), MIXTURE];

/** Short enough for any field, unlike the mixture. */
const FOREIGN_ADDRESS = 'https://foreign.test/payment';
/** What only a field that is an address could pass on. */
const ADDRESSES = ['javascript:alert(1)', `https://view.test/payment?PD=${CARD_NUMBER}`];

/** The answers that the specification shows: a field that they get is tried here at once. */
const SAMPLES = import.meta.glob('../../../docs/upstream/samples/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Fields of the answers to an operation, and one that nobody knows. */
function fieldsOf(sample: string): string[] {
  const [, text = ''] = Object.entries(SAMPLES).find(([path]) => path.endsWith(`/${sample}.json`)) ?? [];
  const { responses } = JSON.parse(text) as { responses: Record<string, Json> };
  return [...new Set([...Object.values(responses).flatMap(Object.keys), 'returnText', 'unheardOf'])];
}

/** What guests and their browsers are told. */
const FOR_GUESTS: ReadonlySet<string> = new Set(['start', 'guest', 'open', 'page']);
const PROPERTY = parseProperty('aurora', JSON.stringify(AURORA)) as Property;
const fakes = useMoneyFakes('HOSTILE');
/** What anybody was told, and what was logged. */
let shown: string[] = [];
let run = 0;

beforeEach(() => {
  shown = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => void shown.push(`log ${String(line)}`));
  }
});
async function note(name: string, answer: Response): Promise<string> {
  const text = await answer.text();
  shown.push(`${name} ${JSON.stringify([...answer.headers])} ${text}`);
  return text;
}

/** Everything that an object has on disk. */
async function noteStored(name: string, stub: DurableObjectStub): Promise<void> {
  const stored = await runInDurableObject(stub, (_object, { storage }) => JSON.stringify(dumpOf(storage)));
  shown.push(`disk of ${name} ${stored}`);
}

/** A session as everybody sees it who may. */
async function noteSession({ id, clientSecret }: { id: string; clientSecret: string }): Promise<void> {
  await runInDurableObject(env.CHECKOUT_SESSIONS.getByName(id), async (session) => {
    for (let poll = 0; poll < 4; poll++) {
      passSeconds(6);
      await session.alarm();
    }
  });
  await note('session', await merchant(`/v1/checkout-sessions/${id}`));
  await note('guest', await guest('/v1/checkout', clientSecret));
  await noteStored('session', env.CHECKOUT_SESSIONS.getByName(id));
}

/** Lets the fake answer an operation with fields replaced, until what it returns is called. */
function lie(operation: string, lies: Json): () => void {
  const { upstream } = fakes;
  const answer = upstream.overrides[operation];
  const stop = (): void => {
    upstream.overrides[operation] = answer;
  };
  upstream.overrides[operation] = async (seen: SeenRequest) => {
    stop();
    const honest = await fetch(seen.url, {
      method: seen.method,
      headers: seen.headers,
      redirect: 'manual',
      ...(seen.method === 'GET' ? {} : { body: seen.body }),
    });
    lie(operation, lies);
    return Response.json({ ...(await honest.json<Json>()), ...lies });
  };
  return stop;
}

/** What is wrong with what was shown. It is not shown again after that. */
function problems(): string[] {
  for (const { operation, body } of fakes.upstream.requests) if (operation === 'webhook') shown.push(`webhook ${body}`);
  return shown.splice(0).flatMap((line) => {
    const [place = ''] = line.split(' ', 1);
    return [
      ...(line.replaceAll(/[\s-]/g, '').includes(CARD_NUMBER) ? ['a card number'] : []),
      // As JSON and as they are; line ends are the export's own.
      ...(/\\u00[01]|\u202e|[^\P{Cc}\r\n\t]/u.test(line) ? ['a control character'] : []),
      ...(line.includes('A1 '.repeat(400)) ? ['a long text'] : []),
      ...(FOR_GUESTS.has(place) && /javascript:|foreign\.test|<script/.test(line) ? ['a script or an address'] : []),
    ].map((what) => `${what} in ${line.slice(0, 1_000)}`);
  });
}

function expectNothing(field: string, canary: unknown): void {
  expect(shown.length, 'something was looked at').toBeGreaterThan(0);
  expect(problems(), `${field}: ${String(canary).slice(0, 40)}`).toEqual([]);
}

/** What a session is opened with, and whether every canary is tried with it: a card's page is read by the same code as a payment's. */
describe.each([
  ['a payment', { kind: 'payment' }, CANARIES],
  ['a card', { kind: 'card', amount: undefined }, [MIXTURE]],
] as const)('%s', (_name, body, canaries) => {
  const init = body.kind === 'payment' ? 'initpayNoIframe' : 'initCreateTokenNoIframe';

  test.each(fieldsOf('initpay-no-iframe'))('opened with a hostile %s', async (field) => {
    for (const canary of [...canaries, FOREIGN_ADDRESS, ...(/url$/i.test(field) ? ADDRESSES : [])]) {
      const stopLying = lie(init, { [field]: canary });
      const session = await createSession(body);
      await note('start', await startAttempt(session));
      stopLying();
      await noteSession(session);
      expectNothing(field, canary);
    }
  });

  test.each(fieldsOf('paystatus'))('whose state has a hostile %s', async (field) => {
    const texts = body.kind === 'payment' ? [`PAYOBJID=${CARD_NUMBER}`, `ERROR=${encodeURIComponent(MIXTURE)}`] : [];
    for (const canary of [...canaries, ...texts]) {
      const session = await startSession(body);
      fakes.upstream.pay(session.id);
      const stopLying = lie('paystatus', { [field]: canary });
      await noteSession(session);
      stopLying();
      expectNothing(field, canary);
    }
  });

  test.each(fieldsOf('transaction'))('whose record has a hostile %s', async (field) => {
    for (const canary of /^token/.test(field) ? CANARIES : canaries) {
      const session = await startSession(body);
      fakes.upstream.pay(session.id, { [field]: canary });
      await noteSession(session);
      expectNothing(field, canary);
    }
  });
});

test('a link’s page shows nothing of a hostile record', async () => {
  for (const canary of CANARIES) {
    const session = await createSession();
    const path = await paymentLink(session.id);
    await note('open', await submit(path));
    fakes.upstream.pay(session.id, { maskedCardNo: canary, transactionID: canary });
    await noteSession(session);
    expect(await note('page', await send(path))).toContain('<html');
    expectNothing('maskedCardNo', canary);
  }
});

/** Charges while the payment service answers with these fields replaced. */
async function noteCharge(lies: Json): Promise<void> {
  run += 1;
  const reference = `HOSTILE-PAY-${run}`;
  const stopLying = lie('pay', lies);
  const { id } = JSON.parse(await note('charge', await postCharge(reference, { reference }))) as { id: string };
  stopLying();
  await noteStored('charge', env.MONEY_OPERATIONS.getByName(id));
  // Whatever its id at the payment service became, nobody is told more by trying.
  await note('reversal', await postReversal(`${reference}-r`, { payment: id }));
}

test.each(fieldsOf('pay'))('a charge answered with a hostile %s', async (field) => {
  for (const canary of CANARIES) {
    await noteCharge({ [field]: canary });
    expectNothing(field, canary);
  }
});

test.each(['5', '96'])('a charge answered with %s, and all else hostile', async (returnCode) => {
  const fields = fieldsOf('pay').filter((field) => field !== 'returnCode');
  const lies = [CARD_NUMBER, Number(CARD_NUMBER)].map((canary) =>
    Object.fromEntries(fields.map((field) => [field, canary])),
  );
  // An answer with the mixture in more than one field is too long to be read.
  for (const hostile of [...lies, ...fields.map((field) => ({ [field]: MIXTURE }))]) {
    await noteCharge({ ...hostile, returnCode });
    expect(shown.join(), 'the return code was read').toContain(`"returnCode":"${returnCode}"`);
    expectNothing(Object.keys(hostile).join(), Object.values(hostile)[0]);
  }
});

test.each(fieldsOf('reversal'))('a reversal answered with a hostile %s', async (field) => {
  for (const canary of CANARIES) {
    run += 1;
    const reference = `HOSTILE-REV-${run}`;
    const { id } = await (await postCharge(reference, { reference })).json<{ id: string }>();
    const stopLying = lie('reversal', { [field]: canary });
    const reversal = JSON.parse(await note('reversal', await postReversal(`${reference}-r`, { payment: id }))) as Json;
    await noteStored('reversal', env.MONEY_OPERATIONS.getByName(String(reversal.id)));
    stopLying();
    expectNothing(field, canary);
  }
});

test.each(fieldsOf('login'))('a login answered with a hostile %s', async (field) => {
  for (const canary of CANARIES) {
    passSeconds(100_000);
    const stopLying = lie('login', { [field]: canary });
    const session = await createSession();
    await note('start', await startAttempt(session));
    stopLying();
    await noteSession(session);
    expectNothing(field, canary);
  }
});

test.each(fieldsOf('create-token'))('a keyed-in card answered with a hostile %s', async (field) => {
  const keyedEntry = { moto: true, merchantKeys: [{ ...AURORA.merchantKeys[0], scopes: ['moto'] }] };
  const honest = {
    tokenNo: 'TK-1',
    tokenExpiry: '2030-12-31',
    cardType: '1',
    cardTypeCode: 'VI',
    transactionID: 'T-1',
  };
  for (const canary of CANARIES) {
    fakes.upstream.overrides.createToken = () =>
      Response.json({ ...honest, cardNo: '424242......4242', returnCode: '0', [field]: canary });
    const body = { cardNo: '4242424242424242', valid: '2031-12-31' };
    await note('card', await postAfterEdit(keyedEntry, { path: '/v1/cards', body }, [['/v1/cards', cards(env)]]));
    expectNothing(field, canary);
  }
});

test('nothing of all that is in a list, the feed, the export or a webhook, or on the disk of ledger and token', async () => {
  await runLedgerAlarm();
  for (const path of ['/v1/events?limit=100', '/v1/checkout-sessions', '/v1/charges', '/v1/reversals']) {
    expect(
      (JSON.parse(await note('list', await merchant(path))) as { data: unknown[] }).data.length,
      path,
    ).toBeGreaterThan(10);
  }
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const range = `from=${day(Date.now() - 86_400_000)}&to=${day(Date.now() + 86_400_000)}`;
  expect((await note('export', await merchant(`/v1/export.csv?${range}`))).split('\r\n').length).toBeGreaterThan(100);
  await noteStored('ledger', env.LEDGERS.getByName('aurora'));
  await noteStored('token', env.ACCESS_TOKENS.getByName(await accessTokenObjectName(PROPERTY)));
  expectNothing('everything', 'everything');
});
