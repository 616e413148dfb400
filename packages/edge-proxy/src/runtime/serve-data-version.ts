/** The version of the data in a folder, in a file beside them, so that an older version refuses all of it before it touches any. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '../objects/schema-version.ts';

const FILE = 'schema-version';

/** Fails when a newer version of the proxy has used the folder. */
export function refuseNewerFolder(dataDir: string): void {
  const text = readVersion(dataDir);
  if (text === undefined || Number(text) <= SCHEMA_VERSION) return;
  throw new Error(
    `--data: a newer version of the proxy has used ${dataDir}: its data has version ${JSON.stringify(text)}, and this proxy knows ${SCHEMA_VERSION}. Nothing was changed. Start the newer version again, or name the copy of the folder that you made before the update.`,
  );
}

/** Writes down that this version uses the folder. Call it with the lock. */
export function keepFolderVersion(dataDir: string): void {
  refuseNewerFolder(dataDir);
  if (readVersion(dataDir) === String(SCHEMA_VERSION)) return;
  writeFileSync(join(dataDir, FILE), `${SCHEMA_VERSION}\n`, { mode: 0o600 });
}

function readVersion(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), 'utf8').trim();
  } catch (error) {
    // A missing folder, or one that cannot be opened, is reported when it is used.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
