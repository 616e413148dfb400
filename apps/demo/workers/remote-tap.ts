/**
 * The taps of the Workers that are not the hotel. What they record goes to the hotel's object through a binding; no
 * address leads there.
 */
import type { Exchange } from '../src/wire-panel/exchange.ts';
import { type TapOptions, tap } from '../src/wire-panel/tap.ts';
import { tapOptions } from '../src/wire-panel/wire-panel.ts';
import { type LearnedSecret, TapSecrets } from './tap-secrets.ts';
import { parseWirePanelSettings, type WirePanelSettings } from './wire-panel-settings.ts';

/** The hotel's object, as far as a tap needs it. */
export interface WirePanelObject {
  record(exchange: Exchange): Promise<void>;
  /** Takes what this tap has learned and tells what all have. */
  share(fresh: readonly LearnedSecret[]): Promise<readonly LearnedSecret[]>;
}

/** What one request goes through. */
export interface TappedRequest {
  /** Answers without a tap. */
  readonly handler: () => Promise<Response>;
  readonly to: TapOptions['to'];
  /** The variable `WIRE_PANEL`. */
  readonly settings: string;
  readonly wirePanel: WirePanelObject;
  readonly inBackground: (work: Promise<void>) => void;
}

interface Observer {
  readonly secrets: TapSecrets;
  readonly printedCards: WirePanelSettings['printedCards'];
}

// One for each isolate: what it has learned is asked for again by the next one.
const observers = new Map<string, Observer>();

/** Answers one request with its traffic recorded. */
export async function answerTapped(request: Request, options: TappedRequest): Promise<Response> {
  const { handler, to, wirePanel, inBackground } = options;
  const { secrets, printedCards } = observerOf(options.settings);
  const shareSecrets = (): Promise<void> =>
    wirePanel
      .share(secrets.takeFresh())
      .then((learned) => secrets.adopt(learned))
      .catch(logFault);

  const tapped = tap(
    async () => {
      const answer = await handler();
      // What another tap learned meanwhile is looked for in this answer, too.
      if (to !== 'upstream') await shareSecrets();
      return answer;
    },
    tapOptions(
      {
        journal: { put: (exchange) => wirePanel.record(exchange) },
        secrets,
        printedCards,
        inBackground,
        onFault: logFault,
      },
      to,
    ),
  );
  const answer = await tapped(request);
  // Before a new token can turn up anywhere else, everybody looks for it.
  if (secrets.hasFresh) await shareSecrets();
  return answer;
}

function observerOf(settings: string): Observer {
  let observer = observers.get(settings);
  if (observer === undefined) {
    const { secrets, printedCards } = parseWirePanelSettings(settings);
    observer = { secrets: new TapSecrets(secrets), printedCards };
    observers.set(settings, observer);
  }
  return observer;
}

function logFault(error: unknown): void {
  console.error(`demo: a request could not be recorded: ${error instanceof Error ? error.name : 'unknown'}`);
}
