/** Which pages are the hotel's own: where a guest's request may come from, and where guests may return to. */
import { isLocalNetworkHost, isOrigin } from '@innkeep/core/values';

/** What a property says about its pages. */
export interface OwnPages {
  readonly origins: readonly string[];
  /** Pages of the machine and of its local network count, too. Never in livemode. */
  readonly localOrigins: boolean;
}

/** Whether a page of this origin is the hotel's own. */
export function isOwnOrigin(origin: string, { origins, localOrigins }: OwnPages): boolean {
  return origins.includes(origin) || (localOrigins && isOrigin(origin) && isLocalNetworkHost(new URL(origin).hostname));
}

/**
 * Whether a request with this `Origin` may use a session of a property.
 * @param origin the header; null when there is none (not a browser, or a same-origin GET), which is fine
 */
export function isAllowedOrigin(origin: string | null, own: OwnPages, publicOrigin: string): boolean {
  return origin === null || origin === publicOrigin || isOwnOrigin(origin, own);
}
