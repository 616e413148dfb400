/** The one object that knows every property of the directory. */
import type { PropertyDirectoryObject } from '../objects/property-directory-object.ts';
import { objectByName, type Placement } from './object-by-name.ts';

/** The directory's object. Its name never changes: another one would be another, empty directory. */
export function directoryObject(
  namespace: DurableObjectNamespace<PropertyDirectoryObject>,
  placement: Placement,
): DurableObjectStub<PropertyDirectoryObject> {
  return objectByName(namespace, 'properties', placement);
}
