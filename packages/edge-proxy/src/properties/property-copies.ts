/**
 * The copies that one isolate keeps of the directory's properties. Each is read anew from its own object after two seconds, by
 * whoever needs it then, and used for four at most; so a change counts everywhere within five seconds, and no object answers for all.
 */

import type { PropertyFields } from '@innkeep/core/contract';
import { orTimeout } from '../http/deadline.ts';
import { log } from '../http/log.ts';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import { type InvalidProperty, invalidProperty, type Property, withSealingKeys } from './configured-properties.ts';
import { directoryObject } from './directory-stub.ts';
import type { StoredConfiguration } from './property-configuration.ts';
import type { PropertyDirectoryObject } from './property-directory-object.ts';
import type { PropertyObject } from './property-object.ts';

/** Where the directory is. A configuration of an earlier version of the proxy does not have it. */
export interface DirectoryBindings {
  readonly DIRECTORIES?: DurableObjectNamespace<PropertyDirectoryObject>;
  readonly PROPERTIES?: DurableObjectNamespace<PropertyObject>;
}

/** What a property of the directory is, or why it cannot be used. Kept as text, which takes less room than objects. */
interface Copy {
  readonly stored: StoredConfiguration;
  /** When reading it began. */
  readonly readAt: number;
  usedAt: number;
  /** When somebody last began to read it again. */
  askedAt: number;
}

/** After this somebody reads it again, while the others go on with what they have. */
const READ_AFTER_MS = 2_000;
/** After this nobody goes on without an answer. With the time an answer takes, a revoked key ends within five seconds. */
const TRUSTED_MS = 4_000;
const ANSWER_LIMIT_MS = 1_000;
/** A copy that nobody has used for so long is forgotten. */
const IDLE_MS: number = 10 * 60_000;
/** Characters of all copies together: thousands of hotels within a tenth of an isolate's memory. */
const MAX_CHARACTERS = 16_000_000;
/** How many are kept ready for use, those used last. */
const MAX_READY = 2_000;

/** Reads once more what failed: a single call can end with the object or the machine that it went to. Nobody waits twice as long. */
async function twice<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { name, overloaded } = Object(error) as { readonly name?: unknown; readonly overloaded?: unknown };
    if (name === 'TimeoutError' || overloaded === true) throw error;
    return read();
  }
}

export class PropertyCopies {
  readonly #directories: DurableObjectNamespace<PropertyDirectoryObject>;
  readonly #properties: DurableObjectNamespace<PropertyObject>;
  readonly #placement: Placement;
  readonly #sealingKeys: readonly string[];
  /** Least recently used first. */
  readonly #copies = new Map<string, Copy>();
  #characters = 0;
  /** Copies that are read already. Least recently used first. */
  readonly #ready = new Map<string, Property | InvalidProperty>();
  /** The owner of each key that does not name it, by the key's hash. */
  readonly #owners = new Map<string, string>();
  #ownersSince = 0;
  /** How often something was forgotten because it was changed from here. */
  #forgotten = 0;

  constructor(
    directories: DurableObjectNamespace<PropertyDirectoryObject>,
    properties: DurableObjectNamespace<PropertyObject>,
    { placement, sealingKeys }: { readonly placement: Placement; readonly sealingKeys: readonly string[] },
  ) {
    this.#directories = directories;
    this.#properties = properties;
    this.#placement = placement;
    this.#sealingKeys = sealingKeys;
  }

  /** A property of the directory; undefined when it has none of this id. Never throws. */
  async find(id: string): Promise<Property | InvalidProperty | undefined> {
    try {
      const stored = await this.#stored(id);
      return stored === null ? undefined : this.#read(id, stored);
    } catch (error) {
      const why = error instanceof Error ? error.name : 'unknown';
      log('warn', 'property_unreadable', { property: id, error: why });
      return invalidProperty(id, 'cannot be read right now; try again');
    }
  }

  /**
   * The id of the property that a key of this hash belongs to, when the key itself does not say it. A hint: only its
   * configuration says whether it has the key yet.
   * @param wrong one that has not: then the directory is asked
   */
  async ownerOf(sha256: string, wrong?: string): Promise<string | undefined> {
    const known = this.#owners.get(sha256);
    if (known !== undefined && known !== wrong) return known;
    const id = await twice(() => this.#directory().ownerOf(sha256));
    if (id === null) this.#owners.delete(sha256);
    else this.#owners.set(sha256, id);
    return id ?? undefined;
  }

  /** Reads a copy, once for as long as it is used often. */
  #read(id: string, stored: StoredConfiguration): Property | InvalidProperty {
    const isCopy = this.#copies.get(id)?.stored === stored;
    const ready = isCopy ? this.#ready.get(id) : undefined;
    const property = ready ?? toProperty(id, stored, this.#sealingKeys);
    if (!isCopy) return property;
    this.#ready.delete(id);
    this.#ready.set(id, property);
    const [oldest = id] = this.#ready.keys();
    if (this.#ready.size > MAX_READY) this.#ready.delete(oldest);
    return property;
  }

  async #stored(id: string): Promise<StoredConfiguration | null> {
    const now = Date.now();
    const copy = this.#copies.get(id);
    // A clock that was put back must not make a copy young again.
    const age = copy === undefined || now < copy.readAt ? Number.POSITIVE_INFINITY : now - copy.readAt;
    const isTrusted = age < TRUSTED_MS;
    if (copy !== undefined && isTrusted) {
      const isBeingRead = now - copy.askedAt < ANSWER_LIMIT_MS;
      if (age < READ_AFTER_MS || isBeingRead) return this.#use(id, copy, now);
      copy.askedAt = now;
    }
    // An object that nobody made would leave a file behind. A directory that does not answer keeps nobody from their hotel.
    const isThere = copy !== undefined || (await this.#has(id).catch(() => undefined));
    if (isThere === false) return null;
    const forgotten = this.#forgotten;
    const reading = twice<StoredConfiguration | null>(() => objectByName(this.#properties, id, this.#placement).read());
    try {
      const stored = await (isTrusted ? orTimeout(ANSWER_LIMIT_MS, reading) : reading);
      if (stored === null) {
        this.#forget(id);
        return null;
      }
      // What changed meanwhile may be what was read; but nobody goes on with an older one after this.
      const kept = this.#copies.get(id)?.stored;
      const isNewer = kept !== undefined && kept.version < stored.version;
      if (isNewer || (isThere === true && forgotten === this.#forgotten)) return this.#keep(id, stored, now);
      return this.#newest(id, stored);
    } catch (error) {
      if (copy !== undefined && isTrusted) return this.#newest(id, copy.stored);
      throw error;
    }
  }

  /** To the end of the line. */
  #use(id: string, copy: Copy, now: number): StoredConfiguration {
    this.#copies.delete(id);
    this.#copies.set(id, copy);
    copy.usedAt = now;
    return copy.stored;
  }

  /** Forgets one that was changed from here: whoever is told of the change finds it at once in this isolate. */
  forget(id: string): void {
    // What is being read now may be old as well.
    this.#forgotten += 1;
    this.#forget(id);
  }

  #has(id: string): Promise<boolean> {
    return twice(() => orTimeout(ANSWER_LIMIT_MS, this.#directory().has(id)));
  }

  /** Keeps what was read. If a copy of the same version is there, which others have read, that one stays. */
  #keep(id: string, read: StoredConfiguration, readAt: number): StoredConfiguration {
    const known = this.#copies.get(id);
    const newest = this.#newest(id, read);
    const age = Date.now() - (known?.readAt ?? Number.NaN);
    const isOld = known !== undefined && known.stored.version >= read.version;
    // Two have asked at once: it was read later than this, or has a newer version, which counts until it is due to be read again.
    const isLate = isOld && (known.readAt > readAt || (newest !== read && age < TRUSTED_MS));
    if (isLate && age >= 0) return newest;
    const stored = known !== undefined && isSame(known.stored, read) ? known.stored : read;
    if (stored === read) {
      this.#forget(id);
      this.#characters += sizeOf(read);
    }
    this.#copies.delete(id);
    this.#copies.set(id, { stored, readAt, usedAt: readAt, askedAt: Number.NEGATIVE_INFINITY });
    for (const oldest of this.#copies.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#forget(oldest);
    }
    this.#forgetIdle(readAt);
    return stored;
  }

  /** What was read, unless others have read a newer version meanwhile: nobody goes on with an older one after them. */
  #newest(id: string, read: StoredConfiguration): StoredConfiguration {
    const known = this.#copies.get(id)?.stored;
    return known !== undefined && known.version > read.version ? known : read;
  }

  #forget(id: string): void {
    const copy = this.#copies.get(id);
    if (copy === undefined) return;
    this.#copies.delete(id);
    this.#ready.delete(id);
    this.#characters -= sizeOf(copy.stored);
  }

  /** A hotel that nobody uses takes no memory here after a while. */
  #forgetIdle(now: number): void {
    for (const [id, { usedAt }] of this.#copies) {
      if (now - usedAt < IDLE_MS) break;
      this.#forget(id);
    }
    if (now - this.#ownersSince < IDLE_MS) return;
    this.#owners.clear();
    this.#ownersSince = now;
  }

  #directory(): DurableObjectStub<PropertyDirectoryObject> {
    return directoryObject(this.#directories, this.#placement);
  }
}

function isSame(one: StoredConfiguration, other: StoredConfiguration): boolean {
  if (one.version !== other.version || one.isRemoved !== other.isRemoved) return false;
  return 'fields' in one && 'fields' in other && one.fields === other.fields;
}

function sizeOf(stored: StoredConfiguration): number {
  return 'fields' in stored ? stored.fields.length : 0;
}

function toProperty(
  id: string,
  stored: StoredConfiguration,
  sealingKeys: readonly string[],
): Property | InvalidProperty {
  if (!('fields' in stored)) {
    const { field, message } = stored.issue;
    return { ...invalidProperty(id, message), isRemoved: stored.isRemoved, field };
  }
  // Checked by the object that gave it away.
  const fields = JSON.parse(stored.fields) as PropertyFields;
  const property = { invalid: false, id, isRemoved: stored.isRemoved, sealingKeys: [], ...fields } as const;
  return withSealingKeys(property, sealingKeys);
}
