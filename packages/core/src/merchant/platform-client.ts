/** The platform's side of the proxy: the hotels of an operator, and the events of all of them. */
import type { EventPage, PlatformEvent } from '../contract/event.ts';
import type { Page } from '../contract/list.ts';
import type { PlatformKeyList } from '../contract/platform.ts';
import type { PropertyInput } from '../contract/property.ts';
import type {
  PropertyList,
  PropertyPatch,
  PropertyResource,
  PropertySummary,
  PropertyVersion,
  ResealedProperty,
} from '../contract/property-resource.ts';
import { InvalidInputError } from '../errors.ts';
import { requireObject } from '../values/check-text.ts';
import { createMerchantClient, type MerchantClient } from './merchant-client.ts';
import {
  type ClientOptions,
  callSettings,
  createTransport,
  isPropertyId,
  type MerchantCallOptions,
} from './merchant-transport.ts';
import { type IteratePlatformEvents, iterateEvents } from './platform-events.ts';

export type { IteratePlatformEvents } from './platform-events.ts';

/** Settings of the platform client. */
export interface PlatformOptions extends ClientOptions {
  /** `pk_…`. */
  platformKey: string;
}

/** Which version of a hotel's configuration a change is meant for. */
export interface VersionOptions extends MerchantCallOptions {
  /** The `version` that was read; `*` for whichever it has by now. Another one is refused with `version_conflict`. */
  ifMatch: number | '*';
}

/** Filter and place of a list of hotels. */
export interface ListProperties {
  /** Only those whose id or name holds this text, in any case. */
  search?: string | undefined;
  /** Only those in this state. */
  status?: 'active' | 'removed' | undefined;
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

/** Place in a list of versions. */
export type ListPropertyVersions = Pick<ListProperties, 'limit' | 'cursor'>;

/** Client of the proxy for an operator of many hotels. Every method throws `MerchantError`, `network`, `timeout`, `invalid_response`. */
export interface PlatformClient {
  /** The configuration of hotels. Needs the scope `properties`, or `read` to look. Changes are never repeated by themselves. */
  properties: {
    /** Reads a page of the hotels that the key is for, by id. */
    list(query?: ListProperties, options?: MerchantCallOptions): Promise<PropertyList>;
    /** All of them, page by page: `for await (const hotel of platform.properties.iterate()) …`. */
    iterate(
      query?: Omit<ListProperties, 'cursor'>,
      options?: MerchantCallOptions,
    ): AsyncGenerator<PropertySummary, void, void>;
    /** Reads everything but the secrets. */
    retrieve(id: string, options?: MerchantCallOptions): Promise<PropertyResource>;
    /** Adds a hotel; with `ifMatch` writes all of its configuration anew. */
    put(id: string, body: PropertyInput, options?: Partial<VersionOptions>): Promise<PropertyResource>;
    /** Changes some fields. What is absent stays as it is, secrets too; null takes a field out. */
    patch(id: string, body: PropertyPatch, options: VersionOptions): Promise<PropertyResource>;
    /** Ends its keys: nothing new begins. What was paid reaches its end. It can be rolled back for 30 days. */
    remove(id: string, options: VersionOptions): Promise<PropertyResource>;
    /** Reads a page of what was changed, when and by whom, the newest first. */
    versions(id: string, query?: ListPropertyVersions, options?: MerchantCallOptions): Promise<Page<PropertyVersion>>;
    /** All versions, page by page. */
    iterateVersions(id: string, options?: MerchantCallOptions): AsyncGenerator<PropertyVersion, void, void>;
    /** Makes a new version of an earlier one. */
    rollBack(id: string, version: number, options: VersionOptions): Promise<PropertyResource>;
    /** Seals its configuration with the newest key of the deployment. */
    reseal(id: string, options?: MerchantCallOptions): Promise<ResealedProperty>;
  };
  /** The events of all hotels that the key is for. Needs the scope `events` or `read`. */
  events: {
    /** Reads a stretch of the feed. It may be empty and lead on all the same: nothing is new when `nextAfter` stays as it is. */
    list(query?: { after?: number; limit?: number }, options?: MerchantCallOptions): Promise<EventPage<PlatformEvent>>;
    /**
     * Every event once, in order, those to come as well: it asks again and again. Store `position` once an event is dealt with,
     * and begin after it next time. What passes, such as a lost connection, is waited out; what does not is thrown.
     * Aborting `signal` ends the loop.
     *
     * @example
     * ```ts
     * import { createPlatformClient } from '@innkeep/core/merchant';
     *
     * const platform = createPlatformClient({ endpoint: 'https://pay.booking.example', platformKey: 'pk_…' });
     * export async function follow(after: number, store: (position: number) => Promise<void>): Promise<void> {
     *   for await (const event of platform.events.iterate({ after })) {
     *     console.log(event.property, event.type);
     *     await store(event.position);
     *   }
     * }
     * ```
     */
    iterate(query?: IteratePlatformEvents): AsyncGenerator<PlatformEvent, void, void>;
  };
  /** The keys of the platform, as they are configured, and when each was last used. Needs the scope `properties` or `read`. */
  keys: { list(options?: MerchantCallOptions): Promise<PlatformKeyList> };
  /** A client for one of the hotels, which acts with the platform's key. */
  forProperty(id: string): MerchantClient;
}

/**
 * Makes a client for the operator of many hotels. Reads are repeated when they fail, changes never.
 *
 * @throws `configuration` with the path of the bad setting
 * @example
 * ```ts
 * import { createPlatformClient } from '@innkeep/core/merchant';
 *
 * const platform = createPlatformClient({ endpoint: 'https://pay.booking.example', platformKey: 'pk_…' });
 * const { version } = await platform.properties.retrieve('aurora');
 * if (version !== null) {
 *   await platform.properties.patch('aurora', { displayName: 'Grand Hotel Aurora' }, { ifMatch: version });
 * }
 * const sessions = await platform.forProperty('aurora').checkoutSessions.list({ status: 'unknown' });
 * console.log(sessions.data.length);
 * ```
 */
export function createPlatformClient(options: PlatformOptions): PlatformClient {
  const { json } = createTransport(options, {
    key: options?.platformKey,
    setting: 'platformKey',
    form: /^pk_[!-~]+$/,
    what: 'must be the pk_… key',
    headers: {},
  });
  const { platformKey, ...rest } = options;

  const properties: PlatformClient['properties'] = {
    list: async (query, call) => json({ path: 'properties', query, ...callSettings(call) }),
    iterate: (query, call) => iteratePages((cursor) => properties.list({ ...query, cursor }, call)),
    retrieve: async (id, call) => json({ path: pathOf(id), ...callSettings(call) }),
    put: async (id, body, call) =>
      json({ method: 'PUT', path: pathOf(id), body: requireObject(body, 'body'), ...versionOf(call) }),
    patch: async (id, body, call) =>
      json({ method: 'PATCH', path: pathOf(id), body: requireObject(body, 'body'), ...requireVersion(call) }),
    remove: async (id, call) => json({ method: 'DELETE', path: pathOf(id), ...requireVersion(call) }),
    versions: async (id, query, call) => json({ path: `${pathOf(id)}/versions`, query, ...callSettings(call) }),
    iterateVersions: (id, call) => iteratePages((cursor) => properties.versions(id, { cursor }, call)),
    rollBack: async (id, version, call) =>
      json({ path: `${pathOf(id)}/roll-back`, body: { version }, ...requireVersion(call) }),
    reseal: async (id, call) => json({ path: `${pathOf(id)}/reseal`, body: {}, ...callSettings(call) }),
  };
  const events: PlatformClient['events'] = {
    list: async (query, call) => json({ path: 'platform/events', query, ...callSettings(call) }),
    iterate: (query) => iterateEvents(events.list, query),
  };
  return {
    properties,
    events,
    keys: { list: async (call) => json({ path: 'platform/keys', ...callSettings(call) }) },
    forProperty: (id) => createMerchantClient({ ...rest, secretKey: platformKey, property: requireId(id) }),
  };
}

async function* iteratePages<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>) {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function pathOf(id: string): string {
  return `properties/${requireId(id)}`;
}

function requireId(id: string): string {
  if (isPropertyId(id)) return id;
  throw new InvalidInputError('id', 'id must be the id of a hotel: 1 to 40 of a-z 0-9 _.');
}

function requireVersion(call: VersionOptions): VersionOptions {
  if (call?.ifMatch !== undefined) return versionOf(call) as VersionOptions;
  throw new InvalidInputError('ifMatch', 'ifMatch must be the version that was read, or *.');
}

function versionOf(call: Partial<VersionOptions> = {}): Partial<VersionOptions> {
  const { ifMatch } = call;
  if (ifMatch === undefined || ifMatch === '*' || (Number.isSafeInteger(ifMatch) && ifMatch > 0)) {
    return { ...callSettings(call), ...(ifMatch !== undefined && { ifMatch }) };
  }
  throw new InvalidInputError('ifMatch', 'ifMatch must be a version, or *.');
}
