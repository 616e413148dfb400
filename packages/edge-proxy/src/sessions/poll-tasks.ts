/** The polls of a session among its tasks. Pure. */
import { scheduleInput } from './attempt-record.ts';
import { scheduledPoll } from './polling-schedule.ts';
import { attemptOf, type SessionRecord } from './session-record.ts';

const POLL = /^poll (\d+)$/;

/** Name of the next poll of an attempt among the tasks. */
export function pollKind(number: number): string {
  return `poll ${number}`;
}

/** The number of the attempt whose poll a task is; undefined for another task. */
export function polledAttempt(kind: string): number | undefined {
  const number = POLL.exec(kind)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** When a poll is due that was planned after the record was last written: the first one of the schedule from an instant on. */
export function pollFrom(record: SessionRecord, kind: string, from: number): number | undefined {
  const attempt = attemptOf(record, polledAttempt(kind) ?? 0);
  return attempt && scheduledPoll(scheduleInput(attempt, record), from - 1);
}
