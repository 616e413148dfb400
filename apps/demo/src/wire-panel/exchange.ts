/**
 * What the wire panel knows about one request and its answer. Everything here is redacted already: an exchange may be
 * stored, sent to a browser and shown to anybody.
 */

/** Who takes part in a payment. `upstream` is the payment service and its gateway. */
export type Participant = 'browser' | 'hotel' | 'proxy' | 'upstream';

/** A participant that has a server. */
export type Server = Exclude<Participant, 'browser'>;

/** What a message carried after its headers. */
export interface Body {
  /** Media type without parameters; empty when the message did not say. */
  readonly type: string;
  /** Laid out for reading; empty when it is not kept, and then `note` says why. */
  readonly text: string;
  readonly note?: string;
}

/** One direction of an exchange. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  /** Null when there was none. */
  readonly body: Body | null;
}

/** One request and its answer. */
export interface Exchange {
  readonly id: string;
  readonly from: Participant;
  readonly to: Participant;
  readonly method: string;
  /** Path and names of the query's parameters. */
  readonly path: string;
  /** What happens here, in one plain sentence. */
  readonly caption: string;
  /** `file`: a script, stylesheet or picture that a page loads. `poll`: a question whose answer was "not yet". */
  readonly kind: 'call' | 'file' | 'poll';
  /** Ids that this exchange mentions, such as `cs_…` or `booking:…`. Exchanges that share one belong together. */
  readonly about: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** From the request to the head of its answer; null until then. */
  readonly durationMs: number | null;
  /** `lost`: the connection ended without an answer. */
  readonly state: 'waiting' | 'answered' | 'lost';
  readonly request: Message;
  readonly answer: (Message & { readonly status: number }) | null;
}
