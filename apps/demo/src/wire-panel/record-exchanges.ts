/**
 * Stands in front of a server, copies every request and its answer into an {@link Exchange}, and changes neither. A
 * payment never waits for its record, and never fails because of it.
 */
import type { Exchange, Participant, Server } from './exchange.ts';
import { redactFields, redactHeaders, redactPath, redactPlainText } from './redact-message.ts';

/** A server, as the web platform sees it. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Where exchanges go, and what is kept out of them. */
export interface Recorder {
  /** Credentials to redact wherever they occur. */
  readonly secrets: readonly string[];
  /** Takes an exchange once its answer is known. */
  readonly record: (exchange: Exchange) => void | Promise<void>;
  /** Told of everything that went wrong while recording. @default logs the error's name */
  readonly onError?: (error: unknown) => void;
  /** Keeps the process alive until an answer is recorded: `ctx.waitUntil` on Workers. @default nothing */
  readonly inBackground?: (work: Promise<void>) => void;
}

const LONGEST_BODY = 256 * 1024;
const LONGEST_TEXT = 10_000;
const FORM = 'application/x-www-form-urlencoded';
// The panel's own requests, those that control the sandbox, the files of pages, and the desk's question for news every few seconds.
const UNRECORDED = /^\/wire(?:\/|$)|\/__sandbox\/|^\/(?:public|widgets|payments-desk|docs)\/|^\/v1\/events$/;

/** The same server, with its traffic recorded. */
export function recordExchanges(handler: Handler, to: Server, recorder: Recorder): Handler {
  const { secrets, inBackground = () => {}, onError = logError } = recorder;

  return async (request) => {
    const url = new URL(request.url);
    if (UNRECORDED.test(url.pathname)) return handler(request);
    const startedAt = Date.now();
    const sent = bodyText(request);
    const finish = (answer: Response | null): void => inBackground(record(answer).catch(onError));
    try {
      const answer = await handler(request);
      finish(answer);
      return answer;
    } catch (error) {
      finish(null);
      throw error;
    }

    async function record(answer: Response | null): Promise<void> {
      const durationMs = Date.now() - startedAt;
      const received = answer === null ? '' : bodyText(answer);
      const headers = answer === null ? '' : headerText(answer.headers);
      await recorder.record({
        id: crypto.randomUUID(),
        from: senderOf(request, url, to),
        to,
        method: request.method,
        path: redactPath(url, secrets),
        startedAt,
        durationMs,
        status: answer?.status ?? null,
        request: `${headerText(request.headers)}${await sent}`,
        answer: `${headers}${await received}`,
      });
    }
  };

  function headerText(headers: Headers): string {
    const fields = Object.entries(redactHeaders(headers, secrets));
    return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
  }

  /** Copies a body, laid out for reading, while the original goes on to where it belongs. Never rejects. */
  async function bodyText(message: Request | Response): Promise<string> {
    const contentType = message.headers.get('content-type') ?? '';
    const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
    if (message.body === null) return '';
    if (type !== FORM && !/^(?!image\/).*[/+](?:json|xml|plain)$/.test(type)) return '\n(a page or file, not kept)';
    try {
      const text = await readText(message.clone(), charsetOf(contentType));
      if (text === undefined) return '\n(too long to be kept)';
      if (text === '') return '';
      return `\n${redactBody(type, text).slice(0, LONGEST_TEXT)}`;
    } catch (error) {
      if (!(error instanceof SyntaxError)) onError(error);
      return '\n(could not be read)';
    }
  }

  function redactBody(type: string, text: string): string {
    if (type !== FORM && !type.endsWith('json')) return redactPlainText(text, secrets);
    const fields: unknown = type === FORM ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    return JSON.stringify(redactFields(fields, secrets), null, 2);
  }
}

function logError(error: unknown): void {
  console.error(`demo: a request could not be recorded: ${error instanceof Error ? error.name : 'unknown'}`);
}

/** Who sent it, by what only that sender can know or do. */
function senderOf({ headers }: Request, url: URL, to: Server): Participant {
  if (to === 'hotel') return headers.has('webhook-signature') ? 'proxy' : 'browser';
  if (to === 'proxy') return (headers.get('authorization') ?? '').startsWith('Bearer sk_') ? 'hotel' : 'browser';
  return url.pathname.includes('/hosted/') ? 'browser' : 'proxy';
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
