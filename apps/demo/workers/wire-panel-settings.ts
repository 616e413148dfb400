import type { ConfiguredSecrets } from '../src/wire-panel/secret-book.ts';

/**
 * What the panel must know, as JSON in the secret `WIRE_PANEL` of each Worker of the demo. It can only look for a credential
 * that it knows. A real deployment has nothing like it.
 */
export interface WirePanelSettings {
  /** Every credential of the demo by the name that the panel gives it. */
  readonly secrets: ConfiguredSecrets;
  /** Digits of the test cards that pages print for everybody to use. */
  readonly printedCards: readonly string[];
}

/** Reads the secret `WIRE_PANEL`. Only the deployment writes it. */
export function parseWirePanelSettings(text: string): WirePanelSettings {
  return JSON.parse(text) as WirePanelSettings;
}
