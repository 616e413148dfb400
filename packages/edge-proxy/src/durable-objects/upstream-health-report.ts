/**
 * How this isolate tells the property's access token object whether the upstream is there. Failures are always told;
 * successes only after a failure, so that ordinary polling costs no extra hop. Another isolate's failure may thus count
 * for its full ten seconds: a refusal too many, never a charge too many.
 */
import type { Property } from '../config/properties.ts';
import { type AccessTokenBindings, accessTokenObject } from './access-token-source.ts';
import { rememberHealth } from './upstream-health-memory.ts';

/** Tells the object, without making the caller wait. */
export function healthReporter(bindings: AccessTokenBindings, property: Property): (isUp: boolean) => void {
  return (isUp) => {
    if (!rememberHealth(property, isUp)) return;
    accessTokenObject(bindings, property)
      .then((object) => object.noteHealth(isUp))
      // A hint that is lost is no harm: the next read or login tells again.
      .catch(() => undefined);
  };
}
