/** The directory: hotels that an operator adds, changes, rolls back and removes through the API. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { PlatformKeyList, PropertyResource } from '@innkeep/core/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sha256Hex } from '../src/http/hash.ts';
import { seal } from '../src/http/seal.ts';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import { PropertyDirectoryObject } from '../src/properties/property-directory-object.ts';
import type { PropertyObject } from '../src/properties/property-object.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { guest, type Json, merchant, PAYMENT, retrieve, startAttempt, submit } from '../test-support/client.ts';
import { hotelWith } from '../test-support/directory.ts';
import { AURORA, KEYS, PLATFORM_KEYS, SEALING_KEY, VALLEY_KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { listedSession } from '../test-support/listed.ts';
import { holdMethod, passSeconds, runSessionAlarm, tablesOf } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { ACTOR, CREATED_AT } from '../test-support/records.ts';

const fakes = useFakes();
/** As long as a copy of a configuration may be used after it has changed. */
const COPY_SECONDS = 5;
let run = 0;
let id = '';
let key = '';

/** A hotel of the directory, on the fake upstream, with a key that says whose it is. */
const hotel = (changes: Json = {}): Promise<Json> => hotelWith([key], { displayName: `Alpine ${run}`, ...changes });

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly version?: number | '*' | undefined;
  readonly as?: string;
}

function operator(path: string, { method = 'GET', body, version, as = PLATFORM_KEYS.all }: Call = {}) {
  const headers: Record<string, string> = {};
  if (version !== undefined) headers['if-match'] = version === '*' ? '*' : `"${version}"`;
  return merchant(`/v1/properties${path}`, { method, body, key: as, headers });
}

const put = async (changes: Json = {}, version?: number | '*', as?: string): Promise<Response> =>
  operator(`/${id}`, { method: 'PUT', body: await hotel(changes), version, ...(as && { as }) });
const patch = (body: Json, version: number): Promise<Response> =>
  operator(`/${id}`, { method: 'PATCH', body, version });
const remove = (version: number): Promise<Response> => operator(`/${id}`, { method: 'DELETE', version });
const rollBack = (version: number, to = 1, as?: string): Promise<Response> =>
  operator(`/${id}/roll-back`, { method: 'POST', body: { version: to }, version, ...(as && { as }) });
const shown = async (path = `/${id}`, as?: string): Promise<Json> => (await operator(path, as ? { as } : {})).json();
const callAsHotel = (secretKey = key): Promise<Response> => merchant('/v1/checkout-sessions', { key: secretKey });

/** Makes a session as the hotel. */
async function newSession(changes: Json = {}): Promise<{ id: string; clientSecret: string }> {
  const made = await merchant('/v1/checkout-sessions', { key, body: { ...PAYMENT, ...changes } });
  expect(made.status).toBe(201);
  return made.json();
}

type InProperty<Result> = (object: PropertyObject, sql: SqlStorage) => Result | Promise<Result>;
const inProperty = <Result>(act: InProperty<Result>): Promise<Result> =>
  runInDurableObject(env.PROPERTIES.getByName(id), (object, { storage }) => act(object, storage.sql));

/** Puts other texts in the place of the stored ones; null: they are erased. */
const overwrite = (sealed: string | null): Promise<unknown> =>
  inProperty((_object, sql) => sql.exec('UPDATE version SET sealed = ?', sealed).rowsWritten);
const sealedBy = async (sealingKey: string, changes: Json = {}): Promise<string> =>
  seal(JSON.stringify(await hotel(changes)), `property:${id}`, [sealingKey]);

const directory = env.DIRECTORIES.getByName('properties');

/** The changes that the directory knows to be under way. */
function pendingChanges(): Promise<unknown[]> {
  return runInDurableObject(directory, (_object, { storage }) =>
    storage.sql.exec('SELECT id, version FROM pending_change').toArray(),
  );
}

/** Lets the directory ask about the changes that have been under way for two seconds. */
function runDirectoryAlarm(): Promise<void> {
  vi.setSystemTime(Date.now() + 2_000);
  return runInDurableObject(directory, (object: PropertyDirectoryObject) => object.alarm());
}

beforeEach(() => {
  run += 1;
  id = `alpine_${run}`;
  key = `sk_test_${id}_${'k'.repeat(40)}`;
});

describe('a hotel', () => {
  test('is added, and takes payments at once, with no deployment', async () => {
    const answer = await put();
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"1"']);
    expect(await answer.json()).toMatchObject({
      object: 'property',
      id,
      displayName: `Alpine ${run}`,
      livemode: false,
      status: 'active',
      source: 'directory',
      version: 1,
      updatedBy: { key: 'alpine/all', person: null, via: 'key' },
      settings: { customerId: '1234', webhooks: [{ host: 'hooks.aurora.test' }], gateway: null },
      secrets: ['password', 'webhooks.0.secret'],
      problem: null,
    });
    expect((await startAttempt(await newSession())).status).toBe(200);
    expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
  });

  test('shows no secret, in whatever way it is looked at', async () => {
    const previousPassword = 'previous-password-marker';
    const texts = [await (await put({ previousPassword, gateway: AURORA.gateway })).text()];
    texts.push(await (await patch({ password: 'next-password-marker' }, 1)).text());
    for (const path of [`/${id}`, '', `/${id}/versions`]) texts.push(await (await operator(path)).text());
    for (const secret of [
      AURORA.password,
      previousPassword,
      'next-password-marker',
      AURORA.gateway.apiKey,
      'whsec_',
      SEALING_KEY,
    ]) {
      expect(texts.join('\n')).not.toContain(secret);
    }
    expect(texts.at(-1)).toContain('"fields":["password"]');
    const stored = await inProperty((_object, sql) => sql.exec('SELECT * FROM version').toArray());
    expect(JSON.stringify(stored)).not.toContain('marker');
  });

  test('is not added when something is wrong with it, and the field is named', async () => {
    await expectProblem(put({ timeZone: 'Europe/Atlantis' }), 400, { code: 'invalid_request', param: 'timeZone' });
    await expectProblem(put({ colour: 'red' }), 400, { param: 'colour' });
    await expectProblem(put({ livemode: true, localOrigins: true }), 400, { param: 'localOrigins' });
    await expectProblem(operator(`/${id}`, { method: 'PUT', body: [] }), 400, { param: 'body' });
    await expectProblem(operator('/Alpine', { method: 'PUT', body: await hotel() }), 400, { param: 'id' });
    const { merchantKeys } = await hotelWith([KEYS.aurora]);
    await expectProblem(put({ merchantKeys }), 400, { param: 'merchantKeys.0.sha256' });
    await expectProblem(operator(`/${id}`), 404, { code: 'not_found' });
  });

  test('that is a secret of the deployment stays one', async () => {
    const change = operator('/aurora', { method: 'PATCH', body: { displayName: 'X' }, version: '*' });
    const detail = expect.stringContaining('by the secret PROPERTY_AURORA;');
    await expectProblem(change, 409, { code: 'configured_by_secret', resource: 'aurora', detail });
    await expectProblem(operator('/aurora/versions'), 409, { code: 'configured_by_secret' });
    const aurora = await shown('/aurora');
    expect(aurora).toMatchObject({ source: 'secret', version: null, displayName: 'Hotel Aurora', status: 'active' });
    expect(JSON.stringify(aurora)).not.toContain(SEALING_KEY);
    expect(await shown('/broken')).toMatchObject({
      status: 'unusable',
      displayName: null,
      livemode: null,
      problem: { field: 'timeZone' },
    });
  });
});

test('a hotel that moves from its secret is put with its keys, counts once the secret is gone, and can be taken out before', async () => {
  id = 'aurora';
  key = KEYS.aurora;
  const moved = await put({ displayName: 'Moved' });
  expect(await moved.json()).toMatchObject({ source: 'directory', version: 1, displayName: 'Moved' });
  expect(await shown()).toMatchObject({ source: 'secret', displayName: 'Hotel Aurora' });
  const { PROPERTY_AURORA: _, ...withoutSecret } = env as unknown as PropertyBindings & { PROPERTY_AURORA: string };
  const [before, after] = [propertiesOf(env as unknown as PropertyBindings), propertiesOf(withoutSecret)];
  expect((await before.findByKey(KEYS.aurora))?.property).toMatchObject({ displayName: 'Hotel Aurora' });
  expect((await after.findByKey(KEYS.aurora))?.property).toMatchObject({ displayName: 'Moved' });
  expect((await remove(1)).status).toBe(200);
  expect((await callAsHotel()).status).toBe(200);
});

describe('a change', () => {
  test('of which two are made at once is made once', async () => {
    await put();
    const answers = await Promise.all([patch({ displayName: 'A' }, 1), patch({ displayName: 'B' }, 1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('keeps what it does not name, secrets too; null takes a field out', async () => {
    await put({ acceptedBrands: ['visa'] });
    // Nothing is made, and nothing is changed.
    expect([(await patch({}, 1)).status, (await put({ acceptedBrands: ['visa'] }, 1)).status]).toEqual([200, 200]);
    const changed = (await (await patch({ displayName: 'New', acceptedBrands: null }, 1)).json()) as Json;
    expect(changed).toMatchObject({ displayName: 'New', secrets: ['password', 'webhooks.0.secret'] });
    expect(changed.settings).toMatchObject({ acceptedBrands: [], customerId: '1234' });
    await expectProblem(patch({ timeZone: null }, 2), 400, { param: 'timeZone' });
    expect((await patch({ displayName: 'New' }, 2)).headers.get('etag')).toBe('"2"');
  });

  test.each([
    [
      'is asked where it began, if its address is still allowed',
      ['https://pay.test'],
      'succeeded',
      ['pay.test', 'pay-2.test'],
    ],
    ['sends no token to the address of before, if it is not', [], 'pending', []],
  ])('of the payment service’s address: a payment under way %s', async (_what, allowedOrigins, status, asked) => {
    await put();
    const session = await newSession();
    await startAttempt(session);
    await patch({ baseUrl: 'https://pay-2.test/api', password: 'p', allowedOrigins }, 1);
    passSeconds(COPY_SECONDS);
    fakes.upstream.pay(session.id);
    fakes.upstream.requests.length = 0;
    await runSessionAlarm(session.id);
    expect(await retrieve(session.id, key)).toMatchObject({ status });
    const looks = fakes.upstream.requests.filter(({ method }) => method === 'GET');
    expect(looks.map(({ url }) => url.hostname)).toEqual(asked);
    for (const { url } of fakes.upstream.requests)
      expect(asked.concat('pay-2.test', 'hooks.aurora.test')).toContain(url.hostname);
  });

  test('counts at once where it was made, a revoked key among them', async () => {
    await put();
    expect((await callAsHotel()).status).toBe(200);
    const next = `sk_test_${id}_${'n'.repeat(40)}`;
    const { merchantKeys } = await hotelWith([next]);
    await patch({ merchantKeys }, 1);
    await expectProblem(callAsHotel(), 401, { code: 'unauthorized' });
    expect((await callAsHotel(next)).status).toBe(200);
    await remove(2);
    await expectProblem(callAsHotel(next), 401, { code: 'unauthorized' });
  });

  test('is in the history, and can be taken back', async () => {
    await put();
    await patch({ displayName: 'Wrong', origins: ['https://wrong.example'] }, 1);
    expect((await shown(`/${id}/versions`)).data).toMatchObject([
      {
        version: 2,
        action: 'changed',
        by: { key: 'alpine/all', person: null, via: 'key' },
        fields: ['displayName', 'origins'],
        copyOf: null,
      },
      { version: 1, action: 'created', isKept: true },
    ]);
    const page = (more = '') => shown(`/${id}/versions?limit=1${more}`);
    expect(await page()).toMatchObject({ data: [{ version: 2 }], nextCursor: '2' });
    expect(await page('&cursor=2')).toMatchObject({ data: [{ version: 1 }], nextCursor: null });
    expect(await (await rollBack(2)).json()).toMatchObject({ version: 3, displayName: `Alpine ${run}` });
    expect(await page()).toMatchObject({
      data: [{ version: 3, action: 'rolled_back', copyOf: 1, fields: ['displayName', 'origins'] }],
    });
    for (const cursor of ['x', '1x', 'x1', '1'.repeat(16)]) {
      await expectProblem(operator(`/${id}/versions?cursor=${cursor}`), 400, { param: 'cursor' });
    }
    await expectProblem(rollBack(3, 9), 400, { param: 'version' });
  });

  test('is not asked for while it is made', async () => {
    await put();
    const announced = holdMethod(PropertyDirectoryObject.prototype, 'announce', { isDone: true });
    const change = patch({ displayName: 'Slow' }, 1);
    await expect.poll(async () => (await pendingChanges()).length).toBe(1);
    await runDirectoryAlarm();
    expect(await pendingChanges()).toEqual([{ id, version: 2 }]);
    announced.goOn();
    expect(await (await change).json()).toMatchObject({ version: 2, displayName: 'Slow' });
    expect(await pendingChanges()).toEqual([]);
  });

  test('is not made while the directory does not answer', async () => {
    await put();
    const announce = vi.spyOn(PropertyDirectoryObject.prototype, 'announce').mockRejectedValue(new Error('away'));
    await expectProblem(patch({ displayName: 'X' }, 1), 503, { code: 'property_unavailable' });
    announce.mockRestore();
    expect(await shown()).toMatchObject({ version: 1, displayName: `Alpine ${run}` });
  });
});

describe('what is told of a change', () => {
  test('is not that it counts, while the directory has not heard of it', async () => {
    await put();
    const publish = vi.spyOn(PropertyDirectoryObject.prototype, 'publish').mockRejectedValue(new Error('away'));
    // Stored, so that nobody is told to repeat it: with the same version that is a conflict.
    const removed = await remove(1);
    expect([removed.status, removed.headers.get('retry-after')]).toEqual([500, null]);
    expect(await removed.json()).toMatchObject({ code: 'internal', detail: expect.stringContaining('is stored') });
    await expectProblem(remove(1), 412, { code: 'version_conflict' });
    await expectProblem(remove(2), 500, { code: 'internal' });
    publish.mockRestore();
    expect(await (await remove(2)).json()).toMatchObject({ status: 'removed', version: 2 });
    passSeconds(COPY_SECONDS);
    await expectProblem(callAsHotel(), 401, { code: 'unauthorized' });
  });

  test('is that change, although another one follows at once', async () => {
    await put();
    const published = holdMethod(PropertyDirectoryObject.prototype, 'publish');
    const first = patch({ displayName: 'First' }, 1);
    await expect.poll(async () => (await shown()).version).toBe(2);
    await patch({ displayName: 'Second' }, 2);
    published.goOn();
    expect(await (await first).json()).toMatchObject({ version: 2, displayName: 'First' });
    vi.restoreAllMocks();
  });

  test('is told late, and leaves alone the keys that a newer change has claimed', async () => {
    const [older, newer, another] = await Promise.all(
      ['older', 'newer', 'another'].map((name) => sha256Hex(`${name} ${run}`)),
    );
    const told = { id, displayName: 'Late', livemode: false, isRemoved: false, updatedAt: 0 };
    expect(await directory.announce(id, 1, [older ?? ''])).toBeNull();
    await directory.publish({ ...told, version: 1 }, [older ?? '']);
    expect(await directory.announce(id, 2, [newer ?? ''])).toBeNull();
    await directory.publish({ ...told, version: 1 }, [older ?? '']);
    expect(await directory.announce(`${id}_other`, 1, [newer ?? ''])).toBe(newer);
    await directory.publish({ ...told, version: 2 }, [newer ?? '']);
    expect(await directory.ownerOf(newer ?? '')).toBe(id);
    expect(await directory.ownerOf(older ?? '')).toBeNull();
    await directory.publish({ ...told, version: 1 }, [older ?? '']);
    const query = { patterns: [id], search: null, isRemoved: null, after: '', limit: 1 };
    expect(await directory.list(query)).toMatchObject([{ version: 2 }]);
    // A claim that came to nothing is free with the next version.
    expect(await directory.announce(id, 3, [another ?? ''])).toBeNull();
    await directory.publish({ ...told, version: 3 }, [newer ?? '']);
    expect(await directory.ownerOf(another ?? '')).toBeNull();
  });
});

describe('a hotel that is removed', () => {
  test('takes nothing new; what was begun reaches its end, and is told', async () => {
    await put();
    const session = await newSession();
    await startAttempt(session);
    const waiting = await newSession({ reference: 'R2' });
    const link = await merchant(`/v1/checkout-sessions/${waiting.id}/link`, { method: 'POST', key });
    const { pathname } = new URL((await link.json<{ url: string }>()).url);
    expect(await (await remove(1)).json()).toMatchObject({ status: 'removed', version: 2 });
    const detail = expect.stringContaining('was removed');
    await expectProblem(patch({ acceptedBrands: ['visa'] }, 2), 400, { code: 'invalid_request', detail });
    passSeconds(COPY_SECONDS);
    await expectProblem(callAsHotel(), 401, { code: 'unauthorized' });
    await expectProblem(startAttempt(waiting), 503, { code: 'property_unavailable' });
    // Pressed on a page of before.
    const refused = await (await submit(pathname)).text();
    expect(refused).toContain('<h1>This payment has expired</h1>');
    expect(refused).not.toContain('Please try again');
    fakes.upstream.pay(session.id);
    vi.setSystemTime(Date.now() + 10_000);
    await runSessionAlarm(session.id);
    expect(await (await guest('/v1/checkout', session.clientSecret)).json()).toMatchObject({ status: 'succeeded' });
    expect(await (await rollBack(2)).json()).toMatchObject({ status: 'active', version: 3 });
    passSeconds(COPY_SECONDS);
    expect((await retrieve(session.id, key)).status).toBe('succeeded');
  });

  test('is forgotten after 30 days but for its history', async () => {
    await put();
    await remove(1);
    vi.setSystemTime(Date.now() + 30 * 86_400_000);
    await inProperty(async (object, sql) => {
      await object.alarm();
      expect(sql.exec('SELECT version FROM version WHERE sealed IS NOT NULL').toArray()).toEqual([]);
    });
    expect(await shown()).toMatchObject({ status: 'removed', settings: null });
    passSeconds(COPY_SECONDS);
    await expectProblem(callAsHotel(), 401, { code: 'unauthorized' });
    const act = merchant('/v1/checkout-sessions', { key: PLATFORM_KEYS.all, headers: { 'innkeep-property': id } });
    await expectProblem(act, 404, { code: 'not_found', param: 'Innkeep-Property' });
    expect(await (await put({}, 2)).json()).toMatchObject({ status: 'active', version: 3 });
  });
});

test('the list is by id, in pages, with the hotels of secrets, and can be searched', async () => {
  const ids = ['c', 'a', 'b'].map((letter) => `list_${run}_${letter}`);
  for (const each of ids) {
    id = each;
    key = `sk_test_${id}_${'k'.repeat(40)}`;
    await put({ displayName: `Haus ${each.at(-1)?.toUpperCase()} Übersee` });
  }
  const read = async (query: string): Promise<{ data: Json[]; nextCursor: string | null }> =>
    (await operator(`?${query}`)).json();
  const first = await read(`search=list_${run}&limit=2`);
  expect(first.data.map((each) => each.id)).toEqual([`list_${run}_a`, `list_${run}_b`]);
  const second = await read(`search=list_${run}&limit=2&cursor=${first.nextCursor}`);
  expect([second.data.map((each) => each.id), second.nextCursor]).toEqual([[`list_${run}_c`], null]);
  expect((await read('search=%C3%9CBERSEE')).data).toHaveLength(3);
  expect((await read('search=hotel%20aurora')).data).toMatchObject([{ id: 'aurora', source: 'secret' }]);
  expect((await read('search=broken')).data).toMatchObject([{ id: 'broken', status: 'unusable' }]);
  expect((await read(`search=list_${run}&status=removed`)).data).toEqual([]);
  expect((await read('search=hotel%20aurora&status=removed')).data).toEqual([]);
  await remove(1);
  expect((await read(`search=list_${run}&status=active&limit=2`)).nextCursor).toBeNull();
  expect((await read(`search=list_${run}&status=removed`)).data).toMatchObject([{ id, status: 'removed' }]);
});

test('a platform key is for its hotels alone', async () => {
  await put();
  expect((await operator(`/${id}`, { as: PLATFORM_KEYS.some })).status).toBe(200);
  const detail = 'This key is not for this property';
  await expectProblem(operator('/aurora', { as: PLATFORM_KEYS.some }), 403, { code: 'forbidden', detail });
  const { data, coversAll } = await shown('', PLATFORM_KEYS.some);
  const ids = (data as { id: string }[]).map((each) => each.id);
  expect([ids.every((each) => each.startsWith('alpine_')), coversAll]).toEqual([true, false]);
  expect(await shown('?search=nobody-at-all')).toMatchObject({ data: [], coversAll: true });
  await expectProblem(operator(`/${id}`, { as: 'pk_test_alpine_wrong' }), 401, { code: 'unauthorized' });
});

describe('a platform without livemode', () => {
  const LIVE = { livemode: true, origins: ['https://alpine.example'] };
  const takeOver = (): Promise<Response> => put({}, '*', VALLEY_KEYS.all);
  const add = (): Promise<Response> => put({}, undefined, VALLEY_KEYS.all);
  const keep = (...updates: LedgerUpdate[]): Promise<void> => env.LEDGERS.getByName(id).append(id, updates);

  beforeEach(() => {
    id = `valley_${run}`;
    key = `sk_test_${id}_${'k'.repeat(40)}`;
  });

  test.each([
    ['a live one', LIVE],
    ['any other', {}],
  ])('takes over no hotel that nobody can open, be it %s', async (_what, changes) => {
    await put(changes);
    await overwrite(await sealedBy('ef'.repeat(32), changes));
    await expectProblem(takeOver(), 403, { code: 'forbidden' });
    await expectProblem(operator(`/${id}`, { method: 'DELETE', version: '*', as: VALLEY_KEYS.all }), 403, {});
    expect((await remove(1)).status).toBe(200);
    await overwrite(null);
    await expectProblem(takeOver(), 403, { code: 'forbidden' });
    expect((await put({}, '*')).status).toBe(200);
  });

  test('takes over no live hotel once its texts are erased, but has a test hotel again', async () => {
    await put(LIVE);
    await remove(1);
    await overwrite(null);
    await expectProblem(takeOver(), 403, { code: 'forbidden' });
    await put({}, 2);
    await remove(3);
    await overwrite(null);
    const list = vi.spyOn(PropertyDirectoryObject.prototype, 'list').mockRejectedValue(new Error('away'));
    await expectProblem(takeOver(), 503, { code: 'property_unavailable' });
    list.mockRestore();
    expect(await (await takeOver()).json()).toMatchObject({ status: 'active', version: 5 });
  });

  test('takes over no hotel that was live as a secret of the deployment, and is none any more', async () => {
    const test = (n: number) => listedSession(n, [], { createdAt: CREATED_AT + n });
    await keep(test(1), listedSession(2, [], { livemode: true, createdAt: CREATED_AT + 2 }), test(3));
    await expectProblem(add(), 403, { code: 'forbidden', detail: expect.stringContaining('has real payments') });
    await expectProblem(operator(`/${id}`), 404, { code: 'not_found' });
    expect((await put()).status).toBe(201);
    const changed = { method: 'PATCH', body: { displayName: 'Test' }, version: 1, as: VALLEY_KEYS.all };
    await expectProblem(operator(`/${id}`, changed), 403, { code: 'forbidden' });
    await remove(1);
    await expectProblem(rollBack(2, 1, VALLEY_KEYS.all), 403, { code: 'forbidden' });
    await expectProblem(takeOver(), 403, { code: 'forbidden' });
  });

  test('adds a hotel whose ledger has test payments alone, and none while it does not say so', async () => {
    await keep(listedSession(1, [], { createdAt: CREATED_AT }));
    const asked = vi.spyOn(LedgerObject.prototype, 'hasLivePayments').mockRejectedValue(new Error('away'));
    await expectProblem(add(), 503, { code: 'property_unavailable' });
    asked.mockRestore();
    expect((await add()).status).toBe(201);
  });

  test('acts for a hotel that was live until somebody has paid', async () => {
    await put();
    const read = () => merchant('/v1/events', { key: VALLEY_KEYS.all, headers: { 'innkeep-property': id } });
    expect((await read()).status).toBe(200);
    await keep(listedSession(1, [], { createdAt: CREATED_AT }));
    expect((await read()).status).toBe(200);
    await keep(listedSession(1, [], { livemode: true, createdAt: CREATED_AT, seq: 9 }));
    await expectProblem(read(), 403, {
      code: 'forbidden',
      param: 'Innkeep-Property',
      detail: expect.stringContaining('has real payments'),
    });
    const asked = vi.spyOn(LedgerObject.prototype, 'hasLivePayments').mockRejectedValue(new Error('away'));
    await expectProblem(read(), 503, { code: 'property_unavailable' });
    asked.mockRestore();
  });

  test('puts nothing in the place of a live hotel that is a secret of the deployment', async () => {
    id = 'borealis';
    await expectProblem(add(), 403, { code: 'forbidden' });
    await expectProblem(operator('/borealis/versions'), 409, { code: 'configured_by_secret' });
  });
});

describe('keys', () => {
  /** Gives an object an older sealing key besides. */
  function sealAlsoBy(older: string, object: PropertyObject): void {
    const bindings = (object as unknown as { env: { SEALING_KEYS: string } }).env;
    vi.spyOn(bindings, 'SEALING_KEYS', 'get').mockReturnValue(`${SEALING_KEY} ${older}`);
  }

  test('show the hour in which they were last used, of whatever hotel', async () => {
    await put();
    const hour = new Date(Date.now() - (Date.now() % 3_600_000)).toISOString();
    const used = async (hotel: string) => {
      const { settings } = await (await operator(`/${hotel}`)).json<PropertyResource>();
      return settings?.merchantKeys.map(({ id: name, lastUsedAt }) => [name, lastUsedAt]);
    };
    expect(await used(id)).toEqual([['k0', null]]);
    await callAsHotel();
    await merchant('/v1/events');
    await vi.waitFor(async () => expect(await used(id)).toEqual([['k0', hour]]));
    await vi.waitFor(async () => expect((await used('aurora'))?.[0]).toEqual(['web', hour]));
    const { data } = await (await merchant('/v1/platform/keys', { key: PLATFORM_KEYS.all })).json<PlatformKeyList>();
    expect(data).toContainEqual(
      expect.objectContaining({ id: 'all', properties: ['*'], lastUsedAt: expect.any(String) }),
    );
  });

  test('that sealed are replaced by the newest', async () => {
    await put();
    const older = 'ab'.repeat(32);
    await overwrite(await sealedBy(older));
    expect(await shown()).toMatchObject({ status: 'unusable', problem: { field: '' } });
    await inProperty(async (object) => {
      sealAlsoBy(older, object);
      expect(await object.reseal()).toEqual({ ok: true, value: 1 });
      expect(await object.reseal()).toEqual({ ok: true, value: 0 });
    });
    expect(await (await operator(`/${id}/reseal`, { method: 'POST' })).json()).toMatchObject({ resealed: 0 });
    expect(await shown()).toMatchObject({ status: 'active' });
  });

  test.each([
    ['just before', 0],
    ['just after', 1],
  ])('that sealed are replaced in a property, too, that is removed %s', async (_when, first) => {
    await put();
    const older = 'cd'.repeat(32);
    await overwrite(await sealedBy(older));
    await inProperty(async (object) => {
      sealAlsoBy(older, object);
      const acts = [
        () => object.change(id, { edit: { action: 'removed' }, by: ACTOR, expected: [1], mayBeLive: false }),
        () => object.reseal(),
      ];
      await Promise.all((first === 0 ? acts : acts.reverse()).map((act) => act()));
      expect((await object.versions(null, 9)).ok && (await object.reseal())).toEqual({ ok: true, value: 0 });
    });
    expect(await shown()).toMatchObject({ status: 'removed', version: 2 });
  });
});

test('the object of a hotel that nobody has added answers that there is nothing, and stores nothing', async () => {
  const nobody = env.PROPERTIES.getByName('nobody');
  const always = { from: 0, to: Number.MAX_SAFE_INTEGER, cursor: null, isAscending: true, limit: 10 };
  expect([await nobody.read(), await nobody.audit(always)]).toEqual([null, []]);
  expect(await runInDurableObject(nobody, (_object, { storage }) => tablesOf(storage))).toEqual([]);
});
