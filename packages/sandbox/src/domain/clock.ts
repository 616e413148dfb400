/** The sandbox's own time. It stands still unless moved, so that the same calls give the same bytes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The time as the upstream API writes it: local, without a zone. The sandbox's hotel lives in UTC. */
  localDateTime(): string;
  advance(seconds: number): void;
  /** How far it was moved, in milliseconds. */
  offsetMs(): number;
  reset(): void;
}

/** Where time stands when a sandbox starts. */
export const CLOCK_START: Date = new Date('2026-09-01T08:00:00Z');

/** A clock that reads `now` and adds what it was advanced by. */
export function createClock(now: () => Date): Clock {
  let offsetMs = 0;
  const read = (): number => now().getTime() + offsetMs;
  return {
    now: read,
    localDateTime: () => toLocalDateTime(read()),
    advance: (seconds) => {
      offsetMs += seconds * 1_000;
    },
    offsetMs: () => offsetMs,
    reset: () => {
      offsetMs = 0;
    },
  };
}

/** Milliseconds since the epoch → `YYYY-MM-DDTHH:MM:SS`. */
export function toLocalDateTime(timestampMs: number): string {
  return new Date(timestampMs).toISOString().slice(0, 19);
}
