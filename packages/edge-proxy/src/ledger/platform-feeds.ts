/** The feeds of platforms, one object each. */

import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { PlatformFeedObject } from './platform-feed-object.ts';

/** Where the feeds are. A configuration of an earlier version of the proxy does not have them. */
export interface FeedBindings {
  readonly FEEDS?: DurableObjectNamespace<PlatformFeedObject>;
}

/** The feed of a platform; undefined where the deployment declares none. */
export function platformFeed(
  { FEEDS, ...placement }: FeedBindings & Placement,
  platform: string,
): DurableObjectStub<PlatformFeedObject> | undefined {
  return FEEDS === undefined ? undefined : objectByName(FEEDS, platform, placement);
}
