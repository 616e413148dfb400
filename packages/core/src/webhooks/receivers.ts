/** A webhook receiver in one call, for each kind of server: it reads the raw body, verifies, calls you, and answers. */
import type { WebhookEvent } from '../contract/event.ts';
import { InvalidInputError, isInnkeepError } from '../errors.ts';
import { joinBytes } from '../values/join-bytes.ts';
import { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';

/**
 * What to do with an event. Update the booking, then return: the proxy waits 15 seconds. Errors that it throws go to the server's
 * own error handling, which answers 500, and the proxy sends the event again later. One with a `status` or `statusCode` goes there as
 * the `cause` of another, since servers would answer with that.
 */
export type HandleWebhook = (event: WebhookEvent) => unknown;

/** A request of `node:http`, as Express, Connect and others have it. */
export interface NodeWebhookRequest extends AsyncIterable<Uint8Array | string> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Headers, their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What an earlier parser made of the body: text and bytes can still be verified, anything else cannot. */
  readonly body?: unknown;
  /** The body's bytes, where the platform keeps them beside the parsed body. */
  readonly rawBody?: unknown;
  /** Whether somebody has read from the body already. */
  readonly readableDidRead?: boolean;
}

/** A response of `node:http`. */
export interface NodeWebhookResponse {
  /** HTTP status to answer with. */
  statusCode: number;
  /** Sets one header. */
  setHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(text: string): unknown;
}

/** The part of a Fastify instance that {@link fastifyWebhook} needs. */
export interface FastifyWebhookInstance {
  /** Removes the body parsers, inside the plugin. */
  removeAllContentTypeParsers(): void;
  /** Adds a body parser. */
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  /** Adds a route. */
  post(
    path: string,
    handler: (
      request: { readonly body: unknown; readonly headers: NodeWebhookRequest['headers'] },
      reply: { code(status: number): unknown; type(contentType: string): unknown; send(body: string): unknown },
    ) => Promise<unknown>,
  ): unknown;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** An event has some kilobytes. */
const MAX_BODY_BYTES = 1_048_576;
const TEXT = 'text/plain; charset=utf-8';

/**
 * A receiver for servers with `Request` and `Response`: Next.js route handlers, Hono, Workers, Deno, Bun. It answers 204, 400 to
 * what the proxy did not sign, 405 to another method, and 413 to more than 1 MiB.
 *
 * @param secret - one secret, or several while it is being rotated
 * @throws what `handle` throws; `invalid_input` when the secret has the wrong form, or the body was read before
 * @example
 * ```ts
 * import { fetchWebhook } from '@innkeep/core/webhooks';
 *
 * // app/hooks/route.ts of Next.js. Hono: app.post('/hooks', (c) => receive(c.req.raw)).
 * export const POST = fetchWebhook('whsec_…', async (event) => {
 *   console.log(event.type, event.seq);
 * });
 * ```
 */
export function fetchWebhook(
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: VerifyWebhookOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, headers } = request;
    if (request.bodyUsed) throw consumed('Pass the request before anything else reads its body.');
    const body = (): Promise<Uint8Array | undefined> => readAll(request.body ?? []);
    const { status, text } = await answerTo({ method, headers, body }, { secret, handle, options });
    if (status === 204) return new Response(null, { status });
    return new Response(text, { status, headers: { 'content-type': TEXT, ...allowOf(status) } });
  };
}

/**
 * A receiver for Express, Connect and plain `node:http`. It reads the raw body itself, so mount it before `express.json()`.
 * It answers as {@link fetchWebhook} does.
 *
 * @param secret - one secret, or several while it is being rotated
 * @throws what `handle` throws; `invalid_input` when the secret has the wrong form, or the body was parsed before. With Express
 * they go to `next`, that is, to the app's error handler.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { nodeWebhook } from '@innkeep/core/webhooks';
 *
 * const receive = nodeWebhook('whsec_…', async (event) => console.log(event.type, event.seq));
 * // Express: app.post('/hooks', receive)
 * createServer((request, response) => receive(request, response, () => response.writeHead(500).end())).listen(3000);
 * ```
 */
export function nodeWebhook(
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: VerifyWebhookOptions,
): (request: NodeWebhookRequest, response: NodeWebhookResponse, next?: (error: unknown) => unknown) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { method, headers } = request;
      const body = async (): Promise<string | Uint8Array | undefined> => rawBodyOf(request) ?? readAll(request);
      const { status, text } = await answerTo({ method, headers, body }, { secret, handle, options });
      response.statusCode = status;
      for (const [name, value] of Object.entries({ 'content-type': TEXT, ...allowOf(status) })) {
        response.setHeader(name, value);
      }
      response.end(text);
    } catch (error) {
      if (next === undefined) throw error;
      next(error);
    }
  };
}

/**
 * A receiver for Fastify: a plugin with one route. Inside it bodies are not parsed; the rest of the app does not change. It answers
 * as {@link fetchWebhook} does.
 *
 * @param secret - one secret, or several while it is being rotated
 * @throws what `handle` throws; `invalid_input` when the secret has the wrong form. Fastify answers them with 500 and logs them.
 * @example
 * ```ts no-check fastify is not a dependency of this package
 * import { fastifyWebhook } from '@innkeep/core/webhooks';
 *
 * app.register(fastifyWebhook('whsec_…', async (event) => console.log(event.type)), { prefix: '/hooks' });
 * ```
 */
export function fastifyWebhook(
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: VerifyWebhookOptions,
): (instance: FastifyWebhookInstance) => Promise<void> {
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    instance.post('/', async ({ headers, body }, reply) => {
      const raw = async (): Promise<Uint8Array> => (body instanceof Uint8Array ? body : new Uint8Array());
      const { status, text } = await answerTo({ method: 'POST', headers, body: raw }, { secret, handle, options });
      reply.code(status);
      reply.type(TEXT);
      return reply.send(text);
    });
  };
}

async function answerTo(
  request: {
    readonly method: string | undefined;
    readonly headers: Parameters<typeof verifyWebhook>[1];
    body(): Promise<string | Uint8Array | undefined>;
  },
  how: {
    readonly secret: string | readonly string[];
    readonly handle: HandleWebhook;
    readonly options: VerifyWebhookOptions | undefined;
  },
): Promise<Answer> {
  if (request.method !== 'POST') return { status: 405, text: 'Webhooks are sent by POST.' };
  const body = await request.body();
  if (body === undefined || body.length > MAX_BODY_BYTES) return { status: 413, text: 'No webhook is that large.' };
  let event: WebhookEvent;
  try {
    event = await verifyWebhook(body, request.headers, how.secret, how.options);
  } catch (error) {
    if (!isInnkeepError(error, 'webhook_verification_failed')) throw error;
    return { status: 400, text: error.message };
  }
  try {
    await how.handle(event);
  } catch (error) {
    throw withoutStatus(error);
  }
  return { status: 204, text: '' };
}

/** Express, Fastify and Hono answer with the status that an error has. 410, from whomever the handler called, would switch the endpoint off. */
function withoutStatus(error: unknown): unknown {
  const { message, stack, status, statusCode } = Object(error) as Record<string, string | undefined>;
  if ((status ?? statusCode) === undefined) return error;
  return Object.assign(new Error(message, { cause: error }), { stack });
}

/** The bytes or the text that an earlier reader has read; undefined if nobody has. */
function rawBodyOf({ rawBody, body, readableDidRead }: NodeWebhookRequest): string | Uint8Array | undefined {
  for (const given of [rawBody, body]) if (typeof given === 'string' || given instanceof Uint8Array) return given;
  if (readableDidRead !== true) return undefined;
  throw consumed('Mount the receiver before express.json() and other body parsers.');
}

function consumed(advice: string): InvalidInputError {
  return new InvalidInputError('body', `The body was read before, and only the raw body can be verified. ${advice}`);
}

/** All bytes, or undefined if there are too many. */
async function readAll(chunks: AsyncIterable<Uint8Array | string> | Iterable<never>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    // A copy: workerd gives each piece, however small, 4 KiB of its own.
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : new Uint8Array(chunk);
    length += part.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return joinBytes(parts);
}

function allowOf(status: number): Record<string, string> {
  return status === 405 ? { allow: 'POST' } : {};
}
