/**
 * The objects in ordinary tests: real time, everything arrives at once, nobody crashes unless a test says so. A test may
 * replace `Date`; alarms go on by the real clock, as in the real runtime.
 */
import type { Host } from './objects.ts';

const realNow = Date.now.bind(Date);
const realSetTimeout = setTimeout;
const realClearTimeout = clearTimeout;
/** The longest delay that a timer takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** A host without chance. */
export function createRealTimeHost(): Host {
  return {
    now: realNow,
    at(time, _label, run) {
      const timer = realSetTimeout(run, Math.min(MAX_DELAY_MS, Math.max(0, time - realNow())));
      timer.unref();
      return () => realClearTimeout(timer);
    },
    carry: (_label, arrive) => arrive(),
    commit: (_object, flush) => flush(),
    evicts: () => false,
    alarmTime: (_label, time) => time,
    repeatsAlarm: () => false,
  };
}
