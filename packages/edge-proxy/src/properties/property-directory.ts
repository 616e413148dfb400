/** What an operator does with the properties of the directory. A refusal arrives as a thrown problem. */
import type { PropertyVersion } from '@innkeep/core/contract';
import { type Outcome, ProblemError, unwrap } from '../http/problem.ts';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { AuditRow } from './audit-row.ts';
import type { AuditSlice } from './audit-slice.ts';
import type { DirectoryEntry, DirectoryQuery, PropertyAct } from './directory-storage.ts';
import { directoryObject } from './directory-stub.ts';
import type { PropertyChange, ShownProperty } from './property-configuration.ts';
import type { DirectoryBindings } from './property-copies.ts';
import type { PropertyObject } from './property-object.ts';

/** The directory, for those who look after it. */
export type PropertyDirectory = ReturnType<typeof createPropertyDirectory>;

export function createPropertyDirectory(bindings: DirectoryBindings & Placement) {
  const directory = () => {
    if (bindings.DIRECTORIES !== undefined) return directoryObject(bindings.DIRECTORIES, bindings);
    const detail = 'This deployment has no directory: declare DIRECTORIES and PROPERTIES in its configuration';
    throw new ProblemError('property_unavailable', { detail, param: 'DIRECTORIES' });
  };
  const object = (id: string): DurableObjectStub<PropertyObject> => {
    if (bindings.PROPERTIES !== undefined) return objectByName(bindings.PROPERTIES, id, bindings);
    const detail = 'This deployment has no directory: declare DIRECTORIES and PROPERTIES in its configuration';
    throw new ProblemError('property_unavailable', { detail, param: 'PROPERTIES' });
  };
  /** The object of a property that exists. One that nobody made would leave a file behind. */
  const known = async (id: string): Promise<DurableObjectStub<PropertyObject>> => {
    if (await directory().has(id)) return object(id);
    throw new ProblemError('not_found', { detail: 'There is no property with this id in the directory' });
  };

  return {
    /** Whether there is one of this id, even a removed one. */
    has: (id: string): Promise<boolean> => directory().has(id),
    /** Entries by id. */
    list: (query: DirectoryQuery): Promise<DirectoryEntry[]> => directory().list(query),
    /** Reads one. */
    show: async (id: string) => unwrap<ShownProperty>(await (await known(id)).show()),
    /** When each key of a hotel was last used, in milliseconds, by its hash. The hotel may be a secret of the deployment. */
    keyUses: async (id: string): Promise<Record<string, number>> => object(id).keyUses(),
    /** The same of the keys of every platform. */
    platformKeyUses: async (): Promise<Record<string, number>> => directory().keyUses(),
    /** Makes the first version, or the next. */
    async change(id: string, change: PropertyChange) {
      const stub = change.edit.action === 'replaced' ? object(id) : await known(id);
      return unwrap<ShownProperty>((await stub.change(id, change)) as Outcome<ShownProperty>);
    },
    /** Its history, the newest version first. */
    versions: async (id: string, page: { readonly before: number | null; readonly limit: number }) =>
      unwrap<PropertyVersion[]>(await (await known(id)).versions(page.before, page.limit)),
    /** Who changed its configuration. Empty for a hotel that is only a secret of the deployment. */
    audit: async (id: string, slice: AuditSlice): Promise<AuditRow[]> =>
      bindings.DIRECTORIES !== undefined && (await directory().has(id)) ? object(id).audit(slice) : [],
    /** Who changed which of the hotels that fit. */
    platformAudit: async (slice: AuditSlice, patterns: readonly string[]): Promise<PropertyAct[]> =>
      directory().audit(slice, patterns),
    /** Seals every version of it with the newest key. Returns how many an older one had sealed. */
    reseal: async (id: string) => unwrap<number>(await (await known(id)).reseal()),
  };
}
