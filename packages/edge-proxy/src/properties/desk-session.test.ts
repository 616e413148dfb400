import type { PlatformKey } from '@innkeep/core/contract';
import { expect, test } from 'vitest';
import type { Property } from './configured-properties.ts';
import { featuresWithin, keyOfDesk } from './desk-session.ts';

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
