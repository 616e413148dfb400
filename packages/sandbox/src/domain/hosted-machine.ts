/**
 * The states of a hosted request and the only moves between them.
 *
 * `open` (nobody acted) → `settling` (the guest acted, no result is delivered yet) → `done` | `failed`, which are final.
 */
export type HostedPhase = 'open' | 'settling' | 'done' | 'failed';

/** What can happen to a hosted request. */
export type HostedEvent = 'act' | 'succeed' | 'fail';

const MOVES: Readonly<Record<HostedPhase, Partial<Readonly<Record<HostedEvent, HostedPhase>>>>> = {
  open: { act: 'settling', fail: 'failed' },
  settling: { succeed: 'done', fail: 'failed' },
  done: {},
  failed: {},
};

/** The phase after an event, or undefined when the event is not possible: a finished request never changes. */
export function nextPhase(phase: HostedPhase, event: HostedEvent): HostedPhase | undefined {
  return MOVES[phase][event];
}

/** Whether nothing can change any more. */
export function isFinished(phase: HostedPhase): boolean {
  return Object.keys(MOVES[phase]).length === 0;
}
