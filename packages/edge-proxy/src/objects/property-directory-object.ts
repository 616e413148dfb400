/**
 * The directory of a deployment's properties: which there are, and which changed since somebody looked last. What they are
 * is kept by an object of each; so that every other part of the proxy can keep copies, this one says when they are old.
 */
import { DurableObject } from 'cloudflare:workers';
import { type DirectoryEntry, type DirectoryQuery, DirectoryStorage } from '../storage/directory-storage.ts';

/** What changed after a position; `ids` is null when it is too much to tell. */
export interface DirectoryChanges {
  readonly position: number;
  readonly ids: readonly string[] | null;
}

const MAX_CHANGES = 1_000;

/** There is one object, with a fixed name. */
export class PropertyDirectoryObject extends DurableObject {
  readonly #store = new DirectoryStorage(this.ctx.storage);

  /** What changed after a position; from null on nothing has, and the position is where to begin. */
  async changesAfter(position: number | null): Promise<DirectoryChanges> {
    const newest = this.#store.position();
    if (position === null || position === newest) return { position: newest, ids: [] };
    const ids = this.#store.changedAfter(position, MAX_CHANGES + 1);
    // A position ahead of the newest is of a directory that was lost and made anew.
    return { position: newest, ids: ids.length > MAX_CHANGES || position > newest ? null : ids };
  }

  async has(id: string): Promise<boolean> {
    return this.#store.has(id);
  }

  /** The property that a key of this hash belongs to. */
  async holderOf(sha256: string): Promise<string | null> {
    return this.#store.holderOf(sha256) ?? null;
  }

  async list(query: DirectoryQuery): Promise<DirectoryEntry[]> {
    return this.#store.list(query);
  }

  /** Gives keys to a property before it stores them in its next version. Returns the first that is another's; then none is given. */
  async claimKeys(id: string, hashes: readonly string[], version: number): Promise<string | null> {
    return this.#store.claimKeys(id, hashes, version) ?? null;
  }

  /** Tells everybody what a property has stored. */
  async publish(entry: DirectoryEntry, hashes: readonly string[]): Promise<void> {
    this.#store.publish(entry, hashes);
  }
}
