/**
 * Moves alarms while the proxy is down: those that follow a clock that was set back, and those that became due. The runtime fires
 * all of them as it starts, each opens its object, and thousands at once need more open files than a process may have.
 *
 * It reads and writes the runtime's own tables: `metadata.sqlite` in the folder of each class of objects, and the objects’ own.
 * `tests/proxy/overdue-alarms.test.ts` fails when they change.
 */
import { existsSync, globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ALARMS_MOVED_WITHIN_MS } from '../objects/moved-alarms.ts';

/** Fewer overdue alarms than this all run at once. */
const AT_ONCE = 100;
/** Alarms per second, unless that takes longer than {@link ALARMS_MOVED_WITHIN_MS}. */
const PER_SECOND = 20;
const NANOSECONDS = 1_000_000n;

/**
 * Has alarms follow the clock, and moves overdue ones into the next five minutes, the oldest first. Call it while no runtime runs.
 * @param storageDir folder of the objects
 * @param now milliseconds since the epoch
 * @param setBackMs how far the clock was set back, where the alarms set since hide it
 */
function moveAlarms(storageDir: string, now: number, setBackMs: number): void {
  const files = globSync(join(storageDir, 'innkeep-*')).map((folder) => join(folder, 'metadata.sqlite'));
  const writtenAt = files.map(lastWrittenAt);
  const databases = files.map(openDatabase);
  try {
    for (const [nth, database] of databases.entries()) {
      followClock(database, dirname(files[nth] ?? ''), Math.max((writtenAt[nth] ?? now) - now, setBackMs));
    }
    const overdue = databases
      .flatMap((database) => readOverdue(database, now).map((alarm) => ({ ...alarm, database })))
      .sort((one, other) => Number(one.at - other.at));
    if (overdue.length <= AT_ONCE) return;
    const intervalMs = Math.min(1_000 / PER_SECOND, ALARMS_MOVED_WITHIN_MS / overdue.length);
    for (const database of databases) database.exec('BEGIN');
    for (const [nth, { database, id }] of overdue.entries()) {
      const at = BigInt(Math.floor(now + nth * intervalMs)) * NANOSECONDS;
      database.prepare('UPDATE _cf_ALARM SET scheduled_time = ? WHERE actor_id = ?').run(at, id);
    }
    for (const database of databases) database.exec('COMMIT');
  } finally {
    for (const database of databases) database.close();
  }
}

function openDatabase(file: string): DatabaseSync {
  try {
    // It would be made anew, without any alarm.
    if (!existsSync(file)) throw new Error('missing');
    const database = new DatabaseSync(file);
    // One that cannot be read, or is empty, says so only here.
    database.prepare('SELECT total(scheduled_time) FROM _cf_ALARM').get();
    return database;
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Each alarm that is set writes the file: by the clock of then, in milliseconds. */
function lastWrittenAt(file: string): number {
  const times = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.ceil(Math.max(...times));
}

/** Once the clock was set back, every alarm comes as long from now as it was from then. This writes the file, so it happens once. */
function followClock(database: DatabaseSync, folder: string, behindMs: number): void {
  if (behindMs <= 0) return;
  const behind = BigInt(behindMs) * NANOSECONDS;
  // Each object knows its alarm as well, and puts off one that comes before it.
  for (const { id } of database.prepare('SELECT actor_id AS id FROM _cf_ALARM').all()) {
    const file = join(folder, `${id}.sqlite`);
    if (!existsSync(file)) continue;
    const object = new DatabaseSync(file);
    object.prepare('UPDATE _cf_METADATA SET value = value - ? WHERE key = 1').run(behind);
    object.close();
  }
  database.prepare('UPDATE _cf_ALARM SET scheduled_time = scheduled_time - ?').run(behind);
}

function readOverdue(database: DatabaseSync, now: number): { readonly id: string; readonly at: bigint }[] {
  const statement = database.prepare(
    'SELECT actor_id AS id, scheduled_time AS at FROM _cf_ALARM WHERE scheduled_time <= ?',
  );
  statement.setReadBigInts(true);
  // What the columns hold, by the runtime's own table.
  return statement.all(BigInt(now) * NANOSECONDS) as { id: string; at: bigint }[];
}

/** As a process of its own: `node serve-overdue-alarms.js <storageDir> <setBackMs>`. SQLite is experimental in Node, which says so in each process. */
try {
  moveAlarms(process.argv[2] ?? '', Date.now(), Number(process.argv[3]));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
