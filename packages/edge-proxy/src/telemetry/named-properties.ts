/** Which hotels have series of their own in what every event counts. Where an outage is told, all have. */

/** The rest are `other`, so that the number of series does not grow with the number of hotels. */
const MAX_NAMED_PROPERTIES = 100;
/** What the hotels without series of their own are called. */
const OTHER_PROPERTY = 'other';

const VARIABLE = /^PROPERTY_([A-Z0-9_]{1,40})$/;

/**
 * The name of a hotel in metrics. Only hotels that are `PROPERTY_<ID>` variables have one, the first hundred of the alphabet: every
 * isolate chooses the same, so the number of names is bounded for the whole deployment and not for each isolate.
 */
export function namedProperties(environment: object): (id: string) => string {
  const ids = Object.keys(environment)
    .flatMap((name) => VARIABLE.exec(name)?.[1]?.toLowerCase() ?? [])
    .sort();
  const named = new Set(ids.slice(0, MAX_NAMED_PROPERTIES));
  return (id) => (named.has(id) ? id : OTHER_PROPERTY);
}
