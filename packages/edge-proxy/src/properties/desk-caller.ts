/** Who calls with the secret of a desk session. What it may do is looked up at each call and never kept. */
import type { DeskGrant } from '../http/app-context.ts';
import { isEqualConstantTime, sha256Hex } from '../http/hash.ts';
import { newSecret } from '../http/ids.ts';
import { ProblemError } from '../http/problem.ts';
import { toTimestamp } from '../http/timestamp.ts';
import { type InvalidProperty, type Properties, type Property, unusable } from './configured-properties.ts';
import {
  type DeskKey,
  featuresWithin,
  isOfOtherMode,
  keyOfDesk,
  type StoredDeskSession,
  usedPage,
} from './desk-session.ts';
import { type Platforms, unusablePlatform } from './platforms.ts';

/** What finds a desk session. */
export interface DeskDependencies {
  readonly properties: Properties;
  readonly platforms: Platforms;
  readonly deskSessions: {
    /** Whether this deployment has made the id. */
    readonly isOurs: (id: string) => Promise<boolean>;
    /** The session in the ledger of a hotel that exists; null when it has none of this id. */
    readonly find: (property: string, id: string) => Promise<StoredDeskSession | null>;
    /** Writes down that the page of a session is being used. */
    readonly noteUse: (property: string, id: string) => Promise<void>;
  };
  readonly now: () => number;
}

/** What a call says about who makes it. */
export interface DeskClaim {
  readonly secret: string;
  readonly headers: Headers;
  /** Hotel of the proxy's own page whose cookie has the secret; undefined for one that a page has itself. */
  readonly page: string | undefined;
  /** Whether a person asks, and not a page that reads by itself. */
  readonly isUse: boolean;
  /** Of the call's log line. */
  readonly logFields: Record<string, unknown>;
}

/** Whose desk calls, and the key whose rights it has. */
export interface DeskCaller {
  readonly property: Property;
  readonly key: DeskKey;
  readonly desk: DeskGrant;
}

/** `ds_…`, the hotel, and 256 random bits. */
const SECRET = /^(ds_[0-9A-HJKMNP-TV-Z]{26})_([a-z0-9_]{1,40})_[A-Za-z0-9_-]{43}$/;

/** A secret of a desk session, or the code of a link to its page. */
export function newDeskSecret(id: string, property: string): string {
  return `${id}_${property}_${newSecret()}`;
}

/** Whether this is meant to be the secret of a desk session. */
export function isDeskSecret(secret: string): boolean {
  return secret.startsWith('ds_');
}

/** The desk session that a secret names, at a hotel that there is; undefined when nobody has made it here. */
export async function ownerOfSecret(
  secret: string,
  { properties, deskSessions }: Pick<DeskDependencies, 'properties' | 'deskSessions'>,
): Promise<{ readonly id: string; readonly property: Property | InvalidProperty } | undefined> {
  const [, id = '', hotel = ''] = SECRET.exec(secret) ?? [];
  const property = id !== '' && (await deskSessions.isOurs(id)) ? await properties.find(hotel) : undefined;
  // Only a hotel's ledger is asked: asking under any other name would make one.
  return property === undefined || property.isRemoved ? undefined : { id, property };
}

/**
 * The desk of a secret, on the page that the session is for.
 * @throws ProblemError 401 when it cannot be used, 403 on another page, 503 when nobody can tell now
 */
export async function findDesk(
  { secret, headers, page, isUse, logFields }: DeskClaim,
  dependencies: DeskDependencies,
): Promise<DeskCaller> {
  const { platforms, deskSessions, now } = dependencies;
  const owner = await ownerOfSecret(secret, dependencies);
  if (owner === undefined) throw refused('is wrong');
  const { id, property } = owner;
  const session = await deskSessions.find(property.id, id);
  if (session === null || !isEqualConstantTime(session.hash, await sha256Hex(secret))) throw refused('is wrong');
  // Whose it is the log says, also where it opens nothing.
  Object.assign(logFields, { property: property.id, key: session.by.key, desk: id, person: session.person.id });
  // The secret in a cookie works only there, and a code is neither kind of secret.
  const isInPlace = page === undefined ? session.page === undefined : session.page?.isOpen && page === property.id;
  if (isInPlace !== true) throw refused('is wrong');
  if (session.revokedAt !== null) throw refused('was revoked');
  if (now() >= session.expiresAt) throw refused(`expired at ${toTimestamp(session.expiresAt)}`);
  if (property.invalid) throw unusable(property);
  if (isOfOtherMode(session, property)) throw refused('was made when the property had another livemode');
  const key = keyOfDesk(session.keyHash, property, { platforms, now: now() });
  if (key === undefined) {
    const unusable = platforms.unusableOf(session.keyHash);
    throw unusable === undefined ? refused('has ended with its key') : unusablePlatform(unusable);
  }
  requirePage(headers, session.origin, session.page === undefined ? property.deskOrigins : [session.origin]);
  const used = isUse ? usedPage(session, now()) : undefined;
  if (used !== undefined) await deskSessions.noteUse(property.id, id);
  const { person, maxReversal, features, expiresAt } = used ?? session;
  const may = featuresWithin(features, key.scopes);
  return {
    property,
    key,
    desk: { id, person, maxReversal, features: may, expiresAt: toTimestamp(expiresAt) },
  };
}

function refused(why: string): ProblemError {
  return new ProblemError('unauthorized', { detail: `This desk session ${why}`, param: 'Authorization' });
}

/** Browsers say where a request comes from: by `Origin`, or, of a page that reads from its own origin, by `Sec-Fetch-Site`. */
function requirePage(headers: Headers, expected: string, deskOrigins: readonly string[]): void {
  const origin = headers.get('origin');
  const isItsPage = origin === null ? headers.get('sec-fetch-site') === 'same-origin' : origin === expected;
  if (isItsPage && deskOrigins.includes(expected)) return;
  const detail = isItsPage
    ? 'The origin of this desk session is no longer one of the property’s deskOrigins'
    : 'This desk session is for another origin';
  throw new ProblemError('forbidden', { detail, param: 'Origin' });
}
