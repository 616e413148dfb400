import type { PropertyFields } from '@innkeep/core/contract';
import type { Outcome } from '../http/problem.ts';

/** A stored card, as a charge needs it. */
export interface StoredCard {
  /** Goes no further than to the payment service. */
  readonly token: string;
  /** The one that issued the token: another one does not know it. */
  readonly serviceProvider: string;
}

/** The same between objects: one of release 1.0.0 says only the token. */
export type CardToken = Outcome<string> & Partial<Pick<StoredCard, 'serviceProvider'>>;

/** The configuration that a charge is made with, which may be newer than what its card's object knows. Release 1.0.0 leaves it out. */
export type ChargedService = Readonly<Pick<PropertyFields, 'livemode' | 'baseUrl' | 'allowedOrigins' | 'amountUnit'>>;
