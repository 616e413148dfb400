/** The one row of an object: its record, and what the ledger has not taken yet. */
import { versionEventId } from '../http/ids.ts';
import type { StoredSchedule, Task } from '../objects/schedule.ts';
import { refuseNewer, SCHEMA_VERSION } from '../objects/schema-version.ts';
import type { LedgerUpdate } from './ledger-update.ts';
import { redacted, redactedText } from './redacted.ts';
import type { Reservation } from './reservations.ts';
import type { RecordTimes } from './retention.ts';

export interface StoredRecord extends RecordTimes {
  readonly id: string;
  readonly property: string;
  readonly livemode: boolean;
  readonly seq: number;
  /** When its words were erased; absent until then. What comes later is kept without words, too. */
  readonly redactedAt?: number;
}

/** A version on its way to the ledger, before its event has an id. */
export type UnsentUpdate = Omit<LedgerUpdate, 'eventId'>;

/** What is stored of an object. */
export interface RecordRow<Stored, Beside> {
  /** Of the version that wrote it last. */
  readonly schema: number;
  /** Null before there is one. */
  readonly record: Stored | null;
  readonly fingerprint: string;
  /** Oldest first. That of the record itself has no body in the table: it is made from the record. */
  readonly unsent: readonly UnsentUpdate[];
  readonly reservations: readonly Reservation[];
  readonly beside: Beside;
  readonly schedule?: StoredSchedule;
}

/** What differs between kinds of records. */
export interface RecordKind<Stored, Beside> {
  /** What the record is called in a refusal. */
  readonly noun: string;
  readonly toEntry: (record: Stored) => Omit<UnsentUpdate, 'at'>;
  /** What the row keeps beside the record, at first. */
  readonly beside: Beside;
  /** What the record's time counts from, where it does not say so itself. */
  readonly timesOf?: (record: Stored) => RecordTimes;
  /** Both as a schedule's store has them, only for the tasks of this kind of record. */
  readonly isRepeatable?: (kind: string) => boolean;
  readonly moved?: (record: Stored, task: Task, calledFor: number) => number | undefined;
}

/** A row that {@link rowText} has written. */
export function parseRow<Stored extends StoredRecord, Beside>(
  text: string,
  { toEntry }: Pick<RecordKind<Stored, Beside>, 'toEntry'>,
): RecordRow<Stored, Beside> {
  const row = JSON.parse(text) as RecordRow<Stored, Beside>;
  refuseNewer(row.schema);
  const { record } = row;
  const unsent = row.unsent.map((update) =>
    record === null || update.resource.body !== '' ? update : { ...update, resource: toEntry(record).resource },
  );
  return { ...row, unsent };
}

/** A row as it is stored. */
export function rowText<Stored extends StoredRecord>(
  row: RecordRow<Stored, unknown>,
  schedule: StoredSchedule | undefined,
): string {
  const unsent = row.unsent.map((update) => {
    const isOfRecord = update.resource.seq === row.record?.seq;
    return isOfRecord ? { ...update, resource: { ...update.resource, body: '' } } : update;
  });
  return JSON.stringify({ ...row, schema: SCHEMA_VERSION, unsent, schedule });
}

export async function toUpdate(update: UnsentUpdate): Promise<LedgerUpdate> {
  // Lists need no id of an event.
  const { type, resource } = update;
  const eventId = type === null ? '' : await versionEventId(resource);
  if (type !== 'payment.redacted') return { ...update, eventId };
  const earlier = Array.from({ length: resource.seq - 1 }, (_, index) => ({ ...resource, seq: index + 1 }));
  return { ...update, eventId, redacts: await Promise.all(earlier.map(versionEventId)) };
}

export function asKept<Stored extends StoredRecord>(record: Stored): Stored {
  return record.redactedAt === undefined ? record : redacted(record);
}

export function withoutWords(update: UnsentUpdate): UnsentUpdate {
  const { resource } = update;
  return { ...update, resource: { ...resource, reference: null, body: redactedText(resource.body) } };
}
