import type { ConfiguredSecrets } from '../src/hood/secret-book.ts';

/**
 * What the panel must know, as JSON in the secret `HOOD` of each Worker of the demo. It can only look for a credential
 * that it knows. A real deployment has nothing like it.
 */
export interface HoodSettings {
  /** Every credential of the demo by the name that the panel gives it. */
  readonly secrets: ConfiguredSecrets;
  /** Digits of the test cards that pages print for everybody to use. */
  readonly printedCards: readonly string[];
}

/** Reads the secret `HOOD`. Only the deployment writes it. */
export function parseHoodSettings(text: string): HoodSettings {
  return JSON.parse(text) as HoodSettings;
}
