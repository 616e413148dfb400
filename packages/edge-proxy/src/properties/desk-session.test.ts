import type { PlatformKey } from '@innkeep/core/contract';
import { describe, expect, test } from 'vitest';
import type { Property } from './configured-properties.ts';
import { featuresWithin, keyOfDesk, openedPage, type StoredDeskSession, usedPage } from './desk-session.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const OWN = { id: 'office', sha256: 'own', scopes: ['desk', 'read'] } as const;
const OF_GROUP: PlatformKey = { id: 'desk', sha256: 'group', scopes: ['desk', 'reversals'], properties: ['aur*'] };

function keyOf(keyHash: string, { livemode = false, isForLive = true, own = {}, ofGroup = {} } = {}) {
  const property = { id: 'aurora', livemode, merchantKeys: [{ ...OWN, ...own }] } as unknown as Property;
  const platform = { id: 'group', displayName: 'Group', livemode: isForLive, keys: [], webhooks: [] };
  const findByHash = (sha256: string) =>
    sha256 === 'group' ? { platform, key: { ...OF_GROUP, ...ofGroup } } : undefined;
  return keyOfDesk(keyHash, property, { platforms: { findByHash }, now: NOW })?.id;
}

test.each([
  ['its own key', 'own', {}, 'office'],
  ['its own key until it ends', 'own', { own: { expiresAt: '2026-06-01T12:00:00.001Z' } }, 'office'],
  ['its own key, whose end has come', 'own', { own: { expiresAt: '2026-06-01T12:00:00Z' } }, undefined],
  ['its own key, which makes no desks any more', 'own', { own: { scopes: ['read'] } }, undefined],
  ['its own key, from wherever it may be used', 'own', { own: { allowFrom: ['192.0.2.1'] } }, 'office'],
  ['a key that is gone', 'gone', {}, undefined],
  ['a platform’s key', 'group', {}, 'group/desk'],
  ['a platform’s key for other hotels', 'group', { ofGroup: { properties: ['borealis'] } }, undefined],
  ['a platform’s key, whose end has come', 'group', { ofGroup: { expiresAt: '2026-01-01T00:00:00Z' } }, undefined],
  ['a live hotel, a platform’s key', 'group', { livemode: true }, 'group/desk'],
  ['a live hotel, the key of a platform for trying', 'group', { livemode: true, isForLive: false }, undefined],
])('of %s', (_, keyHash, settings, expected) => {
  expect(keyOf(keyHash, settings)).toBe(expected);
});

test('a feature goes with its scope', () => {
  expect(featuresWithin(['read', 'reverse', 'export'], ['read', 'charges'])).toEqual(['read', 'export']);
});

describe('a page', () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const pageWith = (isOpen: boolean, changes: Partial<StoredDeskSession> & { endsAt?: number }): StoredDeskSession => {
    const { endsAt = NOW + 8 * HOUR, ...others } = changes;
    const expiresAt = NOW + 14 * MINUTE;
    return { page: { isOpen, endsAt }, revokedAt: null, expiresAt, ...others } as StoredDeskSession;
  };

  test.each([
    ['a minute after it was used last', {}, 15 * MINUTE],
    ['sooner than that', { expiresAt: NOW + 14 * MINUTE + 1 }, undefined],
    ['in its last moment', { expiresAt: NOW + 1 }, 15 * MINUTE],
    ['when it is over', { expiresAt: NOW }, undefined],
    ['shortly before it ends in any case', { endsAt: NOW + 5 * MINUTE, expiresAt: NOW + 4 * MINUTE }, 5 * MINUTE],
    ['after it was revoked', { revokedAt: NOW }, undefined],
  ])('that is used %s lasts as long as this says', (_, changes, left) => {
    const expiresAt = left === undefined ? undefined : NOW + left;
    expect(usedPage(pageWith(true, changes), NOW)?.expiresAt).toBe(expiresAt);
    expect(usedPage(pageWith(false, changes), NOW)).toBeUndefined();
  });

  test.each([
    ['in time', {}, true],
    ['in the last moment', { expiresAt: NOW + 1 }, true],
    ['too late', { expiresAt: NOW }, false],
    ['after it was revoked', { revokedAt: NOW }, false],
  ])('is opened once, and not unless it is %s', (_, changes, isOpened) => {
    const opened = openedPage(pageWith(false, changes), 'secret', NOW);
    expect([opened?.page?.isOpen, opened?.hash, opened?.expiresAt]).toEqual(
      isOpened ? [true, 'secret', NOW + 15 * MINUTE] : [undefined, undefined, undefined],
    );
    expect(openedPage(pageWith(true, changes), 'secret', NOW)).toBeUndefined();
  });

  test('is no session of the hotel’s own page', () => {
    const { page: _, ...own } = pageWith(true, {});
    expect([usedPage(own, NOW), openedPage(own, 'secret', NOW)]).toEqual([undefined, undefined]);
  });
});
