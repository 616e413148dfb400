/** The hotel's own time: the real one, plus what somebody has moved it by. */
export class HotelClock {
  readonly #base: () => Date;
  #offsetMs: number;

  constructor(options: { readonly base?: () => Date; readonly offsetMs?: number } = {}) {
    this.#base = options.base ?? (() => new Date());
    this.#offsetMs = options.offsetMs ?? 0;
  }

  /** How far it is ahead of the real time, in milliseconds. Keep it to restore the clock later. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): Date {
    return new Date(this.#base().getTime() + this.#offsetMs);
  }

  /** Moves it forward. @throws RangeError when asked to go back: what happened has happened. */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('The hotel’s clock only goes forward.');
    this.#offsetMs += ms;
  }
}
