import { type Clock, createClock } from './domain/clock.ts';
import { createLedger, type Ledger } from './domain/ledger.ts';
import { createSeededIds, type SeededIds } from './domain/seeded-ids.ts';
import { createWireLog, type WireLog } from './domain/wire-log.ts';
import { LENIENT } from './profiles/lenient.ts';
import type { Profile } from './profiles/profile.ts';
import { STRICT } from './profiles/strict.ts';
import { containsTestCard } from './scenarios/magic-table.ts';
import { createScenarioQueue, type ScenarioQueue } from './scenarios/scenario-queue.ts';
import type { Settings } from './settings.ts';
import { createRedactor, type Redactor } from './wire/redact.ts';
import { createRequestTables, type RequestTables } from './wire/request-tables.ts';

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
  /** Back to the state right after it was made. */
  readonly reset: () => void;
}

/** A world in which nothing has happened yet. */
export function createWorld(settings: Settings): World {
  const profile = settings.profile === 'strict' ? STRICT : LENIENT;
  const clock = createClock(settings.now);
  const ids = createSeededIds(settings.seed);
  const ledger = createLedger(settings.limits);
  const queue = createScenarioQueue();
  const wireLog = createWireLog(settings.limits.requests);
  let successes = 0;
  return {
    settings,
    profile,
    clock,
    ids,
    ledger,
    queue,
    wireLog,
    redactor: createRedactor([settings.password, settings.apiKey]),
    tables: createRequestTables({
      ...settings,
      dateTime: profile.dateTimeRule,
      acceptsAnyTheme: profile.acceptsAnyTheme,
      referenceObjection: (value) => (containsTestCard(value) ? 'must not contain a card number' : undefined),
    }),
    successCode: () => {
      successes += 1;
      return profile.successCode(successes);
    },
    reset: () => {
      successes = 0;
      for (const part of [clock, ids, ledger, queue, wireLog]) part.reset();
    },
  };
}
