/** What the runtime keeps from one test file to the next, while every module is evaluated anew. */

export interface SharedRuntime {
  /** The bindings as configured. */
  readonly bindings: object;
  /** How many files have begun. */
  files: number;
  /** In which file an object first woke, by its id. */
  readonly fileOf: Map<string, number>;
  /** What the running test has logged. */
  readonly lines: string[];
  /** Shows something at once, whatever the running test keeps. */
  readonly info: Console['info'];
  /** The runtime's own. */
  readonly wait: Scheduler['wait'];
}

const shared = globalThis as { runtimeOfTests?: SharedRuntime };

/** The one of this runtime. `env`: its bindings, for the first file. */
export function sharedRuntime(env: object): SharedRuntime {
  shared.runtimeOfTests ??= {
    bindings: { ...env },
    files: 0,
    fileOf: new Map(),
    lines: [],
    info: console.info,
    wait: scheduler.wait.bind(scheduler),
  };
  return shared.runtimeOfTests;
}
