import type { SandboxControls } from '../src/wire-panel/local-wire-panel.ts';
import type { ChosenScenario } from '../src/wire-panel/sandbox-control-port.ts';

/** A sandbox's controls with two scenarios and one magic card. */
export function fakeControls(): SandboxControls<ChosenScenario> {
  let chosen: ChosenScenario[] = [];
  let timeMs = Date.parse('2026-09-01T08:00:00Z');
  return {
    scenarios: () => ({
      scenarios: [
        { name: 'declined', description: 'The card is declined.', operations: ['initpayNoIframe', 'pay'] },
        { name: 'slow', description: 'The answer takes a while.', operations: ['pay'] },
      ],
      chosen,
    }),
    scenario: (choice) => {
      if (!Number.isInteger(choice.times)) throw new Error('must be a whole number');
      chosen = chosen.filter(({ operation }) => operation !== choice.operation);
      if (choice.times > 0) chosen.push(choice);
    },
    magic: () => ({
      rows: [{ lever: 'card', input: '4000000000000002', scenario: 'declined' }],
    }),
    clock: ({ advanceSeconds }) => {
      timeMs += advanceSeconds * 1_000;
      return { now: new Date(timeMs).toISOString().slice(0, 19) };
    },
  };
}
