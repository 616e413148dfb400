/** One process at a time changes a file. The lock is an empty file beside it, there for a few milliseconds. */
import { randomUUID } from 'node:crypto';
import { link, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { usageError } from '../failures/cli-error.ts';
import { errorCode } from '../input/read-input.ts';

/** A lock this old was left by a process that was killed. */
const STALE_MS = 30_000;
const WAIT_MS = 25;
const MAX_WAITS = 400;

/** Does the work while no other process does its own with the same file. @throws `usage` when another one does not end */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.lock`;
  for (let waits = 0; !(await isTakenNow(path, lock)); waits++) {
    if (waits === MAX_WAITS) {
      throw usageError(`Another command is changing ${path}. Nothing was changed.`, 'Run this again in a minute.');
    }
    await removeStale(lock);
    await setTimeout(WAIT_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** The error for a file that the system does not let us write. */
export function notWritable(path: string, error: unknown): Error {
  return usageError(`${path} cannot be written (${errorCode(error)}).`, 'Check the folder and who may write there.');
}

async function isTakenNow(path: string, lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw notWritable(path, error);
  }
}

async function removeStale(lock: string): Promise<void> {
  if (!(await isStale(lock))) return;
  // Of several that find it stale, one renames it. Another may rename the lock that came after it, and puts that back.
  const removed = `${lock}.${randomUUID()}`;
  await rename(lock, removed).catch(() => undefined);
  if (!(await isStale(removed))) await link(removed, lock).catch(() => undefined);
  await rm(removed, { force: true });
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}
