/** The platform's side of the proxy: its hotels, and the events of all of them. */
import type { AuditEntry, ListAudit } from '../contract/audit.ts';
import type { PlatformEvent } from '../contract/event.ts';
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
import { createMerchantClient } from './create-merchant-client.ts';
import { type EventFeed, eventFeed } from './events.ts';
import { type List, listPages, wholeList } from './list.ts';
import type { MerchantClient } from './merchant-client.ts';
import {
  createTransport,
  isPropertyId,
  type MerchantCallOptions,
  type ProxyClientOptions,
} from './merchant-transport.ts';

/** Settings of the platform client. */
export interface PlatformClientOptions extends ProxyClientOptions {
  /** `pk_…`. */
  platformKey: string;
}

/** Which version of a hotel's configuration a change is meant for. */
export interface VersionOptions extends MerchantCallOptions {
  /** The `version` that was read; `*` for any. Another one is refused with `version_conflict`. */
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

/**
 * Client of the proxy for a platform with many hotels. Besides what a method names, each throws `network`, `timeout`, `invalid_response`
 * and `upstream_status`.
 */
export interface PlatformClient {
  /** The configuration of hotels. Needs the scope `properties`; `read` is enough for reading. Changes are never repeated automatically. */
  properties: {
    /** The hotels that the key is for, by id, by the page or all of them. @throws {@link MerchantError} */
    list(query?: ListProperties, options?: MerchantCallOptions): List<PropertySummary, PropertyList>;
    /** Reads everything but the secrets. @throws {@link MerchantError} */
    retrieve(id: string, options?: MerchantCallOptions): Promise<PropertyResource>;
    /** Adds a hotel; with `ifMatch` replaces its whole configuration. @throws {@link MerchantError} */
    put(id: string, body: PropertyInput, options?: Partial<VersionOptions>): Promise<PropertyResource>;
    /** Changes some fields. What is absent stays as it is, secrets too; null removes a field. @throws {@link MerchantError} */
    patch(id: string, body: PropertyPatch, options: VersionOptions): Promise<PropertyResource>;
    /**
     * Ends its keys: nothing new can start. Payments under way reach their end. It can be rolled back for 30 days.
     *
     * @throws {@link MerchantError}
     */
    remove(id: string, options: VersionOptions): Promise<PropertyResource>;
    /**
     * What was changed, when and by whom, newest first, by the page or all of it.
     *
     * @throws {@link MerchantError}
     */
    versions(id: string, query?: ListPropertyVersions, options?: MerchantCallOptions): List<PropertyVersion>;
    /** Makes a new version of an earlier one. @throws {@link MerchantError} */
    rollBack(id: string, version: number, options: VersionOptions): Promise<PropertyResource>;
    /**
     * Seals its configuration and the cards that it stored with the newest key of the deployment.
     *
     * @returns how much an older key had sealed
     * @throws {@link MerchantError}
     */
    reseal(id: string, options?: MerchantCallOptions): Promise<ResealedProperty>;
  };
  /** The events of all hotels that the key is for. Needs the scope `events` or `read`. */
  events: EventFeed<PlatformEvent>;
  /** Who changed which of the hotels that the key is for. Needs the scope `audit`. */
  audit: {
    /** Newest first, by the page or all of it. A page may be empty although more follow. @throws {@link MerchantError} */
    list(query?: ListAudit, options?: MerchantCallOptions): List<AuditEntry>;
  };
  /** The keys of the platform, as they are configured, and when each was last used. Needs the scope `properties` or `read`. */
  keys: {
    /** All of them, without the keys themselves. @throws {@link MerchantError} */
    list(options?: MerchantCallOptions): List<PlatformKeyList['data'][number], PlatformKeyList>;
  };
  /** A client for one of the hotels, which acts with the platform's key. */
  forProperty(id: string): MerchantClient;
}

/**
 * Makes a client for a platform with many hotels. Failed reads are repeated, changes never.
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
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { json } = createTransport(options, {
    key: options?.platformKey,
    setting: 'platformKey',
    form: /^pk_[!-~]+$/,
    what: 'must be the pk_… key',
    headers: {},
  });
  const { platformKey, ...rest } = options;

  const properties: PlatformClient['properties'] = {
    list: (query, call) => listPages(query, (page) => json({ path: 'properties', query: page }, call)),
    retrieve: async (id, call) => json({ path: pathOf(id) }, call),
    put: async (id, body, call) =>
      json({ method: 'PUT', path: pathOf(id), body: requireObject(body, 'body'), ifMatch: versionOf(call) }, call),
    patch: async (id, body, call) =>
      json(
        { method: 'PATCH', path: pathOf(id), body: requireObject(body, 'body'), ifMatch: requireVersion(call) },
        call,
      ),
    remove: async (id, call) => json({ method: 'DELETE', path: pathOf(id), ifMatch: requireVersion(call) }, call),
    versions: (id, query, call) =>
      listPages(query, async (page) => json({ path: `${pathOf(id)}/versions`, query: page }, call)),
    rollBack: async (id, version, call) =>
      json({ path: `${pathOf(id)}/roll-back`, body: { version }, ifMatch: requireVersion(call) }, call),
    reseal: async (id, call) => {
      const path = `${pathOf(id)}/reseal`;
      let all: ResealedProperty = await json({ path, body: {} }, call);
      while (typeof all.nextCursor === 'string') {
        const more: ResealedProperty = await json({ path, body: { cursor: all.nextCursor } }, call);
        all = { ...more, resealed: all.resealed, cards: all.cards + more.cards };
      }
      return all;
    },
  };
  return {
    properties,
    events: eventFeed((query, call) => json({ path: 'platform/events', query }, call)),
    audit: { list: (query, call) => listPages(query, (page) => json({ path: 'platform/audit', query: page }, call)) },
    keys: { list: (call) => wholeList(() => json({ path: 'platform/keys' }, call)) },
    forProperty: (id) => createMerchantClient({ ...rest, secretKey: platformKey, property: requireId(id) }),
  };
}

function pathOf(id: string): string {
  return `properties/${requireId(id)}`;
}

function requireId(id: string): string {
  if (isPropertyId(id)) return id;
  throw new InvalidInputError('id', 'id must be the id of a hotel: 1 to 40 of a-z 0-9 _.');
}

function requireVersion(call: VersionOptions): VersionOptions['ifMatch'] {
  const version = versionOf(call);
  if (version !== undefined) return version;
  throw new InvalidInputError('ifMatch', 'ifMatch must be the version that was read, or *.');
}

function versionOf({ ifMatch }: Partial<VersionOptions> = {}): VersionOptions['ifMatch'] | undefined {
  if (ifMatch === undefined || ifMatch === '*' || (Number.isSafeInteger(ifMatch) && ifMatch > 0)) return ifMatch;
  throw new InvalidInputError('ifMatch', 'ifMatch must be a version, or *.');
}
