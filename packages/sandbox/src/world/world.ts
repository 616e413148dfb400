import { Clock } from '../domain/clock.ts';
import { createLedger, type Ledger, type LedgerState } from '../domain/ledger.ts';
import type { Operation } from '../domain/plan.ts';
import { type IdKind, SeededIds } from '../domain/seeded-ids.ts';
import { WireLog } from '../domain/wire-log.ts';
import { LENIENT } from '../profiles/lenient.ts';
import type { Profile } from '../profiles/profile.ts';
import { STRICT } from '../profiles/strict.ts';
import { scenarioNamed } from '../scenarios/all-scenarios.ts';
import { containsTestCard } from '../scenarios/magic-table.ts';
import { ScenarioQueue } from '../scenarios/scenario-queue.ts';
import { maskCardNumbersIn } from '../wire/card-number.ts';
import { createRedactor, type Redactor } from '../wire/redact.ts';
import { createRequestTables, type RequestTables } from '../wire/request-tables.ts';
import type { Settings } from './settings.ts';

/** Everything that a sandbox knows except the wire log, as one value. It holds bigints and maps: copy it by structured clone. */
export interface SandboxState {
  /** Increases with every change of this shape. A sandbox accepts only its own. */
  readonly version: typeof STATE_VERSION;
  /** How far the clock was moved, in milliseconds. */
  readonly clockOffsetMs: number;
  /** The last number of each kind of id. */
  readonly ids: ReadonlyMap<IdKind, number>;
  /** Everything that happened. */
  readonly ledger: LedgerState;
  /** Scenarios that wait to be played. */
  readonly chosen: readonly { readonly operation: Operation; readonly scenario: string; readonly times: number }[];
  /** How many calls the wire log has counted. */
  readonly calls: number;
  /** How many answers said success; a dialect may take its return code from it. */
  readonly successes: number;
}

const STATE_VERSION = 2;

/** The state of one sandbox and the rules that it plays by. */
export interface World {
  readonly settings: Settings;
  readonly profile: Profile;
  readonly tables: RequestTables;
  readonly clock: Clock;
  readonly ids: SeededIds;
  readonly ledger: Ledger;
  readonly queue: ScenarioQueue;
  readonly wireLog: WireLog;
  readonly redactor: Redactor;
  /** `returnCode` of the next success, as the profile writes it. */
  readonly successCode: () => string | number;
  /** A copy of its present state, so that later calls do not change it. */
  readonly save: () => SandboxState;
  /** Takes over a saved state. False, and nothing changed, if another version saved it. */
  readonly restore: (state: SandboxState) => boolean;
  /** Back to the state right after it was made. */
  readonly reset: () => void;
}

/** A world in which nothing has happened yet. */
export function createWorld(settings: Settings): World {
  const profile = settings.profile === 'strict' ? STRICT : LENIENT;
  const clock = new Clock(settings.now);
  const ids = new SeededIds(settings.seed);
  const ledger = createLedger(settings.limits);
  const queue = new ScenarioQueue();
  const wireLog = new WireLog(settings.limits.requests);
  let successes = 0;
  return {
    settings,
    profile,
    clock,
    ids,
    ledger,
    queue,
    wireLog,
    redactor: createRedactor([
      settings.password,
      settings.apiKey,
      ...(settings.productId === undefined ? [] : [settings.productId.value]),
    ]),
    tables: createRequestTables({
      ...settings,
      dateTime: profile.dateTimeRule,
      acceptsAnyTheme: profile.acceptsAnyTheme,
      referenceObjection: (value) =>
        containsTestCard(value) || maskCardNumbersIn(value) !== value ? 'must not contain a card number' : undefined,
    }),
    successCode: () => {
      successes += 1;
      return profile.successCode(successes);
    },
    save: () =>
      structuredClone({
        version: STATE_VERSION,
        clockOffsetMs: clock.offsetMs,
        ids: ids.counts,
        ledger: ledger.state(),
        chosen: queue.chosen(),
        calls: wireLog.count,
        successes,
      }),
    restore: (given) => {
      if (given.version !== STATE_VERSION) return false;
      const state = structuredClone(given);
      successes = state.successes;
      clock.offsetMs = state.clockOffsetMs;
      ids.counts = new Map(state.ids);
      ledger.restore(state.ledger);
      queue.reset();
      for (const { operation, scenario: name, times } of state.chosen) {
        const scenario = scenarioNamed(name);
        if (scenario !== undefined) queue.choose(operation, scenario, times);
      }
      wireLog.restore(state.calls);
      return true;
    },
    reset: () => {
      successes = 0;
      clock.offsetMs = 0;
      ids.counts.clear();
      ledger.reset();
      queue.reset();
      wireLog.restore(0);
    },
  };
}
