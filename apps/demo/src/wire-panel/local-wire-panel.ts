/** The panel of a demo whose three servers run in this process or beside it. */
import { HotelClock } from '../clock.ts';
import { ExchangeLog } from './exchange-log.ts';
import { forwardTo, serveHandler } from './forward-requests.ts';
import { recordExchanges } from './record-exchanges.ts';
import { sandboxControl } from './sandbox-control.ts';
import type { WirePanel } from './wire-panel-routes.ts';

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
export function createLocalWirePanel(input: {
  readonly secrets: readonly string[];
  readonly sandboxUrl: string;
}): LocalWirePanel {
  const { secrets, sandboxUrl } = input;
  const log = new ExchangeLog();
  const wirePanel: WirePanel = {
    log,
    secrets,
    record: (exchange) => log.add(exchange),
    clock: new HotelClock(),
    control: sandboxControl(sandboxUrl),
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
