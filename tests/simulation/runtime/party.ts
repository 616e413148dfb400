/** Who a piece of running code belongs to: an instance of an object, a request that the worker serves, or the outside. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** One owner of running code. When it ends, its code is cut off: nothing that it waits for ever comes. */
export interface Party {
  readonly name: string;
  isAlive: boolean;
  /** Calls back once what the party has written is certain: until then nothing of it leaves. */
  whenFlushed(done: () => void): void;
  /** Told when the party ends, so that whoever waits for an answer of it learns. */
  readonly onEnd: Set<(reason: Error) => void>;
}

const parties = new AsyncLocalStorage<Party>();

/** Whose code is running; undefined for code of the test itself. */
export function currentParty(): Party | undefined {
  return parties.getStore();
}

export function runAs<Result>(party: Party, run: () => Result): Result {
  return parties.run(party, run);
}

/** Runs code as nobody: the world around the worker. */
export function runOutside<Result>(run: () => Result): Result {
  return parties.exit(run);
}

export function newParty(name: string): Party {
  return { name, isAlive: true, whenFlushed: (done) => done(), onEnd: new Set() };
}

export function endParty(party: Party, reason: Error): void {
  if (!party.isAlive) return;
  party.isAlive = false;
  for (const tell of [...party.onEnd]) tell(reason);
  party.onEnd.clear();
}

/** Resolves once what a party has written may be known outside; never when it ends before that. */
export function untilFlushed(party: Party | undefined): Promise<void> {
  return party === undefined ? Promise.resolve() : new Promise((resolve) => party.whenFlushed(resolve));
}
