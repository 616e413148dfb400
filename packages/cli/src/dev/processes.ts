/** The process table: who started this command, and all that a process has started. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProcessRow {
  readonly parent: number;
  readonly command: string;
}

/** All processes by number. Empty where the system does not list them. */
export type ProcessTable = ReadonlyMap<number, ProcessRow>;

const LOOK_EVERY_MS = 250;
const STOP_LIMIT_MS = 4_000;

export function readProcesses(): ProcessTable {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

// A bare container has no `ps`.
function fromProc(): ProcessTable {
  const table = new Map<number, ProcessRow>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The second field is the program’s name in parentheses, which may hold spaces and parentheses.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      table.set(Number(name), { parent: Number(parent), command });
    } catch {
      // It ended meanwhile.
    }
  }
  return table;
}

function fromPs(): ProcessTable {
  try {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const rows = text.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm);
    return new Map(
      Array.from(rows, ([, pid, parent, command = '']) => [Number(pid), { parent: Number(parent), command }]),
    );
  } catch {
    return new Map();
  }
}

/** The package managers above a process, and the shells between them, the nearest first. */
function launchersOf(start: number, processes: ProcessTable): readonly number[] {
  const found: number[] = [];
  let waiting: number[] = [];
  for (let pid = start; ; ) {
    const row = processes.get(pid);
    if (row === undefined) return found;
    const isShell = /^(\S*\/)?(ba|da|z|k)?sh -c /.test(row.command);
    const isManager = /(^|[\s/'"])(npm|npx|pnpm|pnpx|yarn|bunx?|corepack)(-cli)?(\.[cm]?js)?(['"\s]|$)/.test(
      row.command,
    );
    if (!isShell && !isManager) return found;
    waiting.push(pid);
    // A shell counts only below a package manager: any other shell belongs to a person.
    if (isManager && !isShell) {
      found.push(...waiting);
      waiting = [];
    }
    pid = row.parent;
  }
}

/** All processes below this one, the nearest first. */
export function descendantsOf(pid: number, processes: ProcessTable): readonly number[] {
  const children = [...processes].filter(([, { parent }]) => parent === pid).map(([child]) => child);
  return [...children, ...children.flatMap((child) => descendantsOf(child, processes))];
}

/** Processes that were started with this in their environment. Only Linux can list them. */
export function processesWith(assignment: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  return [...readProcesses().keys()].filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(assignment);
    } catch {
      // It ended meanwhile, or is somebody else’s.
      return false;
    }
  });
}

/** Calls back once when the process that started this one is gone, however it ended. @returns stops watching */
export function whenLauncherEnds(callback: () => void): () => void {
  const parent = process.ppid;
  const launchers = launchersOf(parent, readProcesses());
  const timer = setInterval(() => {
    if (process.ppid === parent && launchers.every(isAlive)) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Ends these processes: first politely, after some seconds by force. Resolves when none is left. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + STOP_LIMIT_MS;
  let left = pids.filter((pid) => signal(pid, 'SIGTERM'));
  while (left.length > 0 && Date.now() < deadline) {
    await delay(50);
    const table = readProcesses();
    left = left.filter((pid) => (table.size > 0 ? table.has(pid) : isAlive(pid)));
  }
  for (const pid of left) signal(pid, 'SIGKILL');
}

/** Whether a process runs, even one of another user. */
function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
