import type { ScenarioList } from '@innkeep/sandbox';
import { HotelClock } from '../src/clock.ts';
import { ExchangeLog } from '../src/wire-panel/exchange-log.ts';
import type { WirePanel } from '../src/wire-panel/wire-panel-routes.ts';

/** A panel, and a sandbox's controls with two scenarios. `moved` are the seconds that its clock was moved by. */
export function fakeWirePanel(now: () => Date = () => new Date()): WirePanel & { readonly moved: number[] } {
  const log = new ExchangeLog();
  const moved: number[] = [];
  let chosen: ScenarioList['chosen'] = [];
  return {
    log,
    moved,
    secrets: [],
    record: (exchange) => log.add(exchange),
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
        if (choice.times > 0) chosen = [...chosen, choice as (typeof chosen)[number]];
      },
      advanceClock: async (seconds) => void moved.push(seconds),
    },
  };
}
