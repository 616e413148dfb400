/** What the machine lets the runtime do at once. */
import { execFileSync } from 'node:child_process';

/** Open files that do not belong to payments: listening, calls, hotels' own objects. */
const OTHER_FILES = 1_000;
/** What one pending payment holds open on average: three files of its object while it is polled, and for ten seconds after. */
const FILES_PER_PAYMENT = 0.5;

/** How many files the runtime may open: the hard limit, to which Node raises its own. Undefined where there is none. */
export function openFilesLimit(): number | undefined {
  try {
    const limit = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }));
    return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  } catch {
    // No shell: Windows, which has no such limit.
    return undefined;
  }
}

/** How many payments may be pending at once with so many open files, in two digits. */
export function maxPendingPayments(openFiles: number): number {
  const fit = Math.max(0, openFiles - OTHER_FILES) / FILES_PER_PAYMENT;
  return fit < 100 ? Math.floor(fit) : Number((fit * 0.995).toPrecision(2));
}
