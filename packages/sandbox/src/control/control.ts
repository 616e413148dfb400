/** The tester's hand: what `/__sandbox/` routes do, as functions. */
import { cancelHosted, completeHosted, declineHosted, settleIfDue } from '../bookkeeping/hosted-outcome.ts';
import { DECLINE_TEXT } from '../domain/decline-reason.ts';
import { isFinished } from '../domain/hosted-machine.ts';
import type { HostedRequest } from '../domain/ledger.ts';
import { OPERATIONS, type Operation } from '../domain/plan.ts';
import type { WireLogEntry } from '../domain/wire-log.ts';
import { visitCallbacks } from '../hosted-page/callbacks.ts';
import { ALL_SCENARIOS, scenarioNamed } from '../scenarios/all-scenarios.ts';
import { MAGIC_ROWS, type MagicRow } from '../scenarios/magic-table.ts';
import { approved } from '../scenarios/outcomes.ts';
import { maskCardNumbersIn, toMaskedCard } from '../wire/card-number.ts';
import { Refusal } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';
import { type HostedView, type LedgerView, toHostedView, toLedgerView } from './ledger-view.ts';

const OUTCOMES = ['paid', 'tokenized', 'aborted', 'error'] as const;

/** How a hosted request is to end. */
export interface Completion {
  /** The hosted request to end. */
  readonly requestID: string;
  /** `paid` and `tokenized` must fit the operation. */
  readonly outcome: (typeof OUTCOMES)[number];
  /**
   * Only with `paid`, and only before the guest has paid; up to two decimals, above 0 and at most 100. It is added
   * even when the feature `surcharge` was not asked for.
   */
  readonly surchargePercent?: number;
  /** Only with `error`. @default 'Card declined' */
  readonly errorText?: string;
}

/** A scenario chosen for the next calls of an operation. */
export interface ScenarioChoice {
  /** The operation whose calls are meant. */
  readonly operation: Operation;
  /** A name from {@link SandboxControl.scenarios}. */
  readonly scenario: string;
  /** How many calls; 0 takes an earlier choice back. @default 1 */
  readonly times?: number;
}

/** What can be chosen and what is chosen. */
export interface ScenarioList {
  /** Every scenario, with the operations that take it. */
  readonly scenarios: readonly {
    readonly name: string;
    readonly description: string;
    readonly operations: readonly Operation[];
  }[];
  /** What is waiting to be played, and for how many more calls. */
  readonly chosen: readonly { readonly operation: Operation; readonly scenario: string; readonly times: number }[];
}

/**
 * The control functions. Each does what the route of the same name under `/__sandbox/` does, and returns what it
 * answers. Bad arguments throw an error whose `code` is `invalid_request`, `not_found` or `conflict`.
 */
export interface SandboxControl {
  /** Forgets everything; ids and clock begin again. The route answers `{ "ok": true }`. */
  reset(): void;
  /** The wire log, oldest first, with secrets redacted; only calls after the given `seq` when it is given. */
  requests(after?: number): { readonly requests: readonly WireLogEntry[] };
  /** Every charge, reversal, token and hosted request that happened, oldest first. */
  ledger(): LedgerView;
  /** Every scenario, and what is chosen. */
  scenarios(): ScenarioList;
  /** Plays a scenario for the next calls of an operation. The route answers as `scenarios` does. */
  scenario(choice: ScenarioChoice): void;
  /** Moves the clock forward. */
  clock(step: {
    /** How far, in seconds; at most ten years. */
    readonly advanceSeconds: number;
  }): { readonly now: string };
  /** Ends a hosted request as if the guest had done it. A finished request never changes: `conflict`. */
  complete(completion: Completion): Promise<HostedView>;
  /** The magic inputs, as the hosted page and the documentation show them. */
  magic(): { readonly rows: readonly MagicRow[] };
}

const CONTROL_CARD = '4242424242424242';

export function createControl(world: World): SandboxControl {
  return {
    reset: () => world.reset(),
    requests: (after) => ({ requests: world.wireLog.entries(after) }),
    ledger: () => toLedgerView(world),
    scenarios: () => ({
      scenarios: ALL_SCENARIOS.map(({ name, description, operations }) => ({ name, description, operations })),
      chosen: world.queue.chosen(),
    }),
    scenario: (choice) => chooseScenario(world, choice),
    clock: ({ advanceSeconds }) => {
      if (!Number.isFinite(advanceSeconds) || advanceSeconds < 0 || advanceSeconds > 10 * 366 * 86_400) {
        throw new Refusal('invalid_request', 'must be a number of seconds from 0 to ten years', 'advanceSeconds');
      }
      world.clock.offsetMs += advanceSeconds * 1_000;
      return { now: world.clock.localDateTime() };
    },
    complete: (completion) => complete(world, completion),
    magic: () => ({ rows: MAGIC_ROWS }),
  };
}

function chooseScenario(world: World, { operation, scenario: name, times = 1 }: ScenarioChoice): void {
  if (!OPERATIONS.includes(operation)) {
    throw new Refusal('invalid_request', `must be one of ${OPERATIONS.join(', ')}`, 'operation');
  }
  const scenario = scenarioNamed(name);
  if (scenario === undefined) throw new Refusal('invalid_request', 'is not a known scenario', 'scenario');
  if (!scenario.operations.includes(operation)) {
    throw new Refusal('invalid_request', `is for ${scenario.operations.join(', ')}`, 'scenario');
  }
  if (!Number.isInteger(times) || times < 0) {
    throw new Refusal('invalid_request', 'must be a whole number, 0 or more', 'times');
  }
  world.queue.choose(operation, scenario, times);
}

async function complete(world: World, completion: Completion): Promise<HostedView> {
  const { requestID, outcome, surchargePercent, errorText = DECLINE_TEXT.declined } = completion;
  if (!OUTCOMES.includes(outcome)) {
    throw new Refusal('invalid_request', `must be one of ${OUTCOMES.join(', ')}`, 'outcome');
  }
  const hosted = world.ledger.hosted.get(requestID);
  if (hosted === undefined) throw new Refusal('not_found', 'is not a known request', 'requestID');
  settleIfDue(world, hosted);
  if (isFinished(hosted.phase)) throw new Refusal('conflict', 'is finished and never changes', 'requestID');
  const isPayment = hosted.terms.payment !== undefined;
  if (!['aborted', 'error', isPayment ? 'paid' : 'tokenized'].includes(outcome)) {
    throw new Refusal('invalid_request', `does not fit ${hosted.terms.operation}`, 'outcome');
  }
  if (typeof errorText !== 'string') throw new Refusal('invalid_request', 'must be a string', 'errorText');
  if (surchargePercent !== undefined && (!isPercent(surchargePercent) || outcome !== 'paid')) {
    const reason = 'must be above 0, at most 100, have at most two decimals, and come only with "paid"';
    throw new Refusal('invalid_request', reason, 'surchargePercent');
  }
  // The guest has paid already and only the status is held back: no other ending can undo that.
  if (hosted.phase === 'settling' && (outcome === 'aborted' || outcome === 'error')) {
    throw new Refusal('conflict', 'was paid already; only its status is still open', 'outcome');
  }
  if (hosted.phase === 'settling' && surchargePercent !== undefined) {
    throw new Refusal('conflict', 'was paid already, without this surcharge', 'surchargePercent');
  }
  if (outcome === 'aborted') cancelHosted(hosted);
  else if (outcome === 'error') declineHosted(hosted, wellFormed(maskCardNumbersIn(errorText).slice(0, 500)));
  else completeByHand(world, hosted, surchargePercent);
  await visitCallbacks(world, hosted);
  return toHostedView(hosted);
}

function isPercent(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 100 && Number(value.toFixed(2)) === value;
}

// Half of a surrogate pair cannot be percent-encoded, and `result` is.
function wellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function completeByHand(world: World, hosted: HostedRequest, surchargePercent: number | undefined): void {
  const validYear = Number(world.clock.localDateTime().slice(0, 4)) + 3;
  const card = {
    card: toMaskedCard(CONTROL_CARD),
    cardScenario: approved.name,
    cardholder: 'Control',
    valid: `${validYear}-12-31`,
  };
  completeHosted(world, hosted, { card, surchargePercent });
}
