/**
 * The lock of a folder of data. The operating system holds it for whoever has the file open, so it is handed to the runtime and ends
 * with it, however that ends; a launcher that is gone neither keeps nor loses it.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A lock that this process holds, until the runtime has it. */
export interface DataLock {
  /** What the runtime inherits. */
  readonly fd: number;
  /** Whether another process had it first and has only just ended: what it listened on may take a moment longer. */
  readonly wasHeld: boolean;
  /** Writes down which process has it, for those who are refused. */
  name(pid: number): void;
  /** Lets go here; whoever inherited the file has the lock from now on. */
  release(): void;
}

const LOCK_FILE = 'lock';
const RETRY_MS = 100;
// Node names neither. Opening itself takes the lock there: O_EXLOCK of open(2) on macOS, no sharing on Windows.
const LOCKING_OPEN: Readonly<Partial<Record<NodeJS.Platform, number>>> = {
  darwin: 0x20 | constants.O_NONBLOCK,
  win32: 0x1000_0000,
};

/** Takes the lock. Waits for one that is about to end, then fails with the name of the process that has it. */
export async function lockData(
  dataDir: string,
  { url, waitMs }: { readonly url: string; readonly waitMs: number },
): Promise<DataLock> {
  const path = join(dataDir, LOCK_FILE);
  const deadline = Date.now() + waitMs;
  for (let wasHeld = false; ; wasHeld = true) {
    const fd = await tryLock(path);
    if (fd !== undefined) {
      const name = (pid: number): void => {
        ftruncateSync(fd);
        writeSync(fd, `process ${pid} on ${hostname()}, which serves ${url}`, 0);
      };
      name(process.pid);
      return { fd, wasHeld, name, release: () => closeSync(fd) };
    }
    if (Date.now() >= deadline) {
      throw new Error(`--data: ${dataDir} is in use by ${holderIn(path)}. Stop it first, or name another folder.`);
    }
    await delay(RETRY_MS);
  }
}

/** The open file; undefined while somebody else has the lock. */
async function tryLock(path: string): Promise<number | undefined> {
  const { O_RDWR, O_CREAT } = constants;
  const locking = LOCKING_OPEN[process.platform];
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_CREAT | (locking ?? 0), 0o600);
  } catch (error) {
    if (locking !== undefined && ['EAGAIN', 'EBUSY'].includes(String((error as NodeJS.ErrnoException).code)))
      return undefined;
    throw error;
  }
  if (locking !== undefined) return fd;
  try {
    if (await flock(fd)) return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return undefined;
}

/** The lock belongs to the open file, which this process and the program share, not to the program. */
function flock(fd: number): Promise<boolean> {
  return new Promise((done, fail) => {
    const program = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'inherit', fd] });
    program.once('error', () => fail(new Error('The program "flock" is needed to lock the data: install util-linux')));
    program.once('exit', (code) => {
      if (code === 0 || code === 1) done(code === 0);
      else fail(new Error(`--data: the folder cannot be locked (flock ended with ${code})`));
    });
  });
}

function holderIn(path: string): string {
  try {
    return readFileSync(path, 'utf8') || 'another process';
  } catch {
    // Windows lets nobody else read it.
    return 'another process';
  }
}
