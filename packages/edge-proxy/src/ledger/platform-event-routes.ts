/** `/v1/platform/events`: the events of all hotels that a platform key is for, in one order. */

import { ListEventsSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { query } from '../http/validate.ts';
import { FEED_SCOPES } from '../properties/platforms.ts';
import { platformApp } from '../properties/resource-app.ts';
import type { PlatformFeedObject } from './platform-feed-object.ts';

export interface FeedDependencies {
  /** The events of all hotels of a platform; undefined where the deployment declares no feeds. */
  readonly feed: (platform: string) => DurableObjectStub<PlatformFeedObject> | undefined;
}

export const platformEvents = platformApp<FeedDependencies>({ tag: 'Events' }).get(
  '/',
  describe({ id: 'listPlatformEvents', scopes: FEED_SCOPES }),
  query(ListEventsSchema),
  async (c) => {
    const { after, limit } = c.req.valid('query');
    const { platform, key } = c.get('principal');
    const feed = c.get('dependencies').feed(platform.id);
    if (feed === undefined) {
      const detail = 'This deployment has no platform feeds: declare FEEDS in its configuration';
      throw new ProblemError('property_unavailable', { detail, param: 'FEEDS' });
    }
    const { items, nextAfter } = await feed.events({ after, limit, patterns: key.properties });
    return json(c, { object: 'list', data: items.map((item) => JSON.parse(item) as unknown), nextAfter });
  },
);
