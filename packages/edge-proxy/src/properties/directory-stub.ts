/** The one object that knows every property of the directory. */

import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { PropertyDirectoryObject } from './property-directory-object.ts';

/** The directory's object. Its name never changes: another one would be another, empty directory. */
export function directoryObject(
  namespace: DurableObjectNamespace<PropertyDirectoryObject>,
  placement: Placement,
): DurableObjectStub<PropertyDirectoryObject> {
  return objectByName(namespace, 'properties', placement);
}
