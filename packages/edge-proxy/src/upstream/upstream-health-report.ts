/**
 * How this isolate tells the property's access token object whether the upstream is there. Failures are always told;
 * successes only while the upstream is in doubt, so that ordinary polling costs no extra hop. An isolate hears of a doubt
 * with its next access token, within ten seconds, and from then on each of its successes ends it at once.
 */
import type { Property } from '../config/properties.ts';
import { type AccessTokenBindings, accessTokenObject } from './access-token-source.ts';
import { isInDoubt, rememberDoubt } from './upstream-health-memory.ts';

/** Tells the object about the calls for one resource, without making the caller wait. */
export function healthReporter(
  bindings: AccessTokenBindings,
  property: Property,
  source: string,
): (isUp: boolean) => void {
  return (isUp) => {
    if (isUp && !isInDoubt(property)) return;
    const at = Date.now();
    rememberDoubt(property, true);
    accessTokenObject(bindings, property)
      .then((object) => object.reportHealth({ source, isUp, at }))
      .then((isDoubted) => rememberDoubt(property, isDoubted))
      // A hint that is lost is no harm: the doubt stays, so the next call tells again.
      .catch(() => undefined);
  };
}
