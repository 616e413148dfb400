import { type CheckResult, ok, problem, skipped } from './check-result.ts';

/** One answer's `Date` header beside our own clock: theirs minus ours, in milliseconds; undefined when it is missing or unreadable. */
export type ClockReading = number | undefined;

const TOLERANCE_MS = 30_000;

/** Compares a `Date` header with the middle of the request's time here. */
export function readClock(date: string | null, sentAt: Date, answeredAt: Date): ClockReading {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  // The header has no fractions of a second: half a second later is the best guess.
  return theirs + 500 - (sentAt.getTime() + answeredAt.getTime()) / 2;
}

/** Judges the readings of one machine. `check` names the result, `whose` the other clock. */
export function checkClock(check: string, whose: string, readings: readonly ClockReading[]): CheckResult {
  const offsets = readings.filter((reading) => reading !== undefined);
  const [first] = offsets;
  if (first === undefined) {
    return readings.length === 0
      ? skipped(check, `There was no answer from ${whose}.`, 'Repeat the check when it answers.')
      : skipped(check, `The answers of ${whose} have no Date header.`, 'Ask its operator to run date -u, and compare.');
  }
  const offset = offsets.reduce((best, each) => (Math.abs(each) < Math.abs(best) ? each : best), first);
  const seconds = Math.round(Math.abs(offset) / 1000);
  const message = `The clock of ${whose} is ${seconds} s ${offset >= 0 ? 'ahead of' : 'behind'} this machine’s.`;
  if (Math.abs(offset) <= TOLERANCE_MS) return ok(check, message);
  return problem(
    check,
    message,
    'Set this machine’s clock by network time (timedatectl set-ntp true). If it is right already, tell the operator of the other machine: tokens and webhooks need correct clocks.',
  );
}
