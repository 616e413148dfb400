/** The operators of many hotels, parsed once per isolate from the `PLATFORM_<ID>` secrets of a deployment. */
import {
  type PlatformFields,
  type PlatformKey,
  type PlatformWebhook,
  type PropertyFields,
  parsePlatformFields,
} from '@innkeep/core/contract';
import { ProblemError } from '../http/problem.ts';
import { isCovered } from './property-pattern.ts';

export interface Platform extends PlatformFields {
  readonly id: string;
}

/** Whose `pk_…` key it is. */
export interface PlatformPrincipal {
  readonly platform: Platform;
  readonly key: PlatformKey;
}

/** A webhook endpoint of a platform, and whose it is. */
export interface PlatformEndpoint {
  readonly platform: string;
  readonly webhook: PlatformWebhook;
}

/** A platform whose secret cannot be used. */
export interface UnusablePlatform {
  readonly id: string;
  /** The variable that it is read from. */
  readonly variable: string;
  /** What is wrong, in a line that names the variable and the field. */
  readonly issue: string;
}

export interface Platforms {
  readonly all: readonly Platform[];
  /** Ids of those whose secret cannot be used. */
  readonly invalid: readonly string[];
  /** What is wrong with secrets that cannot be used, in lines that name the variable and the field. */
  readonly issues: readonly string[];
  /** Who holds the key of this hash. */
  findByHash(sha256: string): PlatformPrincipal | undefined;
  /** The unusable platform whose key has this hash. */
  unusableOf(sha256: string): UnusablePlatform | undefined;
  /** Where platforms want the events of a hotel, of those that have a key for it. */
  webhooksFor(hotel: Hotel): readonly PlatformEndpoint[];
  /** Ids of the platforms that can read the events of a hotel, so that their feeds have them. */
  feedsWith(hotel: Hotel): readonly string[];
}

/** What of a hotel decides who hears of it. */
export type Hotel = Pick<PropertyFields, 'livemode'> & { readonly id: string };

/** Scopes of which a key needs one to read the feed of a platform. */
export const FEED_SCOPES = ['events', 'read'] as const;

const VARIABLE = /^PLATFORM_([A-Z0-9_]{1,40})$/;

const parsedOnce = new WeakMap<object, Platforms>();

/** The platforms of an environment, the same for all who have it. */
export function platformsOf(environment: object): Platforms {
  let platforms = parsedOnce.get(environment);
  if (platforms === undefined) {
    platforms = parsePlatforms(environment as Readonly<Record<string, unknown>>);
    parsedOnce.set(environment, platforms);
  }
  return platforms;
}

/** Reads every `PLATFORM_<ID>` of an environment. Never throws: what cannot be used is left out and reported. */
export function parsePlatforms(environment: Readonly<Record<string, unknown>>): Platforms {
  const all: Platform[] = [];
  const invalid: string[] = [];
  const issues: string[] = [];
  const principals = new Map<string, PlatformPrincipal>();
  const unusable = new Map<string, UnusablePlatform>();
  for (const name of Object.keys(environment).sort()) {
    const id = VARIABLE.exec(name)?.[1]?.toLowerCase();
    if (id === undefined) continue;
    const parsed = parsePlatform(environment[name]);
    if ('issues' in parsed) {
      invalid.push(id);
      const [{ field, message }] = parsed.issues;
      const issue = `${name}:${field === '' ? '' : ` field "${field}"`} ${message}`;
      issues.push(issue);
      for (const sha256 of readableHashes(environment[name])) unusable.set(sha256, { id, variable: name, issue });
      continue;
    }
    const platform = { id, ...parsed.fields };
    all.push(platform);
    for (const key of platform.keys) {
      if (principals.has(key.sha256)) issues.push(`${name}: key "${key.id}" is also a key of another platform`);
      else principals.set(key.sha256, { platform, key });
    }
  }
  return {
    all,
    invalid,
    issues,
    findByHash: (sha256) => principals.get(sha256),
    unusableOf: (sha256) => unusable.get(sha256),
    webhooksFor: (hotel) =>
      all
        .filter((platform) => mayServe(platform, hotel) && platform.keys.some(isFor(hotel)))
        .flatMap(endpointsFor(hotel.id)),
    feedsWith: (hotel) =>
      all
        .filter((platform) => mayServe(platform, hotel) && platform.keys.filter(readsEvents).some(isFor(hotel)))
        .map(({ id }) => id),
  };
}

/** What those who hold its keys are told. */
export function unusablePlatform({ variable, issue }: UnusablePlatform): ProblemError {
  const detail = `This platform’s configuration cannot be used: ${issue}`;
  return new ProblemError('property_unavailable', { detail, param: variable });
}

/** Hashes of the keys of a platform that cannot be used. */
function readableHashes(text: unknown): readonly string[] {
  try {
    const { keys } = JSON.parse(String(text)) as { readonly keys?: unknown };
    return (Array.isArray(keys) ? keys : []).map((key) => String(Object(key).sha256).toLowerCase());
  } catch {
    return [];
  }
}

/** A platform without livemode is for tests: it has nothing to do with real money. */
export function mayServe(platform: Pick<Platform, 'livemode'>, hotel: Pick<Hotel, 'livemode'>): boolean {
  return platform.livemode || !hotel.livemode;
}

function isFor({ id }: Hotel): (key: PlatformKey) => boolean {
  return ({ properties }) => isCovered(id, properties);
}

function readsEvents({ scopes }: PlatformKey): boolean {
  return FEED_SCOPES.some((scope) => scopes.includes(scope));
}

function endpointsFor(property: string): (platform: Platform) => PlatformEndpoint[] {
  return ({ id, webhooks }) =>
    webhooks.filter(({ properties }) => isCovered(property, properties)).map((webhook) => ({ platform: id, webhook }));
}

/** The fields, or what is wrong with them. Never quotes a value. */
function parsePlatform(text: unknown): ReturnType<typeof parsePlatformFields> {
  try {
    return parsePlatformFields(JSON.parse(String(text)));
  } catch {
    return { issues: [{ field: '', message: 'must be JSON' }] };
  }
}
