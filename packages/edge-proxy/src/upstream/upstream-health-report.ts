/**
 * Reports to the property's access token object whether the upstream is up. Failures are always reported; successes only
 * while the upstream is in doubt, so that ordinary polling costs no extra hop. An isolate learns of a doubt with its next
 * access token, within ten seconds; from then on each of its successes ends the doubt at once.
 */
import type { Property } from '../properties/configured-properties.ts';
import { type AccessTokenBindings, accessTokenObject, isInDoubt, rememberDoubt } from './access-token-source.ts';

/** Reports the calls for one resource, without making the caller wait. */
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
      .then((object) => object.reportHealth({ source, isUp, at, property: property.id }))
      .then((isDoubted) => rememberDoubt(property, isDoubted))
      // A lost report does no harm: the doubt stays, so the next call reports again.
      .catch(() => undefined);
  };
}
