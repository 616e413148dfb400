/** The panel of a demo whose three servers run in this process or beside it. */
import { HotelClock } from '../clock.ts';
import { MemoryJournal } from './journal.ts';
import type { MagicInput, SandboxControlPort } from './sandbox-control-port.ts';
import { type ConfiguredSecrets, SecretBook } from './secret-book.ts';
import { tap } from './tap.ts';
import { forwardTo, serveHandler } from './tapped-proxy.ts';
import { tapOptions, type WirePanel } from './wire-panel.ts';

/** The controls of a simulator in this process, as its package offers them. */
export interface SandboxControls<Choice> {
  scenarios(): Awaited<ReturnType<SandboxControlPort['scenarios']>>;
  scenario(choice: Choice): void;
  magic(): { readonly rows: readonly MagicInput[] };
  clock(step: { readonly advanceSeconds: number }): { readonly now: string };
}

type SandboxFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** A panel and the taps that feed it. */
export interface LocalWirePanel {
  readonly wirePanel: WirePanel;
  /** The simulator's fetch, tapped. It rejects as before when an answer is lost. */
  tapSandbox(fetch: SandboxFetch): SandboxFetch;
  /** Serves `port` and passes everything on to the proxy at `targetPort`. */
  serveTappedProxy(ports: { readonly port: number; readonly targetPort: number }): Promise<{ close(): Promise<void> }>;
}

/** Makes the panel's parts. `secrets` are what the demo was started with. */
export function createLocalWirePanel<Choice>(input: {
  readonly secrets: ConfiguredSecrets;
  readonly controls: SandboxControls<Choice>;
}): LocalWirePanel {
  const { controls } = input;
  const wirePanel: WirePanel = {
    journal: new MemoryJournal(),
    secrets: new SecretBook(input.secrets),
    clock: new HotelClock(),
    printedCards: controls
      .magic()
      .rows.filter(({ lever }) => lever === 'card')
      .map(({ input }) => input),
    control: {
      scenarios: async () => controls.scenarios(),
      // The simulator checks every field by itself, whatever type it says it takes.
      arm: async (choice) => controls.scenario(choice as Choice),
      magic: async () => controls.magic().rows,
      advanceClock: async (advanceSeconds) => controls.clock({ advanceSeconds }).now,
    },
    onFault: (error) =>
      console.error(`demo: a request could not be recorded: ${error instanceof Error ? error.name : 'unknown'}`),
  };
  return {
    wirePanel,
    tapSandbox: (fetch) => {
      const tapped = tap((request) => fetch(request), tapOptions(wirePanel, 'upstream'));
      return async (input, init) =>
        tapped(input instanceof Request && init === undefined ? input : new Request(input, init));
    },
    serveTappedProxy: ({ port, targetPort }) =>
      serveHandler(tap(forwardTo(targetPort), tapOptions(wirePanel, 'proxy')), port),
  };
}
