/** Where the objects of a deployment live: what the setting says, whether the runtime can do that, and where an object itself is. */
import { log } from '../http/log.ts';
import type { Placement } from './object-by-name.ts';

/** A namespace of objects, as far as places go. */
interface PlacedNamespace {
  jurisdiction(jurisdiction: DurableObjectJurisdiction): Pick<DurableObjectNamespace, 'idFromName'>;
}

/** What is wrong with `JURISDICTION`, as a sentence; undefined when the runtime can honor it. Asks nobody. */
export function complainOfJurisdiction(
  namespace: PlacedNamespace,
  { JURISDICTION = '' }: Placement,
): string | undefined {
  if (JURISDICTION === '') return undefined;
  const issue = `JURISDICTION is "${JURISDICTION}", which this runtime cannot honor`;
  try {
    // The runtime decides which jurisdictions exist.
    const id = namespace.jurisdiction(JURISDICTION as DurableObjectJurisdiction).idFromName('jurisdiction');
    return id.jurisdiction === JURISDICTION ? undefined : `${issue}: objects would live elsewhere`;
  } catch (error) {
    return `${issue}: ${error instanceof Error ? error.message : 'it refuses'}`;
  }
}

const moved = new WeakMap<object, Map<string, object>>();

/**
 * The environment as an object sees it: with the place where the object itself is. It differs from the setting only after
 * somebody has changed that. What was begun before then goes on among the objects it was begun with.
 */
export function inOwnPlace<Env>(id: Pick<DurableObjectId, 'jurisdiction'>, env: Env): Env {
  // Every binding that has a place has it under this name.
  const { JURISDICTION = '' } = Object(env) as Placement;
  const own = id.jurisdiction ?? '';
  if (own === JURISDICTION) return env;
  const key = Object(env) as object;
  const known = moved.get(key) ?? new Map<string, object>();
  moved.set(key, known);
  let place = known.get(own);
  if (place === undefined) {
    log('error', 'jurisdiction_changed', { setting: JURISDICTION, objects: own });
    place = { ...env, JURISDICTION: own };
    known.set(own, place);
  }
  // The same bindings.
  return place as Env;
}
