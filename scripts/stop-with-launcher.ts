// Prevents: servers left behind. npx ends on a signal without passing it on, so what it started would keep its ports.
import { execFileSync } from 'node:child_process';

const LOOK_EVERY_MS = 500;

/** Sends this process SIGTERM once the npx or pnpm that started it is gone, however that ended. */
export function stopWithLauncher(): void {
  const launcher = findLauncher(process.ppid, readProcesses());
  if (launcher === undefined) return;
  const timer = setInterval(() => {
    if (isAlive(launcher)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** One row of the process table. */
export interface ProcessRow {
  readonly parent: number;
  readonly command: string;
}

/** The outermost of the package managers (and the shells between them) above this process. */
export function findLauncher(start: number, processes: ReadonlyMap<number, ProcessRow>): number | undefined {
  let launcher: number | undefined;
  for (let pid = start; ; ) {
    const row = processes.get(pid);
    if (row === undefined) return launcher;
    const isPackageManager = /(^|[\s/'"])(npm|npx|pnpm)(\.c?js)?(['"\s]|$)/.test(row.command);
    const isItsShell = /^(\S*\/)?(ba|da|z)?sh -c /.test(row.command);
    if (!isPackageManager && !isItsShell) return launcher;
    if (isPackageManager && !isItsShell) launcher = pid;
    pid = row.parent;
  }
}

function readProcesses(): Map<number, ProcessRow> {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const rows = table.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm);
    return new Map(
      Array.from(rows, ([, pid, parent, command]) => [Number(pid), { parent: Number(parent), command: command ?? '' }]),
    );
  } catch {
    // No `ps` here (Windows, a bare container): nothing to watch, Ctrl-C still works.
    return new Map();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
