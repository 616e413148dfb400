/**
 * The globals of a simulated world: one clock behind `Date` and every timer, seeded chance, crypto that needs no threads,
 * and a `fetch` that leaves nothing before it may be known. Installed once per process, over whichever world is current.
 */
import { cryptoWithoutThreads } from './crypto.ts';
import { currentParty, type Party, runAs, untilFlushed } from './party.ts';
import type { Happening, Scheduler } from './scheduler.ts';

/** The world that the globals speak for. */
export interface GlobalsOfWorld {
  readonly scheduler: Scheduler;
  /** Answers what the worker or one of its objects sends out. */
  fetch(request: Request, sender: Party | undefined): Promise<Response>;
  /** Whether a request does not wait until what its sender has written is certain: its sender has to see to that itself. */
  leavesAtOnce(request: Request): boolean;
  /** Takes a line that the worker or one of its objects prints. */
  print(level: 'log' | 'warn' | 'error', line: unknown, sender: Party | undefined): void;
}

let world: GlobalsOfWorld | undefined;

/** Makes a world the current one. */
export function enterWorld(next: GlobalsOfWorld | undefined): void {
  world = next;
}

function current(): GlobalsOfWorld {
  if (world === undefined) throw new Error('No simulated world is current');
  return world;
}

const RealDate = Date;
const real = { setTimeout, clearTimeout, console: { ...console } };

class VirtualDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(VirtualDate.now());
    // Whatever `new Date` takes.
    else super(...(given as [number]));
  }

  /** Whole milliseconds, also between two of them: an id of a session has no other characters for its time. */
  static override now(): number {
    return world === undefined ? RealDate.now() : Math.floor(world.scheduler.now);
  }
}

/** A timer of a party ends with it, and runs as it, as promises do. */
function startTimer(run: () => void, delayMs: number): Happening {
  const party = currentParty();
  const { scheduler } = current();
  const delay = Number.isFinite(delayMs) ? Math.max(0, delayMs) : 0;
  return scheduler.at(scheduler.now + delay, 'timer', () => {
    if (party === undefined) run();
    else if (party.isAlive) runAs(party, run);
  });
}

/** Puts the simulated globals in place of the real ones, for the rest of the process. */
export function installGlobals(): void {
  const chance = (): number => (world === undefined ? 0.5 : world.scheduler.draw('chance'));
  const wait = (delayMs: number): Promise<void> => new Promise((resolve) => startTimer(resolve, delayMs));
  const replaced: Record<string, unknown> = {
    Date: VirtualDate,
    setTimeout: (run: () => void, delayMs = 0, ...rest: never[]) =>
      world === undefined ? real.setTimeout(run, delayMs, ...rest) : startTimer(run, delayMs),
    clearTimeout: stopTimer,
    scheduler: { wait },
    fetch: virtualFetch,
    crypto: cryptoWithoutThreads(chance, sometimesLater),
  };
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Math.random = chance;
  rememberFormats();
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController();
    startTimer(() => controller.abort(new DOMException('The time limit was reached', 'TimeoutError')), delayMs);
    return controller.signal;
  };
  for (const level of ['log', 'warn', 'error'] as const) {
    console[level] = (...parts: unknown[]) => {
      const party = currentParty();
      if (world === undefined || party === undefined) real.console[level](...parts);
      else if (party.isAlive) world.print(level, parts[0], party);
    };
  }
}

/** Makes each format once: parsing the same settings for every world would cost more than anything else. */
function rememberFormats(): void {
  const formats = new Map<string, Intl.DateTimeFormat>();
  Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct(target, given) {
      const name = JSON.stringify(given);
      const known = formats.get(name) ?? Reflect.construct(target, given);
      formats.set(name, known);
      return known;
    },
  });
}

function stopTimer(timer: Happening | NodeJS.Timeout | undefined | null): void {
  if (timer && 'isCanceled' in timer) timer.isCanceled = true;
  else if (timer) real.clearTimeout(timer);
}

async function virtualFetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
  const sender = currentParty();
  if (sender?.isAlive === false) return new Promise(() => undefined);
  const request = input instanceof Request && init === undefined ? input : new Request(input, init);
  const { signal } = request;
  signal.throwIfAborted();
  if (!current().leavesAtOnce(request)) await untilFlushed(sender);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const end = (tell: () => void): void => {
      signal.removeEventListener('abort', stop);
      if (sender?.isAlive !== false) tell();
    };
    current()
      .fetch(request, sender)
      .then(
        (response) => end(() => resolve(response)),
        (error: unknown) => end(() => reject(error)),
      );
  });
}

/** Whoever waits for a result of crypto may find that others ran first. */
function sometimesLater<Value>(value: Value): Promise<Value> {
  if (world === undefined || world.scheduler.draw('crypto') > 0.1) return Promise.resolve(value);
  const { scheduler } = world;
  return new Promise((resolve) => scheduler.soon('crypto', () => resolve(value)));
}
