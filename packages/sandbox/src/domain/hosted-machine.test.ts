import { expect, it } from 'vitest';
import { type HostedEvent, type HostedPhase, isFinished, nextPhase } from './hosted-machine.ts';

const MOVES: [HostedPhase, HostedEvent, HostedPhase | undefined][] = [
  ['open', 'act', 'settling'],
  ['open', 'succeed', 'done'],
  ['open', 'fail', 'failed'],
  ['settling', 'act', undefined],
  ['settling', 'succeed', 'done'],
  ['settling', 'fail', 'failed'],
  ['done', 'act', undefined],
  ['done', 'succeed', undefined],
  ['done', 'fail', undefined],
  ['failed', 'act', undefined],
  ['failed', 'succeed', undefined],
  ['failed', 'fail', undefined],
];

it.each(MOVES)('moves from %s on %s to %s', (phase, event, next) => {
  expect(nextPhase(phase, event)).toBe(next);
});

it('is finished exactly when no event leads anywhere', () => {
  expect((['open', 'settling', 'done', 'failed'] as const).map(isFinished)).toEqual([false, false, true, true]);
});
