/** Records what goes to a Worker that is not the hotel. It goes to the hotel's object through a binding; no address leads there. */
import type { Exchange, Server } from '../src/wire-panel/exchange.ts';
import { recordExchanges } from '../src/wire-panel/record-exchanges.ts';

/** The hotel's object, as far as a recording needs it. */
export interface WirePanelObject {
  record(exchange: Exchange): Promise<void>;
}

/** Answers one request with its traffic recorded. */
export async function recordRemotely(
  request: Request,
  options: {
    /** Answers without a recording. */
    readonly handler: () => Promise<Response>;
    readonly to: Server;
    readonly secrets: readonly string[];
    readonly panel: WirePanelObject;
    readonly context: ExecutionContext;
  },
): Promise<Response> {
  const { handler, to, secrets, panel, context } = options;
  return recordExchanges(handler, to, {
    secrets,
    record: (exchange) => panel.record(exchange),
    inBackground: (work) => context.waitUntil(work),
  })(request);
}
