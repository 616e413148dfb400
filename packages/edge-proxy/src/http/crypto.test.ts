import { describe, expect, test, vi } from 'vitest';
import { derivedKey } from './derived-key.ts';
import { fromBase64Url, toBase64Url, toCrockford } from './encoding.ts';
import { isEqualConstantTime, sha256Hex } from './hash.ts';
import { newCapability, pairEventId, sessionIdOf, versionEventId } from './ids.ts';
import { seal, unseal } from './seal.ts';

describe('sealing', () => {
  test('opens with the same place and secret', async () => {
    const sealed = await seal('token', 'place', ['password']);
    expect(sealed).not.toContain('token');
    expect(await unseal(sealed, 'place', ['password'])).toBe('token');
  });

  test('opens with an older secret, and seals with the newest', async () => {
    expect(await unseal(await seal('token', 'place', ['old']), 'place', ['new', 'old'])).toBe('token');
    expect(await unseal(await seal('token', 'place', ['new', 'old']), 'place', ['old'])).toBeUndefined();
  });

  test('opens nowhere else', async () => {
    const sealed = await seal('token', 'place', ['password']);
    expect(await unseal(sealed, 'other place', ['password'])).toBeUndefined();
    expect(await unseal(sealed, 'place', ['other'])).toBeUndefined();
    expect(await unseal(`${sealed.slice(0, -4)}AAAA`, 'place', ['password'])).toBeUndefined();
  });

  test('opens nothing that it has not sealed', async () => {
    const sealed = await seal('token', 'place', ['password']);
    const [version, iv, data] = sealed.split('.');
    for (const other of ['', 'nonsense', `${version}.${iv}`, `${version}..${data}`, `v2.${iv}.${data}`])
      expect(await unseal(other, 'place', ['password'])).toBeUndefined();
  });

  test('derives a key once, which never leaves the process, until there are a hundred others', async () => {
    const derive = vi.spyOn(crypto.subtle, 'deriveKey');
    const count = async (secret: string): Promise<number> => {
      const before = derive.mock.calls.length;
      await derivedKey(secret, 'seal');
      return derive.mock.calls.length - before;
    };
    // Whatever is known from before is forgotten on the way.
    for (let nth = 0; nth < 100; nth++) await count(`before-${nth}`);
    const forgotten: number[] = [];
    for (let nth = 0; nth < 100; nth++) {
      await count(`secret-${nth}`);
      if ((await count('before-99')) > 0) forgotten.push(nth);
      expect(await count(`secret-${nth}`)).toBe(0);
    }
    // It depends on what is known at the start whether that is once or twice.
    expect([1, 2]).toContain(forgotten.length);
    expect(derive.mock.calls.map(([, , , isExtractable]) => isExtractable)).not.toContain(true);
  });

  test('never seals the same text alike', async () => {
    expect(await seal('a', 'p', ['w'])).not.toBe(await seal('a', 'p', ['w']));
  });
});

describe('ids', () => {
  test('of events are the same for the same version', async () => {
    const version = { id: 'ch_1', createdAt: 1, seq: 2 };
    const id = await versionEventId(version);
    expect(id).toMatch(/^ev_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await versionEventId({ ...version })).toBe(id);
    for (const other of [{ id: 'ch_2' }, { createdAt: 2 }, { seq: 3 }]) {
      expect(await versionEventId({ ...version, ...other })).not.toBe(id);
    }
  });

  test('of events about two payments are of these two, and stay what they were', () => {
    expect(pairEventId('cs_1 cs_2')).toBe('ev_KV1H5D4P8ZQXN9VA260S6PZ1CE');
    expect(pairEventId('cs_1 cs_3')).not.toBe(pairEventId('cs_1 cs_2'));
  });

  test('lead their capability', () => {
    const id = `cs_${'0A'.repeat(13)}`;
    const capability = newCapability(id);
    expect(capability).toMatch(/^cs_[0-9A-Z]{26}_[A-Za-z0-9_-]{43}$/);
    expect(sessionIdOf(capability)).toBe(id);
    expect(sessionIdOf(id)).toBeUndefined();
    expect(sessionIdOf(`${capability}x`)).toBeUndefined();
  });
});

test('encodings agree with known values', async () => {
  expect(toCrockford(new Uint8Array([0xff, 0xff, 0xff, 0xff, 0xff]), 8)).toBe('ZZZZZZZZ');
  expect(toCrockford(new Uint8Array([0, 0, 0, 0, 1]), 8)).toBe('00000001');
  expect([...fromBase64Url(toBase64Url(new Uint8Array([250, 251, 252, 253])))]).toEqual([250, 251, 252, 253]);
  expect(await sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('constant-time comparison compares', () => {
  expect(isEqualConstantTime('abc', 'abc')).toBe(true);
  expect(isEqualConstantTime('abc', 'abd')).toBe(false);
  expect(isEqualConstantTime('abc', 'abcd')).toBe(false);
});
