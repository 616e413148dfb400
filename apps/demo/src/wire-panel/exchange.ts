/**
 * What the wire panel knows about one request and its answer. Everything here is redacted already: an
 * exchange may be stored, sent to a browser and shown to anybody.
 */

/** Who takes part in a payment. `upstream` is the payment service and its gateway. */
export type Participant = 'browser' | 'hotel' | 'proxy' | 'upstream';

/** A piece of text as it went over the wire, or the name of what stood there and is not shown. */
export type Part = string | { readonly hidden: string };

/** Text with every secret cut out of it. The cuts are values and not characters, so no text can look like one. */
export type MarkedText = readonly Part[];

/** A header field. */
export interface MarkedHeader {
  readonly name: string;
  readonly value: MarkedText;
}

/** What a message carried after its headers. */
export interface MarkedBody {
  /** Media type without parameters; empty when the message did not say. */
  readonly type: string;
  /** Size in bytes, as far as it was read. */
  readonly bytes: number;
  /** Null when there is nothing to read in it; then `note` says why. */
  readonly text: MarkedText | null;
  /** Why there is no text, or that it goes on. */
  readonly note?: string;
}

/** One direction of an exchange. */
export interface MarkedMessage {
  readonly headers: readonly MarkedHeader[];
  /** Null when there was none. */
  readonly body: MarkedBody | null;
}

/** The answer, with its status code. */
export interface MarkedAnswer extends MarkedMessage {
  readonly status: number;
}

/** The result of looking for every credential in the raw bytes that a browser sent and received. */
export interface CredentialSearch {
  /** Bytes of request line, headers and body that left the browser. */
  readonly sentBytes: number;
  /** Bytes of status line, headers and body that reached the browser. */
  readonly receivedBytes: number;
  /** False when a body was larger than the search reads. */
  readonly isWhole: boolean;
  /** Names of what was looked for. */
  readonly searched: readonly string[];
  /** Names of what was there. */
  readonly found: readonly { readonly name: string; readonly where: 'request' | 'answer' }[];
}

/** One request and its answer. */
export interface Exchange {
  readonly id: string;
  readonly from: Participant;
  readonly to: Participant;
  readonly method: string;
  /** Path and query. */
  readonly path: MarkedText;
  /** What happens here, in one plain sentence. */
  readonly caption: string;
  /** `file`: a script, stylesheet or picture that a page loads. `poll`: a question whose answer was "not yet". */
  readonly kind: 'call' | 'file' | 'poll';
  /** Ids that this exchange speaks of, such as `cs_…` or `booking:…`. Exchanges that share one belong together. */
  readonly about: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** From the request to the head of its answer; null while it is awaited. */
  readonly durationMs: number | null;
  /** `lost`: the connection ended without an answer. */
  readonly state: 'waiting' | 'answered' | 'lost';
  readonly request: MarkedMessage;
  readonly answer: MarkedAnswer | null;
  /** Only for what a browser took part in. */
  readonly search?: CredentialSearch;
}

/** The text as a reader sees it, each cut as `[name]`. */
export function toPlainText(text: MarkedText): string {
  return text.map((part) => (typeof part === 'string' ? part : `[${part.hidden}]`)).join('');
}
