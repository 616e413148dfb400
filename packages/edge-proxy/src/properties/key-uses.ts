/** When each key was last used, to the hour: told by each isolate once an hour, and kept by an object of the key's owner. */
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import { directoryObject } from './directory-stub.ts';
import type { DirectoryBindings } from './property-copies.ts';

/** Whose a key is: a hotel's, or an operator's. */
export type KeyOwner = { readonly property: string } | { readonly platform: string };

const HOUR_MS = 60 * 60_000;

/** Remembers uses of keys. Those that an isolate has told in this hour cost nothing. */
export function createKeyUses(
  bindings: DirectoryBindings & Placement,
  { now, waitUntil }: { readonly now: () => number; readonly waitUntil: (work: Promise<unknown>) => void },
) {
  const { PROPERTIES, DIRECTORIES } = bindings;
  const told = new Set<string>();
  let hour = 0;
  return (owner: KeyOwner, sha256: string): void => {
    const at = now() - (now() % HOUR_MS);
    if (at !== hour) told.clear();
    hour = at;
    if (PROPERTIES === undefined || DIRECTORIES === undefined || told.has(sha256)) return;
    told.add(sha256);
    const object =
      'property' in owner ? objectByName(PROPERTIES, owner.property, bindings) : directoryObject(DIRECTORIES, bindings);
    // Whoever calls next tells it again.
    waitUntil(object.noteKeyUse(sha256, at).catch(() => told.delete(sha256)));
  };
}
