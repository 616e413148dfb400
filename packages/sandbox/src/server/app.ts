/** The addresses of the service and what every call goes through. @see upstream API, section "Endpoints" */
import { type Context, Hono } from 'hono';
import type { SandboxControl } from '../control/control.ts';
import { createControlRoutes } from '../control/control-routes.ts';
import type { Operation } from '../domain/plan.ts';
import type { WireLogEntry } from '../domain/wire-log.ts';
import type { ApiCall } from '../endpoints/api-call.ts';
import { createToken } from '../endpoints/create-token.ts';
import { gatewayCall } from '../endpoints/gateway/gateway-call.ts';
import { initCreateTokenNoIframe } from '../endpoints/init-create-token-no-iframe.ts';
import { initpayNoIframe } from '../endpoints/initpay-no-iframe.ts';
import { login } from '../endpoints/login.ts';
import { pay } from '../endpoints/pay.ts';
import { paystatus } from '../endpoints/paystatus.ts';
import { jsonReply, type Reply } from '../endpoints/reply.ts';
import { reversal } from '../endpoints/reversal.ts';
import { transaction } from '../endpoints/transaction.ts';
import { visitHostedPage } from '../hosted-page/hosted-page.ts';
import type { Profile } from '../profiles/profile.ts';
import { STRICT } from '../profiles/strict.ts';
import { fromLatin1 } from '../wire/latin1.ts';
import { readBody } from '../wire/read-body.ts';
import { Refusal } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';
import { AnswerLostError, spoil, toResponse } from './deliver.ts';

const MAX_BODY_BYTES = { api: 64 * 1024, gateway: 1024 * 1024 } as const;

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operation: Operation;
  readonly endpoint: (world: World, call: ApiCall) => Reply;
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/login', operation: 'login', endpoint: login },
  { method: 'POST', path: '/V2/:customer/createToken', operation: 'createToken', endpoint: createToken },
  { method: 'POST', path: '/V2/:customer/pay', operation: 'pay', endpoint: pay },
  { method: 'POST', path: '/V2/:customer/reversal', operation: 'reversal', endpoint: reversal },
  { method: 'POST', path: '/V2/:customer/initpayNoIframe', operation: 'initpayNoIframe', endpoint: initpayNoIframe },
  {
    method: 'POST',
    path: '/V2/:customer/initCreateTokenNoIframe',
    operation: 'initCreateTokenNoIframe',
    endpoint: initCreateTokenNoIframe,
  },
  { method: 'GET', path: '/:customer/paystatus', operation: 'paystatus', endpoint: paystatus },
  { method: 'GET', path: '/V2/:customer/paystatus', operation: 'paystatus', endpoint: paystatus },
  { method: 'GET', path: '/V2/:customer/transaction', operation: 'transaction', endpoint: transaction },
  { method: 'POST', path: '/:customer/API/:protocol/:method', operation: 'gateway', endpoint: gatewayCall },
];

/** The whole service as a Hono app. `prefix` is the path of `baseUrl`, empty when it has none. */
export function createApp(
  world: World,
  { control, prefix }: { readonly control: SandboxControl; readonly prefix: string },
): Hono {
  const app = new Hono();
  const { baseUrl } = world.settings;
  const routes = createControlRoutes(control, baseUrl === undefined ? undefined : new URL(baseUrl).hostname);
  app.route('/__sandbox', routes);
  if (prefix !== '') app.route(`${prefix}/__sandbox`, routes);
  for (const { method, path, operation, endpoint } of ROUTES) {
    app.on(method, `${prefix}${path}`, (context) =>
      exchange(world, { context, operation }, (body) => endpoint(world, toCall(world, context, body))),
    );
  }
  for (const page of ['payment', 'create'] as const) {
    app.on(['GET', 'POST'], `${prefix}/:customer/hosted/${page}`, (context) =>
      exchange(world, { context, operation: 'hosted page' }, (body) => {
        const visit = {
          url: new URL(context.req.url),
          page,
          customer: context.req.param('customer') ?? '',
          prefix,
        };
        const isSubmitted = context.req.method === 'POST';
        return visitHostedPage(world, isSubmitted ? { ...visit, form: toForm(body) } : visit);
      }),
    );
  }
  for (const { path } of ROUTES) {
    app.all(`${prefix}${path}`, (context) =>
      exchange(world, { context, operation: '-' }, () => {
        throw new Refusal('method_not_allowed', 'is not the method of this address', context.req.method);
      }),
    );
  }
  app.notFound((context) =>
    exchange(world, { context, operation: '-' }, () => {
      throw new Refusal('not_found', 'there is nothing at this address');
    }),
  );
  // Only the control routes get here. They belong to the tester, so no dialect applies.
  app.onError((error) => {
    if (error instanceof Refusal) return toResponse(toReply(STRICT, error));
    throw error;
  });
  return app;
}

/** One call from the first byte to the last: body, log, endpoint, and what the scenario does to the answer. */
async function exchange(
  world: World,
  { context, operation }: { readonly context: Context; readonly operation: WireLogEntry['operation'] },
  run: (body: Uint8Array<ArrayBuffer>) => Reply | Promise<Reply>,
): Promise<Response> {
  const { headers, method, url, body } = context.req.raw;
  const limit = operation === 'gateway' ? MAX_BODY_BYTES.gateway : MAX_BODY_BYTES.api;
  const bytes = await readBody(body, limit);
  const contentType = headers.get('content-type') ?? '';
  const { redactor, wireLog, clock } = world;
  const entry = wireLog.add({
    at: clock.localDateTime(),
    operation,
    method,
    path: redactor.path(new URL(url)),
    headers: redactor.headers(headers),
    body: bytes === undefined ? '[too large]' : redactor.body(contentType, toLogText(contentType, bytes)),
    answer: null,
  });
  // A gateway request that fails has no HTTP 200 in any dialect.
  const reply = await attempt(operation === 'gateway' ? STRICT : world.profile, () => {
    if (bytes === undefined) throw new Refusal('payload_too_large', `the body is larger than ${limit} bytes`);
    return run(bytes);
  });
  if (reply.scenario !== undefined) entry.scenario = reply.scenario;
  if (reply.note !== undefined) entry.note = reply.note;
  if (reply.delivery?.kind === 'lost') throw new AnswerLostError();
  if (reply.delivery?.kind === 'slow') await wait(world.settings.slowAnswerMs, context.req.raw.signal);
  const sent = spoil(reply);
  const text = typeof sent.body === 'string' ? sent.body : toLogText(sent.contentType, sent.body);
  entry.answer = {
    status: sent.status,
    contentType: sent.contentType,
    body: redactor.body(sent.contentType, text),
  };
  return toResponse(sent);
}

async function attempt(profile: Profile, run: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) return toReply(profile, error);
    throw error;
  }
}

function toReply(profile: Profile, refusal: Refusal): Reply {
  const { status, fields } = profile.refused(refusal);
  return jsonReply(fields, { status, note: refusal.message });
}

function toCall(world: World, context: Context, body: Uint8Array<ArrayBuffer>): ApiCall {
  const url = new URL(context.req.url);
  const customer = context.req.param('customer') ?? '';
  const baseUrl = world.settings.baseUrl ?? url.origin;
  return { customer, url, headers: context.req.raw.headers, body, baseUrl };
}

function toForm(body: Uint8Array<ArrayBuffer>): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}

function toLogText(contentType: string, bytes: Uint8Array<ArrayBuffer>): string {
  return contentType.includes('xml') ? fromLatin1(bytes) : new TextDecoder().decode(bytes);
}

/** Resolves after a delay, or as soon as nobody waits for the answer any more. */
function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
