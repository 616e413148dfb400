import { createSandbox } from '@innkeep/sandbox';
import { HotelClock } from '../src/clock.ts';
import { ExchangeLog } from '../src/wire-panel/exchange-log.ts';
import type { WirePanel } from '../src/wire-panel/wire-panel-routes.ts';

/** A panel, and a sandbox of its own. `moved` are the seconds that its clock was moved by. */
export function fakeWirePanel(now: () => Date = () => new Date()): WirePanel & { readonly moved: number[] } {
  const log = new ExchangeLog();
  const moved: number[] = [];
  const { control } = createSandbox();
  return {
    log,
    moved,
    secrets: [],
    record: (exchange) => log.add(exchange),
    clock: new HotelClock({ base: now }),
    control: {
      scenarios: async () => control.scenarios(),
      // What it does not know it refuses by itself.
      choose: async (choice) => control.scenario(choice as Parameters<typeof control.scenario>[0]),
      advanceClock: async (seconds) => void moved.push(seconds),
    },
  };
}
