import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the tests of the file or group that calls it. It goes when all that they have started has ended. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'innkeep-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
