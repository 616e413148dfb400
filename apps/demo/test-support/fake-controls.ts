import type { SandboxControls } from '../src/wire-panel/local-wire-panel.ts';
import type { ArmedScenario } from '../src/wire-panel/sandbox-control-port.ts';

/** A simulator's controls with two scenarios and one magic card. */
export function fakeControls(): SandboxControls<ArmedScenario> {
  let armed: ArmedScenario[] = [];
  let timeMs = Date.parse('2026-09-01T08:00:00Z');
  return {
    scenarios: () => ({
      scenarios: [
        { name: 'declined', description: 'The card is declined.', operations: ['initpayNoIframe', 'pay'] },
        { name: 'slow', description: 'The answer takes a while.', operations: ['pay'] },
      ],
      chosen: armed,
    }),
    scenario: (choice) => {
      if (!Number.isInteger(choice.times)) throw new Error('must be a whole number');
      armed = armed.filter(({ operation }) => operation !== choice.operation);
      if (choice.times > 0) armed.push(choice);
    },
    magic: () => ({
      rows: [{ lever: 'card', input: '4000000000000002', scenario: 'declined', effect: 'The card is declined.' }],
    }),
    clock: ({ advanceSeconds }) => {
      timeMs += advanceSeconds * 1_000;
      return { now: new Date(timeMs).toISOString().slice(0, 19) };
    },
  };
}
