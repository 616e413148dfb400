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
import { endOf } from './key-limits.ts';
import { mayServe, type Platforms } from './platforms.ts';
import { isCovered } from './property-pattern.ts';

/** A desk session in the hotel's ledger. Instants in milliseconds. */
export interface StoredDeskSession extends Readonly<Pick<DeskSession, 'id' | 'person' | 'origin' | 'maxReversal'>> {
  readonly features: readonly DeskFeature[];
  /** Of its hotel when it was made: what was granted for test money is none for real money. Older versions leave it out. */
  readonly livemode?: boolean;
  /** Only of a session of the proxy's own page. */
  readonly page?: DeskPage;
  /** SHA-256 of its secret: of a page that nobody has opened, of the code in its link. */
  readonly hash: string;
  /** SHA-256 of the key that made it. */
  readonly keyHash: string;
  readonly by: Author;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

/** How a desk session of the proxy's own page stands. */
export interface DeskPage {
  /** Whether the code in its link was used. From then on a cookie has the secret. */
  readonly isOpen: boolean;
  /** When it ends, however much it is used. */
  readonly endsAt: number;
}

/** How long the link to a page can be opened. */
export const PAGE_LINK_MS = 60_000;

/** How long a page lasts while nobody uses it. */
const PAGE_IDLE_MS = 15 * 60_000;

/** By how much the use of a page must prolong it to be worth a write: one that nobody uses may end this much sooner. */
const PAGE_STEP_MS = 60_000;

/** A page's session once its code was used: from now on the cookie's secret opens it. */
export function openedPage(session: StoredDeskSession, hash: string, now: number): StoredDeskSession | undefined {
  const { page, revokedAt, expiresAt } = session;
  if (page === undefined || page.isOpen || revokedAt !== null || now >= expiresAt) return undefined;
  const opened = { ...page, isOpen: true };
  return { ...session, page: opened, hash, expiresAt: idleEnd(opened, now) };
}

/** A page's session after it was used; undefined where that changes nothing. */
export function usedPage(session: StoredDeskSession, now: number): StoredDeskSession | undefined {
  const { page, revokedAt, expiresAt } = session;
  if (page?.isOpen !== true || revokedAt !== null || now >= expiresAt) return undefined;
  const end = idleEnd(page, now);
  return end - expiresAt < PAGE_STEP_MS ? undefined : { ...session, expiresAt: end };
}

function idleEnd({ endsAt }: DeskPage, now: number): number {
  return Math.min(endsAt, now + PAGE_IDLE_MS);
}

/** The key of a desk session, as it is now. Of a platform's `platform/key`. */
export interface DeskKey extends Readonly<Pick<MerchantKey, 'id' | 'maxReversal'>> {
  readonly scopes: readonly string[];
  /** Whether it is of a platform without livemode. */
  readonly isForTests?: boolean;
}

/** The key that made a desk session, while it may make one for this hotel. Where it may be used from does not matter. */
export function keyOfDesk(
  keyHash: string,
  property: Property,
  { platforms, now }: { readonly platforms: Pick<Platforms, 'findByHash'>; readonly now: number },
): DeskKey | undefined {
  const own = property.merchantKeys.find(({ sha256 }) => sha256 === keyHash);
  const key = own ?? keyOfPlatform(keyHash, property, platforms);
  const isOver = key?.expiresAt !== undefined && now >= endOf(key.expiresAt);
  return isOver || key?.scopes.includes('desk') !== true ? undefined : key;
}

function keyOfPlatform(keyHash: string, property: Property, platforms: Pick<Platforms, 'findByHash'>) {
  const { platform, key } = platforms.findByHash(keyHash) ?? {};
  if (platform === undefined || key === undefined) return undefined;
  if (!isCovered(property.id, key.properties) || !mayServe(platform, property)) return undefined;
  return { ...key, id: `${platform.id}/${key.id}`, isForTests: !platform.livemode };
}

/** Whether its hotel has gone live since, or back. */
export function isOfOtherMode({ livemode }: StoredDeskSession, now: Pick<Property, 'livemode'>): boolean {
  return (livemode ?? now.livemode) !== now.livemode;
}

/** The features of which a key has the scopes. */
export function featuresWithin(features: readonly DeskFeature[], scopes: readonly string[]): DeskFeature[] {
  return features.filter((feature) => scopes.includes(DESK_FEATURE_SCOPES[feature]));
}

/** The session as the hotel's server sees it. */
export function toDeskSession(
  {
    hash: _hash,
    keyHash: _keyHash,
    livemode: _mode,
    page,
    features,
    createdAt,
    expiresAt,
    revokedAt,
    ...shown
  }: StoredDeskSession,
  { property, isActive }: { readonly property: string; readonly isActive: boolean },
): DeskSession {
  return {
    object: 'desk_session',
    ...shown,
    property,
    status: isActive ? 'active' : 'ended',
    features: [...features],
    page: page !== undefined,
    createdAt: toTimestamp(createdAt),
    expiresAt: toTimestamp(expiresAt),
    revokedAt: revokedAt === null ? null : toTimestamp(revokedAt),
  };
}
