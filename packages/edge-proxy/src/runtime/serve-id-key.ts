/** Whether a folder still has the key of all ids. With another one, each idempotency key would be new and could charge again. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A database without tables has one page. */
const EMPTY_BYTES = 4_096;
/** The file of an object, and what was not moved into it yet. */
const OBJECT = /^[0-9a-f]{64}\.sqlite(-wal)?$/;

/** Fails when the folder has payments, and not the key that their ids are made with. */
export function refuseLostIdKey(storageDir: string): void {
  const folderOf = (kind: string): string => join(storageDir, `innkeep-${kind}Object`);
  const keys = folderOf('IdKey');
  // First: there may be millions of payments, and their names fill the memory.
  if (objectsIn(keys).some((name) => statSync(join(keys, name)).size > EMPTY_BYTES)) return;
  if (!['CheckoutSession', 'MoneyOperation'].some((kind) => objectsIn(folderOf(kind)).length > 0)) return;
  throw new Error(
    `--data: ${keys} is lost, and without it each idempotency key could charge again: restore it from any copy of the folder. It never changes`,
  );
}

function objectsIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => OBJECT.test(name)) : [];
}
