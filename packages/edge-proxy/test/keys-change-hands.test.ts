/** A key belongs to one hotel, for as long as that hotel has it: then it is free, and another one's everywhere. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { sha256Hex } from '../src/http/hash.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import { PropertyDirectoryObject } from '../src/properties/property-directory-object.ts';
import type { PropertyObject } from '../src/properties/property-object.ts';
import { type Json, merchant } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';

useFakes();
let run = 0;
let first = '';
let second = '';
/** Of the form that does not say whose it is: the directory has to be asked. */
let key = '';

const directory = env.DIRECTORIES.getByName('properties');
const newest = { 'if-match': '*' };
const own = (id: string): string => `sk_test_${id}_${'o'.repeat(40)}`;
const put = async (id: string, keys: readonly string[]): Promise<Response> =>
  operator(id, { method: 'PUT', body: await hotelWith(keys), headers: newest });
const remove = (id: string): Promise<Response> => operator(id, { method: 'DELETE', headers: newest });
/** As long as a change may take until it counts everywhere. */
const passFiveSeconds = (): unknown => vi.setSystemTime(Date.now() + 5_000);

/** As another isolate knows the hotels: whatever is changed, nobody tells it. */
const elsewhere = propertiesOf({ ...(env as unknown as PropertyBindings) });
const servedElsewhere = async (secret = key): Promise<unknown> => (await elsewhere.findByKey(secret))?.property.id;
const servedHere = async (): Promise<unknown> => (await (await merchant('/v1/status', { key })).json<Json>()).property;

const expectTaken = (answer: Promise<Response>, nth: number): Promise<void> =>
  expectProblem(answer, 400, { param: `merchantKeys.${nth}.sha256` });

beforeEach(async () => {
  run += 1;
  first = `first_${run}`;
  second = `second_${run}`;
  key = `sk_test_${run}-of-the-form-before`;
  await addHotel(first, [own(first), key]);
  await addHotel(second, [own(second)]);
  passFiveSeconds();
  // Twice, so that it is known by now that nothing has changed.
  for (let times = 0; times < 2; times++) expect([await servedElsewhere(), await servedHere()]).toEqual([first, first]);
});

test('the keys of a hotel that is removed are free, and it cannot have them back from another', async () => {
  expect((await remove(first)).status).toBe(200);
  expect((await put(second, [own(second), own(first), key])).status).toBe(200);
  expect(await servedHere()).toBe(second);
  passFiveSeconds();
  expect([await servedElsewhere(), await servedElsewhere(own(first))]).toEqual([second, second]);
  const back = operator(`${first}/roll-back`, { method: 'POST', body: { version: 1 }, headers: newest });
  await expectTaken(back, 0);
  expect(await (await operator(first)).json()).toMatchObject({ status: 'removed' });
});

test('a key that is taken out of a hotel is free, and its new one’s wherever it was the old one’s', async () => {
  expect((await put(first, [own(first)])).status).toBe(200);
  expect((await put(second, [own(second), key])).status).toBe(200);
  expect(await servedHere()).toBe(second);
  passFiveSeconds();
  expect(await servedElsewhere()).toBe(second);
  expect((await put(second, [own(second)])).status).toBe(200);
  expect((await put(first, [own(first), key])).status).toBe(200);
  passFiveSeconds();
  expect([await servedElsewhere(), await servedHere()]).toEqual([first, first]);
});

test('a directory that does not answer keeps no hotel from its payments, and calls no key wrong that may have changed hands', async () => {
  for (const method of ['ownerOf', 'has'] as const) {
    vi.spyOn(PropertyDirectoryObject.prototype, method).mockRejectedValue(new Error('away'));
  }
  passFiveSeconds();
  expect([await servedElsewhere(), await servedHere()]).toEqual([first, first]);
  expect((await put(first, [own(first)])).status).toBe(200);
  passFiveSeconds();
  await expect(servedElsewhere()).rejects.toMatchObject({ code: 'property_unavailable' });
});

/** What the directory does about changes whose end it has not heard of. */
const askAboutChanges = (): Promise<void> => {
  vi.setSystemTime(Date.now() + 2_000);
  return runInDurableObject(directory, (object: PropertyDirectoryObject) => object.alarm());
};

test.each([
  ['a hotel that was never made', 1, () => [`nobody_${run}`, []] as const],
  ['a change that never came', 2, () => [first, [key]] as const],
])('a key that was announced for %s is free once the directory has asked', async (_, version, announced) => {
  const [id, others] = announced();
  await directory.announce(id, version, await Promise.all([...others, `new ${run}`].map(sha256Hex)));
  await expectTaken(put(second, [own(second), `new ${run}`]), 1);
  await askAboutChanges();
  expect((await put(second, [own(second), `new ${run}`])).status).toBe(200);
  await expectTaken(put(second, [own(second), key]), 1);
});

test('a hotel that nobody can open for a while keeps its keys', async () => {
  const seal = (sealed: string) =>
    runInDurableObject(env.PROPERTIES.getByName(first), (_object: PropertyObject, { storage }) => {
      const [row] = storage.sql.exec<{ sealed: string }>('SELECT sealed FROM version').toArray();
      storage.sql.exec('UPDATE version SET sealed = ?', sealed);
      return row?.sealed ?? '';
    });
  const sealed = await seal('of a key that is not there');
  await directory.announce(first, 2, []);
  await askAboutChanges();
  await seal(sealed);
  await expectTaken(put(second, [own(second), key]), 1);
  passFiveSeconds();
  expect(await propertiesOf({ ...(env as unknown as PropertyBindings) }).findByKey(key)).toMatchObject({
    property: { id: first },
  });
});

test('a hotel whose object was set back keeps its keys once the directory, which knows a newer version, has asked', async () => {
  const back = async (ifMatch: string, displayName: string): Promise<Response> => {
    const body = await hotelWith([key], { displayName });
    return operator(first, { method: 'PUT', body, headers: { 'if-match': ifMatch } });
  };
  for (const version of [1, 2]) expect((await back(`"${version}"`, `After ${version}`)).status).toBe(200);
  const object = env.PROPERTIES.getByName(first);
  await runInDurableObject(object, (_object, { storage }) => {
    storage.sql.exec('DELETE FROM version WHERE version > 1');
  });
  await evictDurableObject(object);
  passFiveSeconds();
  expect(await (await back('*', 'Again')).json()).toMatchObject({ version: 2 });
  for (let times = 0; times < 2; times++) {
    passFiveSeconds();
    await runInDurableObject(directory, (asked) => asked.alarm());
    expect(await directory.ownerOf(await sha256Hex(key))).toBe(first);
    expect((await merchant('/v1/status', { key })).status).toBe(200);
  }
});
