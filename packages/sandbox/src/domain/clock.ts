/** The time at which a sandbox starts. */
export const CLOCK_START: Date = new Date('2026-09-01T08:00:00Z');

/** The sandbox's own time. It stands still unless moved, so that the same calls give the same bytes. */
export class Clock {
  readonly #read: () => Date;
  /** How far it was moved, in milliseconds. */
  offsetMs = 0;

  constructor(read: () => Date) {
    this.#read = read;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#read().getTime() + this.offsetMs;
  }

  /** The time as the upstream API writes it: local, without a zone. The sandbox's hotel lives in UTC. */
  localDateTime(): string {
    return toLocalDateTime(this.now());
  }
}

/** Milliseconds since the epoch → `YYYY-MM-DDTHH:MM:SS`. */
export function toLocalDateTime(timestampMs: number): string {
  return new Date(timestampMs).toISOString().slice(0, 19);
}
