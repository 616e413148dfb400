/** A stored card, as a charge needs it. Plain data, because it crosses an object boundary. */
export interface StoredCard {
  /** Goes no further than to the payment service. */
  readonly token: string;
  /** The one that issued the token: another one does not know it. */
  readonly serviceProvider: string;
}
