/**
 * Stands in front of a server, copies every request and its answer into an {@link Exchange}, and changes neither. A
 * payment never waits for its record, and never fails because of it.
 */
import { captionOf } from './caption.ts';
import { type ExchangeDetails, idsIn } from './correlate.ts';
import type { Body, Exchange, Participant, Server } from './exchange.ts';
import { redactFields, redactHeaders, redactPath, redactPlainText } from './redact-message.ts';

/** A server, as the web platform sees it. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Where exchanges go, and what is kept out of them. */
export interface Recorder {
  /** Credentials to redact wherever they occur. */
  readonly secrets: readonly string[];
  /** Takes an exchange when its request arrives, and again under the same id when its answer is known. */
  readonly record: (exchange: Exchange) => void | Promise<void>;
  /** Told of everything that went wrong while recording. @default logs the error's name */
  readonly onError?: (error: unknown) => void;
  /** Keeps the process alive until an answer is recorded: `ctx.waitUntil` on Workers. @default nothing */
  readonly inBackground?: (work: Promise<void>) => void;
}

interface Copy {
  readonly body: Body | null;
  /** The body as JSON or as a form, in clear; undefined when it is neither. */
  readonly fields?: unknown;
}

const LONGEST_BODY = 256 * 1024;
const LONGEST_TEXT = 10_000;
const FILE = /\.(?:css|js|mjs|map|svg|png|jpg|webp|woff2|ico)$/;
// The panel's own requests, and those that control the sandbox.
const UNRECORDED = /^\/wire(?:\/|$)|^\/public\/wire-panel\.|\/__sandbox\/(?!assets\/)/;

/** The same server, with its traffic recorded. */
export function recordExchanges(handler: Handler, to: Server, recorder: Recorder): Handler {
  const { secrets, inBackground = () => {}, onError = logError } = recorder;

  return async (request) => {
    const finish = begin(request);
    try {
      const answer = await handler(request);
      finish(answer);
      return answer;
    } catch (error) {
      finish(null);
      throw error;
    }
  };

  /** Records a request and returns what records its answer, or that there was none. Neither throws. */
  function begin(request: Request): (answer: Response | null) => void {
    const url = new URL(request.url);
    if (UNRECORDED.test(url.pathname)) return () => {};
    const arriving = waitingExchange(request, url);
    const sending = copyOf(request);
    put(arriving);
    return (answer) => put(finished(answer));

    async function finished(answer: Response | null): Promise<Exchange> {
      const endedAt = Date.now();
      const headers = new Headers(answer?.headers);
      const receiving: Copy | Promise<Copy> = answer === null ? { body: null } : copyOf(answer);
      const [waiting, sent, received] = [await arriving, await sending, await receiving];
      const details: ExchangeDetails = {
        ...detailsOf(request, url),
        requestFields: sent.fields,
        answerFields: received.fields,
        location: headers.get('location'),
        ...(answer === null ? {} : { status: answer.status }),
      };
      return {
        ...waiting,
        caption: waiting.kind === 'file' ? waiting.caption : captionOf(details, { from: waiting.from, to }),
        kind: isNotYet(details, to) ? 'poll' : waiting.kind,
        about: idsIn(details),
        durationMs: endedAt - waiting.startedAt,
        state: answer === null ? 'lost' : 'answered',
        request: { headers: waiting.request.headers, body: sent.body },
        answer:
          answer === null
            ? null
            : { status: answer.status, headers: redactHeaders(headers, secrets), body: received.body },
      };
    }
  }

  async function waitingExchange(request: Request, url: URL): Promise<Exchange> {
    const from = senderOf(request, url, to);
    const isFile = request.method === 'GET' && FILE.test(url.pathname);
    const details = detailsOf(request, url);
    return {
      id: crypto.randomUUID(),
      from,
      to,
      method: request.method,
      path: redactPath(url, secrets),
      caption: isFile ? 'The browser loads a file of the page' : captionOf(details, { from, to }),
      kind: isFile ? 'file' : 'call',
      about: idsIn(details),
      startedAt: Date.now(),
      durationMs: null,
      state: 'waiting',
      request: { headers: redactHeaders(request.headers, secrets), body: null },
      answer: null,
    };
  }

  function put(exchange: Promise<Exchange>): void {
    inBackground(exchange.then(recorder.record).catch(onError));
  }

  /** Copies a body while the original goes on to where it belongs. */
  async function copyOf(message: Request | Response): Promise<Copy> {
    const contentType = message.headers.get('content-type') ?? '';
    const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
    if (message.body === null) return { body: null };
    const isForm = type === 'application/x-www-form-urlencoded';
    if (!isForm && !/^(?!image\/).*[/+](?:json|xml|plain)$/.test(type)) {
      return { body: { type, text: '', note: reasonNotKept(type) } };
    }
    try {
      const text = await readText(message.clone(), charsetOf(contentType));
      if (text === '') return { body: null };
      if (text === undefined) return { body: { type, text: '', note: 'Too long to be kept.' } };
      if (!isForm && !type.endsWith('json')) return { body: shortened(type, redactPlainText(text, secrets)) };
      const fields: unknown = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
      return { fields, body: shortened(type, JSON.stringify(redactFields(fields, secrets), null, 2)) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) onError(error);
      return { body: { type, text: '', note: 'Could not be read.' } };
    }
  }
}

function logError(error: unknown): void {
  console.error(`demo: a request could not be recorded: ${error instanceof Error ? error.name : 'unknown'}`);
}

function detailsOf({ method, headers }: Request, url: URL): ExchangeDetails {
  return { method, url, requestHeaders: headers, requestFields: undefined };
}

/** Who sent it, by what only that sender can know or do. */
function senderOf({ headers }: Request, url: URL, to: Server): Participant {
  if (to === 'hotel') return headers.has('webhook-signature') ? 'proxy' : 'browser';
  if (to === 'proxy') return (headers.get('authorization') ?? '').startsWith('Bearer sk_') ? 'hotel' : 'browser';
  return /\/(?:hosted|__sandbox\/assets)\//.test(url.pathname) ? 'browser' : 'proxy';
}

/** Whether it asks for the state of a payment that has not ended yet. */
function isNotYet({ method, url, answerFields }: ExchangeDetails, to: Server): boolean {
  if (method !== 'GET' || typeof answerFields !== 'object' || answerFields === null) return false;
  if (to === 'upstream') return url.pathname.endsWith('/paystatus') && Number(Reflect.get(answerFields, 'state')) === 0;
  return to === 'proxy' && url.pathname === '/v1/checkout' && Reflect.get(answerFields, 'status') === 'pending';
}

function reasonNotKept(type: string): string {
  if (type === 'text/event-stream') return 'A stream without an end, which is not kept.';
  return type === 'text/html' ? 'A page, whose markup is not kept.' : 'A file, which is not kept.';
}

function shortened(type: string, text: string): Body {
  if (text.length <= LONGEST_TEXT) return { type, text };
  return { type, text: text.slice(0, LONGEST_TEXT), note: 'Only the beginning is kept.' };
}

/** XML of the gateway is ISO-8859-1 unless it says otherwise. */
function charsetOf(contentType: string): string {
  return /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? (/[/+]xml\b/.test(contentType) ? 'windows-1252' : 'utf-8');
}

/** The text of a body; undefined when it is longer than anything that a payment needs. */
async function readText({ body }: Request | Response, charset: string): Promise<string | undefined> {
  const decoder = new TextDecoder(charset);
  let text = '';
  // Only a message that has a body is cloned and read.
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (text.length > LONGEST_BODY) {
      // The original goes on; only this copy of it is given up.
      void reader.cancel().catch(() => {});
      return undefined;
    }
  }
  return text + decoder.decode();
}
