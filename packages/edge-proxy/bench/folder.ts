/** A folder for what a bench writes, which is gone when its process ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const folder: string = mkdtempSync(join(tmpdir(), 'innkeep-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
