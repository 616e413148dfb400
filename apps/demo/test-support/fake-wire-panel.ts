import { HotelClock } from '../src/clock.ts';
import { ExchangeLog } from '../src/wire-panel/exchange-log.ts';
import type { ChosenScenario } from '../src/wire-panel/sandbox-control.ts';
import type { WirePanel } from '../src/wire-panel/wire-panel-routes.ts';

/** A panel, and a sandbox's controls with two scenarios and one magic card. */
export function fakeWirePanel(now: () => Date = () => new Date()): WirePanel {
  const log = new ExchangeLog();
  let chosen: ChosenScenario[] = [];
  let timeMs = Date.parse('2026-09-01T08:00:00Z');
  return {
    log,
    secrets: [],
    record: (exchange) => log.put(exchange),
    clock: new HotelClock({ base: now }),
    control: {
      scenarios: async () => ({
        scenarios: [
          { name: 'declined', description: 'The card is declined.', operations: ['initpayNoIframe', 'pay'] },
          { name: 'slow', description: 'The answer takes a while.', operations: ['pay'] },
        ],
        chosen,
      }),
      choose: async (choice) => {
        if (!Number.isInteger(choice.times)) throw new Error('must be a whole number');
        chosen = chosen.filter(({ operation }) => operation !== choice.operation);
        if (choice.times > 0) chosen.push(choice);
      },
      magic: async () => [{ lever: 'card', input: '4000000000000002', scenario: 'declined' }],
      advanceClock: async (seconds) => {
        timeMs += seconds * 1_000;
        return new Date(timeMs).toISOString().slice(0, 19);
      },
    },
  };
}
