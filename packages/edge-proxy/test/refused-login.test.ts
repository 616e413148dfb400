/** A login, or starts, that the payment service refuses: nobody can pay, so the status says so, the metric repeats it, and the log names the hotel. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { type PropertyBindings, propertiesOf, propertyOf } from '../src/properties/properties.ts';
import type { Telemetry } from '../src/telemetry/telemetry.ts';
import { telemetryOf } from '../src/telemetry/telemetry-of.ts';
import { accessTokenSource } from '../src/upstream/access-token-source.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import {
  createSession,
  guest,
  type Json,
  merchant,
  paymentLink,
  send,
  startAttempt,
  submit,
} from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { KEYS, TEST_ENVIRONMENT } from '../test-support/environment.ts';
import { configureCollector, FakeCollector } from '../test-support/fake-collector.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds } from '../test-support/objects.ts';

await configureCollector();
const fakes = useFakes();
const aurora = parseProperty('aurora', TEST_ENVIRONMENT.PROPERTY_AURORA) as Property;
let collector: FakeCollector;
let day = 0;

beforeEach(() => {
  collector = new FakeCollector(fakes.upstream);
  day += 1;
  passSeconds(day * 86_400);
});

const start = async (): Promise<Response> => startAttempt(await createSession());

const tokenObject = async () => env.ACCESS_TOKENS.getByName(await accessTokenObjectName(aurora));
const upstreamOf = async (key: string = KEYS.aurora): Promise<unknown> =>
  ((await (await merchant('/v1/status', { key })).json()) as Json).upstream;
const refuseLogins = (): void => {
  fakes.upstream.overrides.login = () => new Response(null, { status: 401 });
};

describe('the status', () => {
  test('says that the login is refused, of that hotel alone, until one is accepted', async () => {
    refuseLogins();
    expect((await start()).status).toBe(503);
    expect(await upstreamOf()).toEqual({ status: 'refused' });
    expect(await upstreamOf(KEYS.borealis)).toEqual({ status: 'ok' });
    await evictDurableObject(await tokenObject());
    passSeconds(7_200);
    expect(await upstreamOf()).toEqual({ status: 'refused' });
    delete fakes.upstream.overrides.login;
    expect((await start()).status).toBe(200);
    expect(await upstreamOf()).toEqual({ status: 'ok' });
  });

  test('does not keep a login from being tried longer because the clock was set back', async () => {
    refuseLogins();
    expect((await start()).status).toBe(503);
    delete fakes.upstream.overrides.login;
    expect((await start()).status).toBe(503);
    passSeconds(-7_200);
    expect((await start()).status).toBe(200);
  });

  test('says so while an old token still serves', async () => {
    await start();
    refuseLogins();
    passSeconds(4_750);
    expect((await start()).status).toBe(200);
    expect(await upstreamOf()).toEqual({ status: 'refused' });
  });
});

describe('the metric', () => {
  const reports = (state: string): number =>
    collector.count('innkeep.upstream.reports', { 'innkeep.state': state, 'innkeep.property': 'aurora' });
  const alarm = async (): Promise<void> => runInDurableObject(await tokenObject(), (object) => object.alarm());

  test('says it again every ten minutes while it lasts, without another login, and that it is over', async () => {
    await collector.clear();
    refuseLogins();
    await start();
    await collector.flush();
    expect(reports('refused')).toBe(1);
    const logins = fakes.upstream.count('login');
    for (let round = 0; round < 3; round++) {
      passSeconds(600);
      // Whatever told it last has planned this.
      const plannedAt = await runInDurableObject(await tokenObject(), (_object, { storage }) => storage.getAlarm());
      expect(plannedAt ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(Date.now());
      await alarm();
    }
    await collector.flush();
    expect([reports('refused'), fakes.upstream.count('login')]).toEqual([4, logins]);
    delete fakes.upstream.overrides.login;
    await start();
    await alarm();
    await collector.flush();
    expect([reports('refused'), reports('up')]).toEqual([4, 1]);
    const ended = (outcome: string): number =>
      collector.count('http.client.request.duration', { 'innkeep.operation': 'login', 'innkeep.outcome': outcome });
    expect([ended('authentication_failed'), ended('ok')]).toEqual([logins, 1]);
    // A renewal changes nothing.
    passSeconds(4_800);
    await start();
    await collector.flush();
    expect([ended('ok'), reports('up')]).toEqual([2, 1]);
  });

  test.each([
    ['cannot be read', { invalid: true }],
    ['is gone', undefined],
    ['was removed', { ...aurora, isRemoved: true }],
    ['has another password', { ...aurora, password: 'another' }],
  ])('says no more of a hotel that %s, nor does the status', async (_what, found) => {
    refuseLogins();
    await start();
    await runInDurableObject(await tokenObject(), async (object, { storage }) => {
      const bindings = (object as unknown as { env: PropertyBindings }).env;
      const find = vi.spyOn(propertiesOf(bindings), 'find').mockResolvedValue(found as Property | undefined);
      const told = vi.spyOn(telemetryOf(bindings) as Telemetry, 'upstreamReport');
      await storage.deleteAlarm();
      await object.alarm();
      expect([await object.upstreamStatus('aurora'), await storage.getAlarm()]).toEqual(['ok', null]);
      expect(told).not.toHaveBeenCalled();
      find.mockRestore();
    });
  });

  test('says that the service is in doubt, down and back, and nothing of one that is up', async () => {
    await start();
    await runInDurableObject(await tokenObject(), async (object) => {
      const bindings = (object as unknown as { env: PropertyBindings }).env;
      const told = vi.spyOn(telemetryOf(bindings) as Telemetry, 'upstreamReport');
      const report = (source: string, isUp: boolean) =>
        object.reportHealth({ source, isUp, at: Date.now(), property: 'aurora' });
      expect(await report('cs_1', true)).toBe(false);
      passSeconds(1);
      for (const source of ['cs_1', 'cs_2', 'cs_3']) expect(await report(source, false)).toBe(true);
      expect(await object.upstreamStatus('aurora')).toBe('down');
      expect(await object.getToken('aurora', null)).toMatchObject({ isUnresolved: true });
      passSeconds(1);
      for (const _ of [1, 2]) expect(await report('cs_1', true)).toBe(false);
      expect(await object.upstreamStatus('aurora')).toBe('ok');
      const states = ['unresolved', 'unresolved', 'down', 'up'];
      expect(told.mock.calls).toEqual(states.map((state) => [state, 'aurora']));
    });
  });
});

describe('the log line of a guest', () => {
  let lines: Json[];
  beforeEach(() => {
    lines = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(JSON.parse(String(line)) as Json));
  });
  /** What is logged of the requests of guests. */
  const requests = () =>
    lines
      .filter(({ message, route }) => message === 'request' && /^\/(v1\/checkout|pay|return)(\/|$)/.test(String(route)))
      .map(({ status, property }) => [status, property]);

  test('names the hotel of a start, whatever comes of it, and on reading, with a wrong secret, too', async () => {
    refuseLogins();
    await start();
    delete fakes.upstream.overrides.login;
    passSeconds(3_600);
    await start();
    const { id, clientSecret } = await createSession();
    await guest('/v1/checkout', clientSecret);
    await guest('/v1/checkout', `${id}_${'A'.repeat(43)}`);
    await guest('/v1/checkout/start', clientSecret, { body: { presentation: 'nowhere' } });
    expect(requests()).toEqual([503, 200, 200, 401, 400].map((status) => [status, 'aurora']));
  });

  test('names it on the pages of a link and on the way back', async () => {
    const { id } = await createSession();
    const path = await paymentLink(id);
    await send(path);
    await send(`${path}/qr.svg`);
    await send(`/pay/${id}_${'A'.repeat(43)}`);
    await submit(path);
    const back = fakes.upstream.returnPath(id, 'success');
    await send(back);
    await send(back.replace(/[^/]+\/success$/, `${'A'.repeat(43)}/success`));
    await submit(back.replace(/success$/, 'start'));
    expect(requests()).toEqual([200, 200, 404, 303, 200, 404, 303].map((status) => [status, 'aurora']));
  });
});

describe('starts that are refused although the login is taken', () => {
  const OK = { status: 'ok' };
  const REFUSED = { status: 'refuses_starts' };

  beforeEach(async () => {
    // Ends what the test before has left.
    await startOnce();
    await expect.poll(stored).toEqual([]);
  });

  async function stored(): Promise<unknown> {
    return runInDurableObject(await tokenObject(), (_object, { storage }) => {
      const { record } = storage.sql.exec<{ record: string }>('SELECT record FROM access_token').one();
      return (JSON.parse(record) as Json).refusedStarts ?? [];
    });
  }

  function answerStarts(status: number): void {
    fakes.upstream.overrides.initpayNoIframe = () => new Response(null, { status });
  }

  /** Starts a new session. Its id. */
  async function startOnce(expected = 200): Promise<string> {
    const session = await createSession();
    expect((await startAttempt(session)).status).toBe(expected);
    return session.id;
  }

  test.each([
    [401, 503],
    [403, 502],
    [404, 502],
  ])(
    'three sessions in a row refused with %i are said, of that hotel alone, until one starts',
    async (code, answer) => {
      answerStarts(code);
      const refused = [await startOnce(answer), await startOnce(answer)];
      await expect.poll(stored).toEqual(refused);
      expect(await upstreamOf()).toEqual(OK);
      refused.push(await startOnce(answer));
      await expect.poll(upstreamOf).toEqual(REFUSED);
      expect(await upstreamOf(KEYS.borealis)).toEqual(OK);
      // However long nobody starts, and although the login is taken again and again.
      await evictDurableObject(await tokenObject());
      passSeconds(2 * 86_400);
      expect(await upstreamOf()).toEqual(REFUSED);
      await startOnce(answer);
      expect([await upstreamOf(), await stored()]).toEqual([REFUSED, refused]);
      fakes.upstream.overrides = {};
      await startOnce();
      await expect.poll(upstreamOf).toEqual(OK);
    },
  );

  test('one session counts once, however often its guest tries again', async () => {
    answerStarts(403);
    const session = await createSession();
    for (let nth = 0; nth < 4; nth++) expect((await startAttempt(session)).status).toBe(502);
    const another = await startOnce(502);
    await expect.poll(stored).toEqual([session.id, another]);
    expect(await upstreamOf()).toEqual(OK);
  });

  test('a token that had ended too early is no refusal, once the next one is taken', async () => {
    let answers = 0;
    fakes.upstream.overrides.initpayNoIframe = () => {
      answers += 1;
      return answers === 1 ? new Response(null, { status: 401 }) : undefined;
    };
    await startOnce();
    await expect.poll(stored).toEqual([]);
  });
});

test('what a guest is told names no hotel', async () => {
  refuseLogins();
  expect(await (await start()).text()).not.toContain('aurora');
});

test('a refused login is reported no more once the hotel’s account was corrected', async () => {
  const id = 'alpine_corrected';
  const key = `sk_test_${id}_${'k'.repeat(40)}`;
  const reports = (): number =>
    collector.count('innkeep.upstream.reports', { 'innkeep.state': 'refused', 'innkeep.property': id });
  await addHotel(id, [key], { customerId: '9999' });
  const before = (await propertyOf(env, id)) as Property;
  const object = env.ACCESS_TOKENS.getByName(await accessTokenObjectName(before));
  const plannedAfterAlarm = (): Promise<boolean> =>
    runInDurableObject(object, async (told, { storage }) => {
      await storage.deleteAlarm();
      await told.alarm();
      return (await storage.getAlarm()) !== null;
    });
  fakes.upstream.overrides.login = () => new Response(null, { status: 403 });
  await expect(accessTokenSource(env, before)({})).rejects.toMatchObject({ code: 'authentication_failed' });
  passSeconds(600);
  expect([await plannedAfterAlarm(), await upstreamOf(key)]).toEqual([true, { status: 'refused' }]);
  const body = await hotelWith([key]);
  expect((await operator(id, { method: 'PUT', body, headers: { 'if-match': '*' } })).status).toBe(200);
  passSeconds(600);
  expect([await plannedAfterAlarm(), await upstreamOf(key)]).toEqual([false, { status: 'ok' }]);
  await collector.flush();
  expect(reports()).toBe(2);
});
