/** Whether a folder still has the key of all ids. With another one, each idempotency key would be new and could charge again. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A database without tables has one page. */
const EMPTY_BYTES = 4_096;
/** The file of an object, and what was not moved into it yet. */
const OBJECT = /^[0-9a-f]{64}\.sqlite(-wal)?$/;

/** Fails when the folder has payments, and not the key that their ids are made with. */
export function refuseLostIdKey(storageDir: string): void {
  const hasPayments = ['CheckoutSession', 'MoneyOperation'].some((kind) => filesOf(storageDir, kind).length > 0);
  if (!hasPayments || filesOf(storageDir, 'IdKey').some((file) => statSync(file).size > EMPTY_BYTES)) return;
  throw new Error(
    `--data: ${join(storageDir, 'innkeep-IdKeyObject')} is lost, and without it each idempotency key could charge again: restore it from any copy of the folder. It never changes`,
  );
}

function filesOf(storageDir: string, kind: string): readonly string[] {
  const folder = join(storageDir, `innkeep-${kind}Object`);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => (OBJECT.test(name) ? join(folder, name) : []));
}
