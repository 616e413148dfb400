import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { AURORA, SEALING_KEY } from '../../test-support/environment.ts';
import { ACTOR } from '../../test-support/records.ts';
import { OPEN, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { sha256Hex } from '../http/hash.ts';
import { type Property, parseProperty } from '../properties/configured-properties.ts';
import { ClientSecrets } from './client-secrets.ts';
import type { SessionStorage } from './session-storage.ts';

usePendingPage();
const PROPERTY = parseProperty('aurora', JSON.stringify(AURORA)) as Property;
const [OLD, NEW] = [SEALING_KEY, btoa('n'.repeat(32))];

/** The hotel of a deployment with these keys. */
function keyed(...sealingKeys: string[]): Property {
  return { ...PROPERTY, sealingKeys };
}

/** A session that has begun under the old key. */
function withSecrets(act: (secrets: ClientSecrets, store: SessionStorage, first: string) => Promise<void>) {
  return withSession(OPEN, async ({ store }) => {
    const secrets = new ClientSecrets(env, store);
    const { text, kept } = await secrets.first(OPEN, keyed(OLD));
    store.keepClientSecret(kept);
    return act(secrets, store, text);
  });
}

const opens = async (store: SessionStorage, text: string): Promise<boolean> =>
  store.clientSecret()?.hash === (await sha256Hex(text));

test('is the same however often it is asked for, and nothing of it is kept but its hash', () =>
  withSecrets(async (secrets, store, first) => {
    expect(first).toMatch(/^cs_1_[\w-]{43}$/);
    for (let i = 0; i < 7; i++) {
      expect(await secrets.issue(OPEN, keyed(OLD))).toEqual({ clientSecret: first, isReplay: false });
    }
    expect(store.clientSecret()).toEqual({
      generation: OPEN.createdAt + 1,
      hash: await sha256Hex(first),
      fingerprint: expect.stringMatching(/^[\w-]{12}$/),
    });
  }));

test('ends when it is rotated, once for each key of a call', () =>
  withSecrets(async (secrets, store, first) => {
    const second = await secrets.issue(OPEN, keyed(OLD), { rotate: true, key: 'a' });
    expect(second).toMatchObject({ isReplay: false });
    expect([await opens(store, first), await opens(store, second.clientSecret)]).toEqual([false, true]);
    // Lost on its way and sent again, the call ends nothing that is in use by now.
    expect(await secrets.issue(OPEN, keyed(OLD), { rotate: true, key: 'a' })).toEqual({ ...second, isReplay: true });
    const third = await secrets.issue(OPEN, keyed(OLD), { rotate: true });
    expect(await secrets.issue(OPEN, keyed(OLD), { rotate: true, key: 'a' })).toEqual({ ...third, isReplay: true });
    const fourth = await secrets.issue(OPEN, keyed(OLD), { rotate: true });
    expect(fourth.isReplay).toBe(false);
    expect(new Set([first, second.clientSecret, third.clientSecret, fourth.clientSecret]).size).toBe(4);
  }));

test('of calls at the same time is one', () =>
  withSecrets(async (secrets, store) => {
    const calls = Array.from({ length: 5 }, () => secrets.issue(OPEN, keyed(OLD), { rotate: true, key: 'a' }));
    const made = new Set((await Promise.all(calls)).map(({ clientSecret }) => clientSecret));
    expect(made.size).toBe(1);
    expect(store.clientSecret()?.generation).toBe(OPEN.createdAt + 2);
  }));

test('of calls at the same time that each want another one is another one each', () =>
  withSecrets(async (secrets, store, first) => {
    const calls = Array.from({ length: 3 }, () => secrets.issue(OPEN, keyed(OLD), { rotate: true }));
    const made = (await Promise.all(calls)).map(({ clientSecret }) => clientSecret);
    expect(new Set([first, ...made]).size).toBe(4);
    expect(store.clientSecret()?.generation).toBe(OPEN.createdAt + 4);
  }));

test('of a session that has none yet is its first one', () =>
  withSession(OPEN, async ({ store }) => {
    const secrets = new ClientSecrets(env, store);
    const { text } = await secrets.first(OPEN, keyed(OLD));
    expect(await secrets.issue(OPEN, keyed(OLD))).toEqual({ clientSecret: text, isReplay: false });
    expect(await opens(store, text)).toBe(true);
  }));

test('that somebody has ended is in the audit, once, and not when its key was taken out', () =>
  withSession(OPEN, async ({ store, row }) => {
    const secrets = new ClientSecrets(env, store);
    const rotations = (): number => row().split('client_secret.rotated').length - 1;
    await secrets.issue(OPEN, keyed(OLD), { rotate: false, key: 'a', actor: ACTOR });
    expect(rotations()).toBe(0);
    for (const keys of [[OLD], [OLD], [NEW]]) {
      await secrets.issue(OPEN, keyed(...keys), { rotate: true, key: 'a', actor: ACTOR });
      expect(rotations()).toBe(1);
    }
  }));

test('lives on under a new key in front, and is followed by another one when its own is taken out', () =>
  withSecrets(async (secrets, store, first) => {
    expect(await secrets.issue(OPEN, keyed(NEW, OLD))).toMatchObject({ clientSecret: first });
    // Nobody has asked since the old key went: the guest who has it goes on.
    expect(await opens(store, first)).toBe(true);
    const next = await secrets.issue(OPEN, keyed(NEW));
    expect([await opens(store, first), await opens(store, next.clientSecret)]).toEqual([false, true]);
    expect(await secrets.issue(OPEN, keyed(NEW))).toEqual(next);
  }));

test('of another deployment, or of another session, is another one', () =>
  withSecrets(async (secrets, _store, first) => {
    const others = [await secrets.first({ ...OPEN, id: 'cs_2' }, keyed(OLD)), await secrets.first(OPEN, keyed(NEW))];
    // A booking's number comes again once all of the session before was erased, and so does its id.
    others.push(await secrets.first({ ...OPEN, createdAt: OPEN.createdAt + 1 }, keyed(OLD)));
    const secretOf = (text: string): string => text.slice(text.lastIndexOf('cs_') + 5);
    expect(new Set([first, ...others.map(({ text }) => text)].map(secretOf)).size).toBe(4);
  }));

test('of a test hotel without sealing keys takes the password, which does not lie with the data', () =>
  withSession(OPEN, async ({ store }) => {
    const secrets = new ClientSecrets(env, store);
    const { text } = await secrets.first(OPEN, keyed());
    expect((await secrets.first(OPEN, keyed())).text).toBe(text);
    expect((await secrets.first(OPEN, { ...keyed(), password: 'another' })).text).not.toBe(text);
  }));
