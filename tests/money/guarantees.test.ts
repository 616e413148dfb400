import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, type MoneyStack, startMoneyStack, until } from '../support/money-stack.ts';
import { serveHttp } from '../support/serve-http.ts';

let stack: MoneyStack | undefined;

afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

const MOTO = { moto: true, property: { moto: true } } as const;

describe('with one proxy', () => {
  let proxy: MoneyStack;
  beforeAll(async () => {
    proxy = await startMoneyStack({ faultOf: () => 'slow', property: { moto: true } });
  });
  afterAll(() => proxy?.close());

  /** How many calls were sent, and how many charges were booked, by all tests so far. */
  const paid = (): readonly number[] => [proxy.upstream.calls.length, proxy.sandbox.control.ledger().charges.length];
  const once = (before: readonly number[]): readonly number[] => before.map((count) => count + 1);

  test('a hundred identical requests at the same time are one call', async () => {
    const before = paid();
    const body = {
      token: await proxy.storeCard(),
      tokenFrom: 'moto',
      amount: eur(12_345),
      reference: 'HUNDRED',
      reason: 'no_show',
    };
    const ask = (): Promise<Answer> => proxy.call('/v1/charges', { body, key: 'one' });
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect(made.length).toBeGreaterThan(0);
    expect(made.length + refused.length).toBe(100);
    const [first] = made;
    for (const { headers, body: problem } of refused) {
      expect(problem).toMatchObject({ code: 'idempotency_in_progress', resource: first?.body.id });
      expect(headers.get('retry-after')).toBe('1');
    }
    const later = await Promise.all(Array.from({ length: 100 }, ask));
    for (const { status, headers, body: charge } of later) {
      expect([status, headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(charge).toEqual(first?.body);
    }
    expect(paid()).toEqual(once(before));
  });

  test('a caller that hangs up at once is charged once and finds the charge again', async () => {
    const before = paid();
    const body = {
      token: await proxy.storeCard(),
      tokenFrom: 'moto',
      amount: eur(500),
      reference: 'GONE',
      reason: 'other',
    };
    const lost = await proxy.call('/v1/charges', { body, key: 'gone', signal: AbortSignal.timeout(60) });
    expect(lost.status).toBe('lost');
    const found = await until(
      () => proxy.call('/v1/charges', { body, key: 'gone' }),
      ({ status }) => status === 201,
    );
    expect(found.body).toMatchObject({ status: 'succeeded' });
    expect(paid()).toEqual(once(before));
  });

  test('the default worker has no way in for a card number', async () => {
    const answer = await proxy.call('/v1/cards', { body: { cardNo: '4242424242424242', valid: '2031-12-31' } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

test('the other worker hides the route from a property that keys in no cards, and the gateway gets its key where it wants it', async () => {
  const asked: unknown[] = [];
  const gateway = await serveHttp(({ url }, answer) => {
    asked.push(url);
    answer.end();
  });
  const settings = { apiKey: 'k'.repeat(40), apiKeyIn: 'query', allow: ['RMS/roomreq'] };
  stack = await startMoneyStack({ moto: true, upstreamUrl: gateway.url, property: { gateway: settings } });
  const answer = await stack.call('/v1/cards', { body: { cardNo: '4242424242424242', valid: '2031-12-31' } });
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  await stack.call('/v1/gateway/RMS/roomreq', { body: {} });
  expect(asked).toEqual([`/1234/API/RMS/roomreq?api_key=${settings.apiKey}`]);
  gateway.close();
});

test('a keyed-in card leaves no trace: not on disk, not in logs, events, errors or answers', async () => {
  stack = await startMoneyStack(MOTO);
  const { call, upstream, sandbox, dataDir } = stack;
  const cards = ['4242424242424242', '4000000000000002'];
  const [cardNo = '', declinedCard = ''] = cards;
  const cvc = '9731';
  const cvcAlone = new RegExp(`(?<![0-9A-Za-z])${cvc}(?![0-9A-Za-z])`);
  const answers: Answer[] = [];
  const ask = async (body: unknown): Promise<Answer> => {
    const answer = await call('/v1/cards', { body, key: 'ignored' });
    answers.push(answer);
    return answer;
  };
  const card = { cardNo, valid: '2031-12-31', cvc, cardText: 'NAME MARKER' };
  const made = await ask(card);
  expect(made).toMatchObject({
    status: 201,
    body: { token: expect.any(String), tokenExpiry: '2031-12-31', maskedCard: '424242......4242' },
  });
  expect(Object.keys(made.body).sort()).toEqual(['cardType', 'cardTypeCode', 'maskedCard', 'token', 'tokenExpiry']);
  // Idempotency keys are ignored: nothing is stored that could be replayed.
  expect((await ask(card)).body.token).not.toBe(made.body.token);

  sandbox.control.scenario({ operation: 'createToken', scenario: 'declined', times: 1 });
  expect(await ask({ ...card, cardNo: declinedCard })).toMatchObject({
    status: 502,
    body: { code: 'upstream_rejected' },
  });
  for (const scenario of [
    'answer-lost',
    'error-500-after-charge',
    'garbage-200',
    'html-page',
    'redirected',
    'unavailable',
  ]) {
    sandbox.control.scenario({ operation: 'createToken', scenario, times: 1 });
    expect(await ask(card)).toMatchObject({ status: 502, body: { code: 'upstream_error' } });
  }
  const wrong: [unknown, string | undefined][] = [
    [{ ...card, cardNo: Number(cardNo) }, 'cardNo'],
    [{ ...card, cardNo: `${cardNo} ` }, 'cardNo'],
    [{ ...card, cvc: Number(cvc) }, 'cvc'],
    [{ ...card, cvc: `${cvc}${cvc}` }, 'cvc'],
    [{ ...card, valid: cardNo }, 'valid'],
    [{ ...card, valid: '2031-13-45' }, 'valid'],
    [{ ...card, [cardNo]: '1' }, undefined],
    [{ ...card, cardText: [cardNo] }, 'cardText'],
    [cardNo, 'body'],
    [[card], 'body'],
    [{ ...card, cardholder: 'x' }, 'cardholder'],
  ];
  for (const [body, param] of wrong) {
    const { status, body: problem } = await ask(body);
    expect([status, problem.code, problem.param], JSON.stringify(problem)).toEqual([400, 'invalid_request', param]);
  }
  answers.push(await call(`/v1/cards?cardNo=${cardNo}`));

  const body = { token: made.body.token, tokenFrom: 'moto', amount: eur(900), reference: 'R', reason: 'other' };
  const charge = await call('/v1/charges', { body, key: 'c' });
  expect(charge.body).toMatchObject({ status: 'succeeded', maskedCard: '424242......4242' });
  answers.push(
    charge,
    await until(
      () => call('/v1/events'),
      ({ body: { data } }) => (data as Json[]).length > 0,
    ),
  );
  await stack.killAndRestart();
  answers.push(await call('/v1/events'), await call(`/v1/charges/${charge.body.id}`));

  const printed = stack.output();
  const places = [
    ['the log', printed],
    ['answers', JSON.stringify(answers.map(({ body: answer, headers }) => [answer, [...headers]]))],
    ...filesBelow(dataDir).map((file) => [file, readFileSync(file).toString('latin1')]),
  ] as [string, string][];
  // The proof that these are the right places to look: what may be there is there.
  expect(printed).toContain('"operation":"createToken"');
  expect(places.some(([file, text]) => file.includes('objects') && text.includes(String(charge.body.id)))).toBe(true);
  for (const [place, text] of places) {
    for (const secret of [...cards, cvc, 'NAME MARKER', String(made.body.token)]) {
      if (place === 'answers' && secret === made.body.token) continue;
      // Four digits stand in many a random id: a security code would stand alone.
      const isThere = secret === cvc ? cvcAlone.test(text) : text.includes(secret);
      // The query of the refused GET was the test's own; no log line repeats it.
      expect(isThere, `${secret} in ${place}`).toBe(false);
    }
  }
  expect(upstream.calls).toHaveLength(1);
});

function eur(value: number): Json {
  return { value, currency: 'EUR' };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
