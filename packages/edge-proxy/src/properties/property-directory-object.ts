/**
 * The directory of a deployment's properties: which there are, and which of them owns each key. What they are is kept by an object of
 * each. A property announces a change before it stores it and tells what came of it; one that does not is asked.
 */

import { objectByName } from '../objects/object-by-name.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import type { AuditRow } from './audit-row.ts';
import type { AuditSlice } from './audit-slice.ts';
import {
  ASK_AFTER_MS,
  type DirectoryEntry,
  type DirectoryQuery,
  DirectoryStorage,
  type PendingChange,
  type PropertyAct,
} from './directory-storage.ts';
import { KeyUseTable } from './key-use-table.ts';
import type { Settings } from './settings.ts';

/** What is asked of a property's object. */
interface NotifyingProperty extends Rpc.DurableObjectBranded {
  tellDirectory(): Promise<boolean>;
}

export interface PropertyDirectoryBindings extends Settings {
  readonly PROPERTIES: DurableObjectNamespace<NotifyingProperty>;
}

/** How many properties are asked at a time about what they announced. */
const MAX_ASKED = 50;

/** There is one object, with a fixed name. */
export class PropertyDirectoryObject extends PlacedObject<PropertyDirectoryBindings> {
  #opened: DirectoryStorage | undefined;
  readonly #keyUses = new KeyUseTable(this.ctx.storage.sql);

  async has(id: string): Promise<boolean> {
    return this.#store.has(id);
  }

  /** The property that a key of this hash belongs to. */
  async ownerOf(sha256: string): Promise<string | null> {
    return this.#store.ownerOf(sha256) ?? null;
  }

  async list(query: DirectoryQuery): Promise<DirectoryEntry[]> {
    return this.#store.list(query);
  }

  /**
   * Hears that a property is about to store its next version, and gives it the version's keys. Returns the first that is
   * another's; then the version must not be stored.
   */
  async announce(id: string, version: number, hashes: readonly string[]): Promise<string | null> {
    return this.#store.announce({ id, version, at: Date.now() }, hashes) ?? null;
  }

  /** Hears what a property has stored. `hashes`: of its keys; null while nobody can tell. */
  async publish(
    entry: DirectoryEntry,
    hashes: readonly string[] | null,
    acts: readonly AuditRow[] = [],
  ): Promise<void> {
    this.#store.publish(entry, hashes, acts);
  }

  /** Who changed which property, of those that fit. */
  async audit(slice: AuditSlice, patterns: readonly string[]): Promise<PropertyAct[]> {
    return this.#store.audit(slice, patterns);
  }

  /** Hears in which hour a platform's key was used. */
  async noteKeyUse(sha256: string, at: number): Promise<void> {
    this.#keyUses.note(sha256, at);
  }

  /** The last hour in which each key of a platform was used, in milliseconds, by its hash. */
  async keyUses(): Promise<Record<string, number>> {
    return this.#keyUses.all();
  }

  /** Asks properties that were cut off between an announcement and its end. */
  protected override async runAlarm(): Promise<void> {
    await this.#store.due.run(async () => {
      const now = Date.now();
      const silent = this.#store.pendingBefore(now - ASK_AFTER_MS, MAX_ASKED);
      const asked = await Promise.allSettled(silent.map((change) => this.#ask(change)));
      const failure = asked.find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
      this.#store.planAsking(now);
    });
  }

  async #ask(change: PendingChange): Promise<void> {
    const hasNotified = await objectByName(this.env.PROPERTIES, change.id, this.env).tellDirectory();
    // Otherwise a change is being made, and it is asked again.
    if (hasNotified) this.#store.forgetPending(change);
  }

  /** Opened when it is first needed: what a newer version has stored is refused there. */
  get #store(): DirectoryStorage {
    this.#opened ??= new DirectoryStorage(this.ctx.storage);
    return this.#opened;
  }
}
