/** Who takes part in a payment. `upstream` is the payment service and its gateway. */
export type Participant = 'browser' | 'hotel' | 'proxy' | 'upstream';

/** A participant that has a server. */
export type Server = Exclude<Participant, 'browser'>;

/** One request and its answer. Secrets are redacted already: an exchange may be stored, sent to a browser and shown to anybody. */
export interface Exchange {
  readonly id: string;
  readonly from: Participant;
  readonly to: Server;
  readonly method: string;
  /** Path and names of the query's parameters. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** From the request to the head of its answer. */
  readonly durationMs: number;
  /** Null when the connection ended without an answer. */
  readonly status: number | null;
  /** Headers, an empty line and the body. */
  readonly request: string;
  /** The same of the answer; empty when there was none. */
  readonly answer: string;
}
