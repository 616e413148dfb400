/** The feeds of platforms, one object each. */
import type { PlatformFeedObject } from '../objects/platform-feed-object.ts';
import { objectByName, type Placement } from './object-by-name.ts';

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
