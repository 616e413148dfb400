// Temporary folders of tests in memory, where the machine has room for them. A proxy keeps a file for each of its objects and waits for
// the disk whenever money moves: on a disk that takes a sixth of the suites' CPU, and more of their time.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** The suites together leave less than a tenth of it. A container's 64 MB are no room. */
const NEEDED_BYTES = 2 ** 31;

if (process.env.TMPDIR === undefined && hasRoom()) {
  const folder = mkdtempSync(`${MEMORY}/innkeep-test-`);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
