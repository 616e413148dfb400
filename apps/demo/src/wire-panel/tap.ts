/**
 * A tap: stands before a server, copies every request and answer into an {@link Exchange}, and changes neither. Uses
 * the web platform only. Whatever goes wrong in here is counted and swallowed: a payment never waits for its record.
 */
import { captionOf } from './caption.ts';
import { type Facts, idsIn } from './correlate.ts';
import type { CredentialSearch, Exchange, MarkedAnswer, MarkedBody, Participant } from './exchange.ts';
import { Redactor, shorten } from './redact.ts';
import type { SecretBook } from './secret-book.ts';

/** A server, as the web platform sees it. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** What a tap needs. */
export interface TapOptions {
  /** Whose server this is. */
  readonly to: Exclude<Participant, 'browser'>;
  readonly secrets: SecretBook;
  /** Takes an exchange: once when its request arrives, and again under the same id when its answer is known. */
  readonly record: (exchange: Exchange) => void | Promise<void>;
  /** Milliseconds since the epoch, of the real clock. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Digits of the test cards that pages print for everybody to use. @default none */
  readonly printedCards?: Iterable<string>;
  /** True for requests that are not to be recorded. @default none */
  readonly ignores?: (request: Request) => boolean;
  /** Told of everything that went wrong while recording. @default nothing */
  readonly onFault?: (error: unknown) => void;
  /** Keeps the process alive until an answer is recorded: `ctx.waitUntil` on Workers. @default nothing */
  readonly inBackground?: (work: Promise<void>) => void;
}

// A page of this demo has 20 kB and its largest script 60 kB; more than this is searched in part, and said so.
const MOST_BYTES = 2 * 1024 * 1024;
const LONGEST_TEXT = 16 * 1024;
const FILE = /\.(?:css|js|mjs|map|svg|png|jpg|webp|woff2|ico)$/;
const TEXT_TYPE = /^text\/|[/+](?:json|xml|javascript)$|^application\/x-www-form-urlencoded$/;
// Read whole before they are passed on, so that a secret is known before it can turn up anywhere else.
const BRINGS_SECRETS = /\/(?:login|createToken|transaction)$/;

interface Copy {
  readonly type: string;
  readonly charset: string;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** The same server, with its traffic recorded. */
export function tap(handler: Handler, options: TapOptions): Handler {
  const { onFault = () => {}, ignores = () => false, inBackground = () => {} } = options;
  const redactor = new Redactor(options.secrets, options.printedCards);

  return async (request) => {
    const recording = guarded(() => (ignores(request) ? undefined : begin(request)));
    let answer: Response;
    try {
      answer = await handler(request);
    } catch (error) {
      recording?.lose();
      throw error;
    }
    const done = guarded(() => recording?.finish(answer));
    if (done !== undefined) {
      if (BRINGS_SECRETS.test(new URL(request.url).pathname)) await done;
      else inBackground(done);
    }
    return answer;
  };

  function begin(request: Request): { lose(): void; finish(answer: Response): Promise<void> } {
    const url = new URL(request.url);
    const { method, headers } = request;
    const way = { from: senderOf(request, url, options.to), to: options.to };
    const startedAt = options.now();
    const seed: Facts = { method, url, requestHeaders: headers, requestFields: undefined };
    const isFile = method === 'GET' && FILE.test(url.pathname);
    const waiting: Exchange = {
      id: options.newId(),
      ...way,
      method,
      path: redactor.path(url),
      caption: isFile ? 'The browser loads a file of the page' : captionOf(seed, way),
      kind: isFile ? 'file' : 'call',
      about: idsIn(seed),
      startedAt,
      durationMs: null,
      state: 'waiting',
      request: { headers: redactor.headers(headers), body: null },
      answer: null,
    };
    put(waiting);
    const requestCopy = copyOf(request);
    return {
      lose: () => {
        const durationMs = options.now() - startedAt;
        inBackground(
          swallowing(async () =>
            put({ ...(await withRequest(waiting, await requestCopy, seed)), durationMs, state: 'lost' }),
          ),
        );
      },
      finish: (answer) => {
        const durationMs = options.now() - startedAt;
        const { status } = answer;
        const answerHeaders = new Headers(answer.headers);
        const answerCopy = copyOf(answer);
        return swallowing(async () => {
          const [sent, received] = [await requestCopy, await answerCopy];
          const answerFields = fieldsOf(received);
          learnFrom(answerFields);
          const facts: Facts = { ...seed, status, location: answerHeaders.get('location'), answerFields };
          const exchange = await withRequest(waiting, sent, facts);
          const marked: MarkedAnswer = {
            status,
            headers: redactor.headers(answerHeaders),
            body: bodyOf(received, answerHeaders),
          };
          const search =
            way.from === 'browser'
              ? searchIn(request, sent, { status, headers: answerHeaders, copy: received })
              : undefined;
          put({
            ...exchange,
            durationMs,
            state: 'answered',
            answer: marked,
            ...(search === undefined ? {} : { search }),
          });
        });
      },
    };
  }

  /** The exchange with what its request's body tells. */
  async function withRequest(waiting: Exchange, copy: Copy | null, facts: Facts): Promise<Exchange> {
    const full = { ...facts, requestFields: fieldsOf(copy) };
    return {
      ...waiting,
      caption: waiting.kind === 'file' ? waiting.caption : captionOf(full, waiting),
      kind: isNotYet(full, waiting) ? 'poll' : waiting.kind,
      about: idsIn(full),
      request: { headers: waiting.request.headers, body: bodyOf(copy, facts.requestHeaders) },
    };
  }

  function bodyOf(copy: Copy | null, headers: Headers): MarkedBody | null {
    if (copy === null) {
      const type = mediaType(headers);
      return type === 'text/event-stream'
        ? { type, bytes: 0, text: null, note: 'A stream without an end; not copied.' }
        : null;
    }
    const { type, bytes } = copy;
    if (bytes.length === 0) return null;
    if (/javascript|css|^image\//.test(type))
      return { type, bytes: bytes.length, text: null, note: 'A file; its text is not kept here.' };
    if (!TEXT_TYPE.test(type)) return { type, bytes: bytes.length, text: null, note: 'Not text; not kept here.' };
    const { text, isCut } = shorten(redactor.body(type, textOf(copy)), LONGEST_TEXT);
    return {
      type,
      bytes: bytes.length,
      text,
      ...(isCut || !copy.isWhole ? { note: 'Only the beginning is kept here.' } : {}),
    };
  }

  function learnFrom(fields: unknown): void {
    if (typeof fields !== 'object' || fields === null) return;
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'access_token' && typeof value === 'string') options.secrets.learn('bearer token', value);
      if (/^token(?:No)?$/.test(name) && typeof value === 'string') options.secrets.learn('stored-card token', value);
    }
  }

  function searchIn(
    request: Request,
    sent: Copy | null,
    received: { readonly status: number; readonly headers: Headers; readonly copy: Copy | null },
  ): CredentialSearch {
    const { secrets } = options;
    const sentBytes = rawBytes(`${request.method} ${request.url}`, request.headers, sent);
    const receivedBytes = rawBytes(String(received.status), received.headers, received.copy);
    return {
      sentBytes: sentBytes.length,
      receivedBytes: receivedBytes.length,
      isWhole: (sent?.isWhole ?? true) && (received.copy?.isWhole ?? true),
      searched: secrets.names(),
      found: [
        ...secrets.namesIn(sentBytes).map((name) => ({ name, where: 'request' as const })),
        ...secrets.namesIn(receivedBytes).map((name) => ({ name, where: 'answer' as const })),
      ],
    };
  }

  function put(exchange: Exchange): void {
    inBackground(swallowing(async () => options.record(exchange)));
  }

  function guarded<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      onFault(error);
      return undefined;
    }
  }

  async function swallowing(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      onFault(error);
    }
  }

  /** The bytes of a message, while it goes on to where it belongs. Null when there are none to copy. */
  async function copyOf(message: Request | Response): Promise<Copy | null> {
    const type = mediaType(message.headers);
    if (message.body === null || type === 'text/event-stream') return null;
    try {
      const { body } = message.clone();
      if (body === null) return null;
      const charset = /charset="?([\w-]+)/i.exec(message.headers.get('content-type') ?? '')?.[1] ?? '';
      return { type, charset, ...(await readUpTo(body, MOST_BYTES)) };
    } catch (error) {
      onFault(error);
      return null;
    }
  }
}

/** Who sent it, by what only that sender can know or do. */
function senderOf(request: Request, url: URL, to: TapOptions['to']): Participant {
  const { headers } = request;
  if (to === 'hotel') return headers.has('webhook-signature') ? 'proxy' : 'browser';
  if (to === 'proxy') return (headers.get('authorization') ?? '').startsWith('Bearer sk_') ? 'hotel' : 'browser';
  return /\/(?:hosted|__sandbox\/assets)\//.test(url.pathname) ? 'browser' : 'proxy';
}

/** Whether it asks how a payment stands and hears that it is not over. */
function isNotYet({ method, url, answerFields }: Facts, { to }: { readonly to: Participant }): boolean {
  if (method !== 'GET' || typeof answerFields !== 'object' || answerFields === null) return false;
  if (to === 'upstream') return url.pathname.endsWith('/paystatus') && Number(Reflect.get(answerFields, 'state')) === 0;
  return to === 'proxy' && url.pathname === '/v1/checkout' && Reflect.get(answerFields, 'status') === 'pending';
}

async function readUpTo(
  body: ReadableStream<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks, length), isWhole: true };
    const kept = value.subarray(0, most - length);
    chunks.push(kept);
    length += kept.length;
    if (length === most) {
      // The other copy goes on; only this one is given up.
      void reader.cancel().catch(() => {});
      return { bytes: joined(chunks, length), isWhole: false };
    }
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}

/** A message as it goes over the wire, near enough to find in it whatever is in it. */
function rawBytes(firstLine: string, headers: Headers, copy: Copy | null): Uint8Array {
  const head = new TextEncoder().encode(
    `${firstLine}\n${[...headers].map(([name, value]) => `${name}: ${value}\n`).join('')}\n`,
  );
  return joined([head, copy?.bytes ?? new Uint8Array()], head.length + (copy?.bytes.length ?? 0));
}

function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function textOf({ type, charset, bytes }: Copy): string {
  // XML of the gateway is ISO-8859-1 unless it says otherwise.
  const label = charset === '' && type.endsWith('xml') ? 'windows-1252' : charset || 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function fieldsOf(copy: Copy | null): unknown {
  if (copy === null) return undefined;
  if (copy.type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(textOf(copy)));
  if (!copy.type.endsWith('json')) return undefined;
  try {
    return JSON.parse(textOf(copy));
  } catch {
    return undefined;
  }
}
