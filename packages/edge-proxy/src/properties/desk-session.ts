/** What a desk session is once it is stored, and what it may do at this moment. Pure. */
import {
  type Author,
  DESK_FEATURE_SCOPES,
  type DeskFeature,
  type DeskSession,
  type MerchantKey,
} from '@innkeep/core/contract';
import { toTimestamp } from '../http/timestamp.ts';
import type { Property } from './configured-properties.ts';
import { mayServe, type Platforms } from './platforms.ts';
import { isCovered } from './property-pattern.ts';

/** A desk session in the hotel's ledger. Instants in milliseconds. */
export interface StoredDeskSession extends Readonly<Pick<DeskSession, 'id' | 'person' | 'origin' | 'maxReversal'>> {
  readonly features: readonly DeskFeature[];
  /** SHA-256 of its secret. */
  readonly hash: string;
  /** SHA-256 of the key that made it. */
  readonly keyHash: string;
  readonly by: Author;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

/** The key of a desk session, as it is now. Of a platform's `platform/key`. */
export type DeskKey = Readonly<Pick<MerchantKey, 'id' | 'maxReversal'>> & { readonly scopes: readonly string[] };

/** The key that made a desk session, as long as it may make one for this hotel. From where it may be used does not matter. */
export function keyOfDesk(
  keyHash: string,
  property: Property,
  { platforms, now }: { readonly platforms: Pick<Platforms, 'findByHash'>; readonly now: number },
): DeskKey | undefined {
  const own = property.merchantKeys.find(({ sha256 }) => sha256 === keyHash);
  const key = own ?? keyOfPlatform(keyHash, property, platforms);
  const isOver = key?.expiresAt !== undefined && now >= Date.parse(key.expiresAt);
  return isOver || key?.scopes.includes('desk') !== true ? undefined : key;
}

function keyOfPlatform(keyHash: string, property: Property, platforms: Pick<Platforms, 'findByHash'>) {
  const { platform, key } = platforms.findByHash(keyHash) ?? {};
  if (platform === undefined || key === undefined) return undefined;
  if (!isCovered(property.id, key.properties) || !mayServe(platform, property)) return undefined;
  return { ...key, id: `${platform.id}/${key.id}` };
}

/** The features of which a key has the scopes. */
export function featuresWithin(features: readonly DeskFeature[], scopes: readonly string[]): DeskFeature[] {
  return features.filter((feature) => scopes.includes(DESK_FEATURE_SCOPES[feature]));
}

/** The session as the hotel's server sees it. */
export function toDeskSession(
  { hash: _hash, keyHash: _keyHash, features, createdAt, expiresAt, revokedAt, ...shown }: StoredDeskSession,
  { property, isActive }: { readonly property: string; readonly isActive: boolean },
): DeskSession {
  return {
    object: 'desk_session',
    ...shown,
    property,
    status: isActive ? 'active' : 'ended',
    features: [...features],
    createdAt: toTimestamp(createdAt),
    expiresAt: toTimestamp(expiresAt),
    revokedAt: revokedAt === null ? null : toTimestamp(revokedAt),
  };
}
