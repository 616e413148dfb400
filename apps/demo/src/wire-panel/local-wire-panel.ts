/** The panel of a demo whose three servers run in this process or beside it. */
import { HotelClock } from '../clock.ts';
import { MemoryExchangeLog } from './exchange-log.ts';
import { forwardTo, serveHandler } from './forward-requests.ts';
import { recordExchanges } from './record-exchanges.ts';
import type { MagicInput, SandboxControlPort } from './sandbox-control-port.ts';
import type { WirePanel } from './wire-panel-routes.ts';

/** The controls of a sandbox in this process, as its package offers them. */
export interface SandboxControls<Choice> {
  scenarios(): Awaited<ReturnType<SandboxControlPort['scenarios']>>;
  scenario(choice: Choice): void;
  magic(): { readonly rows: readonly MagicInput[] };
  clock(step: { readonly advanceSeconds: number }): { readonly now: string };
}

type SandboxFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** A panel and what records for it. */
export interface LocalWirePanel {
  readonly wirePanel: WirePanel;
  /** The sandbox's fetch, recorded. It rejects as before when an answer is lost. */
  recordSandbox(fetch: SandboxFetch): SandboxFetch;
  /** Serves `port`, passes everything on to the proxy at `targetPort`, and records it. */
  serveRecordedProxy(ports: {
    readonly port: number;
    readonly targetPort: number;
  }): Promise<{ close(): Promise<void> }>;
}

/** Makes the panel's parts. `secrets` are what the demo was started with. */
export function createLocalWirePanel<Choice>(input: {
  readonly secrets: readonly string[];
  readonly controls: SandboxControls<Choice>;
}): LocalWirePanel {
  const { controls, secrets } = input;
  const log = new MemoryExchangeLog();
  const wirePanel: WirePanel = {
    log,
    secrets,
    record: (exchange) => log.put(exchange),
    clock: new HotelClock(),
    control: {
      scenarios: async () => controls.scenarios(),
      // The sandbox checks every field by itself, whatever type it says it takes.
      choose: async (choice) => controls.scenario(choice as Choice),
      magic: async () => controls.magic().rows,
      advanceClock: async (advanceSeconds) => controls.clock({ advanceSeconds }).now,
    },
  };
  return {
    wirePanel,
    recordSandbox: (fetch) => {
      const recorded = recordExchanges((request) => fetch(request), 'upstream', wirePanel);
      return async (input, init) =>
        recorded(input instanceof Request && init === undefined ? input : new Request(input, init));
    },
    serveRecordedProxy: ({ port, targetPort }) =>
      serveHandler(recordExchanges(forwardTo(targetPort), 'proxy', wirePanel), port),
  };
}
