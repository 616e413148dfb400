/**
 * One property of the directory: its configuration, sealed, in every version that is kept. A change is announced to the
 * directory, stored in one commit, and answered once the directory has heard that it is. Should the object be cut off in
 * between, the directory asks it.
 */
import { type PropertyFields, type PropertyVersion, parsePropertyFields } from '@innkeep/core/contract';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import { type SealingSecrets, seal, unseal } from '../http/seal.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import { type AuditRow, logAct } from './audit-row.ts';
import { type AuditSlice, inOrder, isInSlice } from './audit-slice.ts';
import { areSealingKeys, parseProperties, sealingKeysOf } from './configured-properties.ts';
import { directoryObject } from './directory-stub.ts';
import { KeyUseTable } from './key-use-table.ts';
import {
  NOT_OPENED,
  nextConfiguration,
  type PropertyChange,
  type ShownProperty,
  type StoredConfiguration,
  showConfiguration,
} from './property-configuration.ts';
import type { PropertyDirectoryObject } from './property-directory-object.ts';
import { type PropertyRow, PropertyStorage, type VersionRow } from './property-storage.ts';
import type { Settings } from './settings.ts';

export interface PropertyObjectBindings extends Settings {
  readonly DIRECTORIES: DurableObjectNamespace<PropertyDirectoryObject>;
}

/** How long the texts of a removed property are kept: until every payment that was begun has reached its end. */
const REMOVED_RETENTION_MS: number = 30 * 24 * 60 * 60_000;
const ALL_VERSIONS = 1_000_000;
/** How many of the newest changes the directory is told each time: it may not have heard of some. */
const TOLD_ACTS = 20;
const NOT_FOUND = { detail: 'There is no property with this id in the directory' };
const CONFLICT = {
  detail: 'The configuration has another version: read it, and send that version as If-Match',
  param: 'If-Match',
};
const NOT_ANNOUNCED = { detail: 'Nothing was changed: the directory does not answer. Try again' };
const MAY_BE_LIVE = {
  detail: 'This property may be live: it cannot be opened, and the platform of this key has no livemode',
};
const NOT_TOLD = {
  detail: 'The change is stored. It applies everywhere once the directory answers again',
};
const UNCONDITIONAL = { detail: 'The property exists: read it, and send its version as If-Match', param: 'If-Match' };

/** Owns one property of the directory. Its name is the property's id. */
export class PropertyObject extends PlacedObject<PropertyObjectBindings> {
  readonly #store = new PropertyStorage(this.ctx.storage);
  readonly #keyUses = new KeyUseTable(this.ctx.storage.sql);
  /** Changes that are being made. */
  #changing = 0;

  /** The configuration as the rest of the proxy uses it; null when nothing was ever stored. */
  async read(): Promise<StoredConfiguration | null> {
    const row = this.#store.newest();
    const property = this.#store.property();
    return row === undefined || property === undefined ? null : this.#stored(property, row);
  }

  async #stored(property: PropertyRow, row: VersionRow): Promise<StoredConfiguration> {
    const about = { version: row.version, isRemoved: property.isRemoved };
    const json = await this.#open(property.id, row);
    if (json === undefined) return { ...about, issue: NOT_OPENED };
    const parsed = parsePropertyFields(json);
    if ('fields' in parsed) return { ...about, fields: JSON.stringify(parsed.fields) };
    return { ...about, issue: parsed.issues[0] };
  }

  /** The configuration as its operator sees it. */
  async show(): Promise<Outcome<ShownProperty>> {
    return this.#show(this.#store.property(), this.#store.newest());
  }

  async #show(property: PropertyRow | undefined, row: VersionRow | undefined): Promise<Outcome<ShownProperty>> {
    if (row === undefined || property === undefined) return refuse('not_found', NOT_FOUND);
    const { id, createdAt, isRemoved } = property;
    const { version, at: updatedAt, by } = row;
    const shown = showConfiguration(await this.#open(id, row), this.#keyUses.all());
    return ok({ ...shown, isRemoved, version, createdAt, updatedAt, updatedBy: by.by });
  }

  /** Hears in which hour a key was used, also of a hotel whose configuration is a secret. */
  async noteKeyUse(sha256: string, at: number): Promise<void> {
    this.#keyUses.note(sha256, at);
  }

  /** The last hour in which each key was used, in milliseconds, by its hash. */
  async keyUses(): Promise<Record<string, number>> {
    return this.#keyUses.all();
  }

  /** The history, the newest version first. */
  async versions(before: number | null, limit: number): Promise<Outcome<PropertyVersion[]>> {
    const rows = this.#store.versions({ before, limit });
    if (rows.length === 0 && before === null) return refuse('not_found', NOT_FOUND);
    const value = rows.map(({ version, at, by, action, fields, copyOf, sealed }) => ({
      object: 'property_version' as const,
      version,
      at: new Date(at).toISOString(),
      by: by.by,
      action,
      fields: [...fields],
      copyOf,
      isKept: sealed !== null,
    }));
    return ok(value);
  }

  /** Who changed what, for the audit. */
  async audit(slice: AuditSlice): Promise<AuditRow[]> {
    const rows = this.#acts(ALL_VERSIONS).filter((row) => isInSlice(row, slice));
    return inOrder(rows, slice);
  }

  /** The newest changes, as the audit has them. */
  #acts(limit: number): AuditRow[] {
    const id = this.#store.property()?.id ?? '';
    return this.#store.versions({ before: null, limit }).map(({ version, at, by }) => ({
      id: `au_${id}_v${version}`,
      at,
      action: 'property.changed',
      resource: null,
      version,
      ...by,
    }));
  }

  /** Makes the next version. Nothing is stored unless all of it is right. */
  async change(id: string, change: PropertyChange): Promise<Outcome<ShownProperty>> {
    this.#changing += 1;
    try {
      return await this.#change(id, change);
    } finally {
      this.#changing -= 1;
    }
  }

  async #change(id: string, { edit, by, expected, mayBeLive }: PropertyChange): Promise<Outcome<ShownProperty>> {
    const newest = this.#store.newest();
    const stored = this.#store.property();
    const refusal = refuseVersion(newest, { edit, expected });
    if (refusal !== undefined) return refusal;
    const secrets = sealingSecrets(this.env);
    if (!secrets.ok) return secrets;
    const before = newest === undefined ? undefined : await this.#open(id, newest);
    if (newest !== undefined && before === undefined && !mayBeLive) {
      const unknown = await this.#refuseUnlessTest(id, newest);
      if (unknown !== undefined) return unknown;
    }
    const copied = edit.action === 'rolled_back' ? await this.#openVersion(id, edit.version) : undefined;
    const wasRemoved = stored?.isRemoved === true;
    const next = nextConfiguration({ before, copied, edit, wasRemoved, mayBeLive });
    if (!next.ok) return next;
    const { text, fields, merchantKeys } = next.value;
    // Nothing to do, but the directory may not have heard of it yet. What somebody else makes of it meanwhile is not this change's.
    if (fields === null) return (await this.#tell()) ?? this.#show(stored, newest);
    const sealed = text === null ? null : await seal(text, aadOf(id), secrets.value);
    const version = (newest?.version ?? 0) + 1;
    const refused = await this.#announce(id, version, merchantKeys);
    if (refused !== undefined) return refused;
    if (this.#store.newest()?.version !== newest?.version) return refuse('version_conflict', CONFLICT);
    const action = newest === undefined ? 'created' : edit.action;
    const copyOf = edit.action === 'rolled_back' ? edit.version : null;
    // What is removed is kept as it is now, perhaps resealed, even when it can no longer be opened.
    const kept = text === null ? (this.#store.newest()?.sealed ?? null) : sealed;
    const row: VersionRow = { version, at: Date.now(), by, action, fields, copyOf, sealed: kept };
    const property = this.#commit(id, row);
    return (await this.#tell()) ?? this.#show(property, row);
  }

  /** Seals every version with the newest key. Returns how many an older one had sealed. */
  async reseal(): Promise<Outcome<number>> {
    const property = this.#store.property();
    if (property === undefined) return refuse('not_found', NOT_FOUND);
    const secrets = sealingSecrets(this.env);
    if (!secrets.ok) return secrets;
    const aad = aadOf(property.id);
    const [newest] = secrets.value;
    let resealed = 0;
    for (const { sealed } of this.#store.versions({ before: null, limit: ALL_VERSIONS })) {
      if (sealed === null || (await unseal(sealed, aad, [newest])) !== undefined) continue;
      const text = await unseal(sealed, aad, secrets.value);
      if (text === undefined) continue;
      this.#store.reseal({ before: sealed, after: await seal(text, aad, [newest]) });
      resealed += 1;
    }
    return ok(resealed);
  }

  /** Tells the directory what is stored. False: a change is being made, and nothing is told yet. */
  async tellDirectory(): Promise<boolean> {
    if (this.#changing > 0) return false;
    await this.#publish();
    return true;
  }

  /** Forgets what was removed long ago. */
  protected override async runAlarm(): Promise<void> {
    if (this.#store.property() === undefined) return;
    await this.#store.due.run(async ({ kind }) => {
      this.#store.eraseTexts();
      this.#store.due.clear(kind);
    });
  }

  #commit(id: string, row: VersionRow): PropertyRow {
    const isRemoved = row.action === 'removed';
    const { createdAt, isRemoved: wasRemoved } = this.#store.property() ?? { createdAt: row.at, isRemoved: false };
    const property = { id, createdAt, isRemoved };
    this.#store.prepare();
    this.#store.transaction(() => {
      this.#store.add(property, row);
      // Setting an alarm is a write of its own: there is one only for removed properties.
      if (isRemoved) this.#store.due.set('erase', row.at + REMOVED_RETENTION_MS);
      else if (wasRemoved) this.#store.due.clear('erase');
      if (isRemoved || wasRemoved) this.#store.due.arm();
    });
    for (const act of this.#acts(1)) logAct(id, act);
    return property;
  }

  /** Tells the directory what is stored. Until it has heard, a change is not called made: older copies may go on. */
  async #tell(): Promise<Refusal | undefined> {
    try {
      await this.#publish();
      return undefined;
    } catch {
      // The directory goes on asking.
      return refuse('internal', NOT_TOLD);
    }
  }

  async #publish(): Promise<void> {
    const property = this.#store.property();
    const row = this.#store.newest();
    if (property === undefined || row === undefined) return;
    const shown = await this.#stored(property, row);
    const fields = 'fields' in shown ? (JSON.parse(shown.fields) as PropertyFields) : undefined;
    // What cannot be opened may be live.
    const { displayName = '', livemode = true } = fields ?? {};
    const { version, at: updatedAt } = row;
    const entry = { id: property.id, displayName, livemode, isRemoved: property.isRemoved, version, updatedAt };
    const hashes = property.isRemoved ? [] : (fields?.merchantKeys.map(({ sha256 }) => sha256) ?? null);
    await this.#directory().publish(entry, hashes, this.#acts(TOLD_ACTS));
  }

  /** Tells the directory what is about to be stored. Refused when a key is another property's. */
  async #announce(id: string, version: number, hashes: readonly string[]): Promise<Refusal | undefined> {
    const secrets = parseProperties({ ...this.env });
    // Those of its own secret move with it.
    let taken = hashes.find((hash) => (secrets.findByHash(hash)?.property.id ?? id) !== id) ?? null;
    try {
      taken ??= await this.#directory().announce(id, version, hashes);
    } catch {
      return refuse('property_unavailable', NOT_ANNOUNCED);
    }
    if (taken === null) return undefined;
    const param = `merchantKeys.${hashes.indexOf(taken)}.sha256`;
    return refuse('invalid_request', {
      detail: `${param} is also a key of another property: every key belongs to one`,
      param,
    });
  }

  /** What cannot be opened may be live. Of what was erased the directory knows whether it was. */
  async #refuseUnlessTest(id: string, { sealed }: VersionRow): Promise<Refusal | undefined> {
    if (sealed !== null) return refuse('forbidden', MAY_BE_LIVE);
    try {
      const only = { patterns: [id], search: null, isRemoved: null, after: '', limit: 1 };
      const [entry] = await this.#directory().list(only);
      return entry?.livemode === false ? undefined : refuse('forbidden', MAY_BE_LIVE);
    } catch {
      return refuse('property_unavailable', NOT_ANNOUNCED);
    }
  }

  async #openVersion(id: string, version: number): Promise<unknown> {
    const row = this.#store.find(version);
    return row === undefined ? undefined : this.#open(id, row);
  }

  /** The configuration's JSON; undefined when it cannot be opened, or is no longer kept. */
  async #open(id: string, { sealed }: VersionRow): Promise<unknown> {
    const secrets = sealingSecrets(this.env);
    const text = sealed === null || !secrets.ok ? undefined : await unseal(sealed, aadOf(id), secrets.value);
    return text === undefined ? undefined : JSON.parse(text);
  }

  #directory(): DurableObjectStub<PropertyDirectoryObject> {
    return directoryObject(this.env.DIRECTORIES, this.env);
  }
}

/** The secrets that seal configurations. None can be made from a password in the configuration itself. */
function sealingSecrets({ SEALING_KEYS }: Settings): Outcome<SealingSecrets> {
  const [newest, ...older] = sealingKeysOf(SEALING_KEYS);
  if (newest !== undefined && areSealingKeys([newest, ...older])) return ok([newest, ...older]);
  const detail =
    'SEALING_KEYS is missing or wrong: 32 random bytes in Base64, as `openssl rand -base64 32` prints them';
  return refuse('property_unavailable', { detail, param: 'SEALING_KEYS' });
}

function aadOf(id: string): string {
  return `property:${id}`;
}

function refuseVersion(
  newest: VersionRow | undefined,
  { edit, expected }: Pick<PropertyChange, 'edit' | 'expected'>,
): Refusal | undefined {
  if (newest === undefined) {
    if (edit.action !== 'replaced') return refuse('not_found', NOT_FOUND);
    return Array.isArray(expected) || expected === '*' ? refuse('version_conflict', CONFLICT) : undefined;
  }
  if (expected === undefined) return refuse('precondition_required', UNCONDITIONAL);
  if (expected === '*') return undefined;
  return expected?.includes(newest.version) ? undefined : refuse('version_conflict', CONFLICT);
}
