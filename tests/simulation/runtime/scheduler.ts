/**
 * What happens next, and when: every timer, message, alarm and commit of a simulated world is an event here, and a seed
 * alone decides between those that could happen now. The same seed gives the same order, to the byte.
 */

export interface Happening {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly label: string;
  readonly run: () => void;
  isCanceled: boolean;
}

/** Lets everything that is ready to run right now run to its end: promises, then the next event. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Far more than any history has; one that gets here goes round in circles. */
const EVENT_LIMIT = 100_000;

/** The clock and the events of one world. */
export class Scheduler {
  /** Milliseconds since the epoch. */
  now: number;
  count = 0;
  /** Told about each event before it happens. */
  onEvent: ((happening: Happening) => void) | undefined;
  readonly #seed: number;
  readonly #draws = new Map<string, number>();
  /** By time, then by age. */
  readonly #waiting: Happening[] = [];
  #ready: Happening[] = [];
  #interruptions: { readonly at: number; readonly run: () => void }[] = [];

  constructor(seed: number, now: number) {
    this.#seed = hash(`seed ${seed}`, 0x811c9dc5);
    this.now = now;
  }

  /**
   * The next number of a name, 0 ≤ number < 1. Each name has its own series, so that what happens to one part of a
   * world does not change what happens to another: a history that is made shorter stays alike.
   */
  draw(name: string): number {
    const nth = (this.#draws.get(name) ?? 0) + 1;
    this.#draws.set(name, nth);
    let value = Math.imul(hash(name, this.#seed) ^ nth, 0x9e3779b1);
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
    return ((value ^ (value >>> 16)) >>> 0) / 4_294_967_296;
  }

  /** How many numbers of a name were drawn. */
  drawn(name: string): number {
    return this.#draws.get(name) ?? 0;
  }

  /** Plans an event; one whose time has passed happens as soon as possible. */
  at(at: number, label: string, run: () => void): Happening {
    const happening: Happening = { at, label, run, isCanceled: false };
    if (at <= this.now) this.#ready.push(happening);
    else this.#waiting.splice(this.#waiting.findLastIndex((earlier) => earlier.at <= at) + 1, 0, happening);
    return happening;
  }

  /** Plans an event for now: after everything that runs already, in an order that the seed decides. */
  soon(label: string, run: () => void): Happening {
    return this.at(this.now, label, run);
  }

  /** Has something done after so many more events, whatever they are in the middle of. */
  afterEvents(events: number, run: () => void): void {
    this.#interruptions.push({ at: this.count + events, run });
  }

  /** Moves the clock without letting anything happen on the way: what was due then is late. */
  jump(ms: number): void {
    this.now += ms;
  }

  /** When the next event is due; undefined when there is none. */
  nextAt(): number | undefined {
    this.#drop();
    return this.#ready.length > 0 ? this.now : this.#waiting[0]?.at;
  }

  /** Lets events happen until a condition holds, nothing is left, or the clock would pass `limit`. */
  async run(limit: number, isOver: () => boolean = () => false): Promise<void> {
    await settled();
    while (!isOver()) {
      const next = this.nextAt();
      if (next === undefined || next > limit) break;
      if (next > this.now) this.now = next;
      this.#collect();
      const happening = this.#take();
      if (happening === undefined) continue;
      this.count += 1;
      if (this.count > EVENT_LIMIT) throw new Error(`No end after ${EVENT_LIMIT} events; the last: ${happening.label}`);
      this.onEvent?.(happening);
      happening.run();
      await settled();
      if (this.#interruptions.length > 0) await this.#interrupt();
    }
    if (!isOver() && limit > this.now && Number.isFinite(limit)) this.now = limit;
  }

  async #interrupt(): Promise<void> {
    const due = this.#interruptions.filter(({ at }) => at <= this.count);
    if (due.length === 0) return;
    this.#interruptions = this.#interruptions.filter(({ at }) => at > this.count);
    for (const { run } of due) run();
    await settled();
  }

  #collect(): void {
    const due = this.#waiting.filter(({ at }) => at <= this.now).length;
    this.#ready.push(...this.#waiting.splice(0, due));
  }

  #take(): Happening | undefined {
    const live = this.#ready;
    if (live.length === 0) return undefined;
    const index = live.length === 1 ? 0 : Math.floor(this.draw('order') * live.length);
    const taken = live[index];
    const last = live.pop();
    if (last !== undefined && index < live.length) live[index] = last;
    return taken?.isCanceled === true ? undefined : taken;
  }

  /** Forgets canceled events that would make the clock move for nothing. */
  #drop(): void {
    while (this.#waiting[0]?.isCanceled === true) this.#waiting.shift();
    if (this.#ready.some(({ isCanceled }) => isCanceled)) {
      this.#ready = this.#ready.filter(({ isCanceled }) => !isCanceled);
    }
  }
}

function hash(text: string, start: number): number {
  let value = start;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
  return value;
}
