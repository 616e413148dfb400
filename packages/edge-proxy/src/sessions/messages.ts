/**
 * What the proxy's own pages say, in five languages. `unknown` never reads as a failure: money may have moved. The build
 * puts each language beside the bundle; at run time only the one that is asked for is read.
 */
import type { CheckoutStatus } from '@innkeep/core/contract';
import type { Language } from './language.ts';
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };
import it from './messages/it.json' with { type: 'json' };

/** What a page shows: the session's status, or how the last attempt ended when another one can follow. */
export type Shown = CheckoutStatus | 'failed' | 'canceled';

/** Every text of the pages. */
export interface Messages {
  /** Headings; for cards those that speak of a payment are replaced, here and below. */
  readonly heading: Readonly<Record<Shown, string>>;
  readonly cardHeading: Readonly<Partial<Record<Shown, string>>>;
  /** Heading after an attempt that failed because the card was refused. */
  readonly declined: string;
  readonly text: Readonly<Record<Shown, string>>;
  readonly textForCard: Readonly<Partial<Record<Shown, string>>>;
  readonly amount: string;
  readonly surcharge: string;
  readonly surchargeNote: string;
  readonly total: string;
  readonly reference: string;
  readonly card: string;
  readonly pay: string;
  readonly saveCard: string;
  readonly continuePaying: string;
  readonly tryAgain: string;
  /** When a payment that has expired may still turn out to be paid. */
  readonly alreadyPaid: string;
  /** When the guest was shown another price or text than there is now. */
  readonly termsChanged: string;
  readonly close: string;
  readonly testMode: string;
  readonly scan: string;
  readonly cardScan: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly unavailable: string;
  /** When a start has failed. */
  readonly unavailableText: string;
  /** When a request was refused before anything was done, whatever may have happened earlier. */
  readonly refusedText: string;
}

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, de, fr, es, it };
