/** How old a copy of a configuration can be, and what happens when nobody answers. */
import { beforeEach, expect, test, vi } from 'vitest';
import { AURORA, SEALING_KEY } from '../../test-support/environment.ts';
import { PropertyCopies } from './property-copies.ts';
import type { PropertyDirectoryObject } from './property-directory-object.ts';
import type { PropertyObject } from './property-object.ts';

/** What the objects hold. */
let names: Record<string, string>;
let version: number;
/** Ids of the properties whose objects were read. */
let reads: string[];
let readOf: () => Promise<void>;
let hasOf: () => Promise<void>;
let hasQuestions: number;
let owners: Record<string, string>;
let ownerQuestions: number;
let copies: PropertyCopies;

async function nameOf(id: string): Promise<string | undefined> {
  const property = await copies.find(id);
  if (property === undefined) return undefined;
  return property.invalid ? property.message : property.displayName;
}

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** The hotel's name becomes this one, in the version that its number says; `A` alone is the first. */
function rename(name: string): void {
  [version, names.a] = [Number(name.slice(1)) || 1, name];
}

/** Begins a read that is answered, with what there is now, when `answer` is called. Later ones are answered at once. */
async function beginRead(id = 'a'): Promise<{ asked: Promise<string | undefined>; answer: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  readOf = () => promise;
  const asked = nameOf(id);
  await vi.advanceTimersByTimeAsync(0);
  readOf = async () => undefined;
  return { asked, answer: resolve };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_000_000 });
  names = { a: 'A', b: 'B' };
  version = 1;
  reads = [];
  readOf = async () => undefined;
  hasOf = async () => undefined;
  hasQuestions = 0;
  owners = {};
  ownerQuestions = 0;
  const directory = {
    has: async (id: string) => {
      hasQuestions += 1;
      await hasOf();
      return id in names;
    },
    ownerOf: async (sha256: string) => {
      ownerQuestions += 1;
      return owners[sha256] ?? null;
    },
  };
  const property = (id: string) => ({
    read: async () => {
      reads.push(id);
      const fields = { ...AURORA, displayName: names[id] };
      const read = version;
      await readOf();
      // Not known to the object itself either.
      if (fields.displayName === undefined) return null;
      return { version: read, isRemoved: false, fields: JSON.stringify(fields) };
    },
  });
  // Only what is called of a namespace and of a stub is there.
  const namespace = (stub: (name: string) => object) => ({ getByName: stub }) as unknown;
  copies = new PropertyCopies(
    namespace(() => directory) as DurableObjectNamespace<PropertyDirectoryObject>,
    namespace(property) as DurableObjectNamespace<PropertyObject>,
    { placement: {}, sealingKeys: [SEALING_KEY] },
  );
});

test('a copy serves for two seconds, and is read anew by whoever needs it then', async () => {
  expect([await nameOf('a'), await nameOf('b'), await nameOf('a')]).toEqual(['A', 'B', 'A']);
  pass(1_999);
  names.a = 'A2';
  expect([await nameOf('a'), reads]).toEqual(['A', ['a', 'b']]);
  pass(1);
  expect([await nameOf('a'), reads]).toEqual(['A2', ['a', 'b', 'a']]);
});

test('while one reads the others go on, but not with what is four seconds old, and what comes late is not kept', async () => {
  await nameOf('a');
  pass(3_500);
  const first = await beginRead();
  names.a = 'A2';
  expect(await nameOf('a')).toBe('A');
  pass(500);
  expect(await nameOf('a')).toBe('A2');
  first.answer();
  expect(await first.asked).toBe('A');
  expect(await nameOf('a')).toBe('A2');
});

test('an object that does not answer keeps nobody waiting for long while the copy is young', async () => {
  await nameOf('a');
  pass(2_000);
  const first = await beginRead();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first.asked).toBe('A');
  readOf = () => Promise.reject(new DOMException('', 'TimeoutError'));
  expect([await nameOf('a'), reads.length]).toEqual(['A', 3]);
  pass(1_000);
  expect(await nameOf('a')).toBe('cannot be read right now; try again');
  // Whoever has no copy has nothing better to do than to wait.
  readOf = () => new Promise((resolve) => setTimeout(resolve, 1_500));
  const patient = nameOf('b');
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await patient).toBe('B');
});

test('a clock that is put back does not make a copy young again', async () => {
  await nameOf('a');
  names.a = 'A2';
  pass(-600_000);
  expect(await nameOf('a')).toBe('A2');
  names.a = 'A3';
  expect(await nameOf('a')).toBe('A2');
});

test('an object that fails makes a property that cannot be read now, and one that nobody made is none', async () => {
  readOf = () => Promise.reject(new Error('gone'));
  expect(await nameOf('a')).toBe('cannot be read right now; try again');
  expect([await nameOf('nobody'), reads]).toEqual([undefined, ['a', 'a']]);
});

test('an object that has lost its property makes none, whether there is a copy or the directory cannot say', async () => {
  await nameOf('a');
  names = {};
  pass(2_000);
  expect(await nameOf('a')).toBeUndefined();
  hasOf = () => Promise.reject(new Error('gone'));
  expect(await nameOf('a')).toBeUndefined();
});

test('a copy that is used again is the same object, until it changes; two thousand are at most', async () => {
  for (let nth = 0; nth < 2_001; nth++) names[`many_${nth}`] = `Hotel ${nth}`;
  const [first, together] = await Promise.all([copies.find('a'), copies.find('a')]);
  expect(together).toBe(first);
  expect(await copies.find('a')).toBe(first);
  expect(first).toMatchObject({ invalid: false, isRemoved: false, sealingKeys: [SEALING_KEY] });
  pass(2_000);
  expect(await copies.find('a')).toBe(first);
  names.a = 'A2';
  pass(2_000);
  expect(await copies.find('a')).not.toBe(first);
  const second = await copies.find('a');
  for (let nth = 0; nth < 1_999; nth++) await copies.find(`many_${nth}`);
  expect(await copies.find('a')).toBe(second);
  // The least recently used go.
  await copies.find('many_1999');
  expect(await copies.find('a')).toBe(second);
  for (let nth = 0; nth < 2_000; nth++) await copies.find(`many_${nth}`);
  expect(await copies.find('a')).not.toBe(second);
  expect(await copies.find('a')).toEqual(second);
  expect(reads.filter((id) => id === 'a')).toHaveLength(4);
});

test('the copies take sixteen million characters together: the least recently used go', async () => {
  const room = 4_000_000 - JSON.stringify({ ...AURORA, displayName: '' }).length;
  for (const id of 'abcde') names[id] = id.repeat(room);
  const find = async (ids: string): Promise<void> => {
    for (const id of ids) await copies.find(id);
  };
  await find('a');
  pass(1_000);
  await find('bcd');
  pass(1_000);
  // Read again as it was; then one has to go, and only one.
  await find('a');
  await find('e');
  await find('cdae');
  expect(reads.join('')).toBe('abcdae');
  await find('b');
  expect([reads.join(''), hasQuestions]).toEqual(['abcdaeb', 6]);
  // What has changed takes the place of what it was.
  names.a = 'A'.repeat(room);
  pass(2_000);
  await find('adeb');
  expect(hasQuestions).toBe(6);
});

test('a copy that nobody uses for ten minutes is forgotten', async () => {
  await nameOf('a');
  pass(599_999);
  await nameOf('b');
  await nameOf('a');
  expect(hasQuestions).toBe(2);
  pass(600_000);
  await nameOf('b');
  await nameOf('a');
  expect(hasQuestions).toBe(3);
});

test('an object that fails once is asked once more, but not when it took too long or has too much to do', async () => {
  const failOnce = (error: Error) => async (): Promise<void> => {
    readOf = async () => undefined;
    throw error;
  };
  readOf = failOnce(new Error('Network connection lost.'));
  expect([await nameOf('a'), reads]).toEqual(['A', ['a', 'a']]);
  for (const error of [
    new DOMException('', 'TimeoutError'),
    Object.assign(new Error('Too many requests'), { overloaded: true }),
  ]) {
    readOf = failOnce(error);
    expect(await nameOf('b')).toBe('cannot be read right now; try again');
  }
  expect(reads).toEqual(['a', 'a', 'b', 'b']);
});

test('a directory that cannot say whether there is a hotel keeps nobody from it, but no copy is kept', async () => {
  await nameOf('b');
  hasOf = () => Promise.reject(new Error('gone'));
  expect([await nameOf('a'), await nameOf('a'), reads]).toEqual(['A', 'A', ['b', 'a', 'a']]);
  hasOf = () => new Promise(() => undefined);
  const late = nameOf('a');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBe('A');
});

test('what is changed from here is read again at once, also when it is being read', async () => {
  await nameOf('a');
  names.a = 'A2';
  copies.forget('a');
  expect(await nameOf('a')).toBe('A2');
  const old = await beginRead('b');
  names.b = 'B2';
  copies.forget('b');
  old.answer();
  expect([await old.asked, await nameOf('b')]).toEqual(['B', 'B2']);
});

test('whose a key is that does not say it is asked again after ten minutes', async () => {
  owners = { hash: 'a' };
  await nameOf('a');
  expect([await copies.ownerOf('hash'), await copies.ownerOf('hash'), ownerQuestions]).toEqual(['a', 'a', 1]);
  pass(599_999);
  await nameOf('a');
  expect([await copies.ownerOf('hash'), ownerQuestions]).toEqual(['a', 1]);
  pass(1);
  await nameOf('b');
  expect([await copies.ownerOf('hash'), ownerQuestions]).toEqual(['a', 2]);
});

test('whose a key is, is asked again when it turns out to be wrong, and forgotten when it is nobody’s', async () => {
  owners = { hash: 'a' };
  await copies.ownerOf('hash');
  owners = { hash: 'b' };
  expect([await copies.ownerOf('hash', 'b'), await copies.ownerOf('hash', 'a')]).toEqual(['a', 'b']);
  expect([await copies.ownerOf('hash'), ownerQuestions]).toEqual(['b', 2]);
  owners = {};
  expect([await copies.ownerOf('hash', 'b'), await copies.ownerOf('hash'), ownerQuestions]).toEqual([
    undefined,
    undefined,
    4,
  ]);
});

test('whoever began to read before others had a newer version gets that, too, whether his answer is late or never comes', async () => {
  await nameOf('a');
  pass(3_500);
  const late = await beginRead();
  pass(600);
  rename('A2');
  expect(await nameOf('a')).toBe('A2');
  late.answer();
  expect(await late.asked).toBe('A2');
  // Of one that never comes.
  pass(3_500);
  const never = await beginRead();
  await vi.advanceTimersByTimeAsync(600);
  rename('A3');
  expect(await nameOf('a')).toBe('A3');
  await vi.advanceTimersByTimeAsync(400);
  expect(await never.asked).toBe('A3');
});

test('whoever began to read before it was changed from here gets what others have read since', async () => {
  await nameOf('a');
  pass(2_000);
  const old = await beginRead();
  rename('A2');
  copies.forget('a');
  expect(await nameOf('a')).toBe('A2');
  old.answer();
  expect([await old.asked, await nameOf('a')]).toEqual(['A2', 'A2']);
});

test('an older version that comes late takes the place of no newer one, except when that would have to be read anew', async () => {
  await nameOf('a');
  pass(4_000);
  rename('A3');
  const newer = await beginRead();
  await vi.advanceTimersByTimeAsync(1);
  rename('A2');
  const older = await beginRead();
  newer.answer();
  expect(await newer.asked).toBe('A3');
  older.answer();
  expect([await older.asked, await nameOf('a')]).toEqual(['A3', 'A3']);
  // What its object has now is right, even if it is older, as after a restored backup.
  pass(4_000);
  rename('A');
  expect([await nameOf('a'), await nameOf('a')]).toEqual(['A', 'A']);
});

test('a newer version that is answered last is kept, although it began to be read first: nobody gets the older one after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The first call is lost, and made again.
  readOf = async () => {
    if (reads.length > 1) return;
    await promise;
    throw new Error('Network connection lost.');
  };
  const first = nameOf('a');
  pass(1);
  expect(await nameOf('a')).toBe('A');
  rename('A2');
  resolve();
  expect([await first, await nameOf('a')]).toEqual(['A2', 'A2']);
  pass(1_900);
  expect([await nameOf('a'), reads.length]).toEqual(['A2', 3]);
});

test('a newer version is kept when another hotel is changed from here while it is read', async () => {
  await nameOf('a');
  pass(2_100);
  rename('A2');
  const first = await beginRead();
  copies.forget('b');
  first.answer();
  expect([await first.asked, await nameOf('a')]).toEqual(['A2', 'A2']);
  pass(900);
  expect([await nameOf('a'), reads.length]).toEqual(['A2', 2]);
});

test('a change that was taken back is not newer than what took it back, although that equals what was before', async () => {
  await nameOf('a');
  pass(3_500);
  rename('A2');
  const late = await beginRead();
  pass(600);
  [version, names.a] = [3, 'A'];
  expect(await nameOf('a')).toBe('A');
  late.answer();
  expect([await late.asked, await nameOf('a')]).toEqual(['A', 'A']);
});
