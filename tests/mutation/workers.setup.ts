/** Gives the proxy's own tests a Workers runtime in Node: the bindings of `wrangler.jsonc`, over the simulated worker. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeEach } from 'vitest';
import { TEST_ENVIRONMENT } from '../../packages/edge-proxy/test-support/environment.ts';
import { provideRuntime } from '../simulation/runtime/cloudflare-test.ts';
import { provide, waitUntil } from '../simulation/runtime/cloudflare-workers.ts';
import { cryptoWithoutThreads } from '../simulation/runtime/crypto.ts';
import { REGISTRY } from '../simulation/runtime/load.ts';
import { type ObjectClass, ObjectRuntime } from '../simulation/runtime/objects.ts';
import { createRealTimeHost } from '../simulation/runtime/real-time.ts';

const ASSETS = new URL('../../packages/edge-proxy/dist/assets/', import.meta.url);

// Test files share their modules; what a module keeps in memory must not pass from one file to the next.
const memory = globalThis as { forgetters?: Set<() => void>; idKeys?: ObjectRuntime };
memory.forgetters ??= new Set();
for (const forget of memory.forgetters) forget();

// What workerd has and Node has not.
const NodeRequest = globalThis.Request;
const { setTimeout: setTimeoutOfNode } = await import('node:timers');
Object.assign(globalThis, {
  [REGISTRY]: (forget: () => void) => memory.forgetters?.add(forget),
  Request: class extends NodeRequest {
    constructor(input: RequestInfo | URL, init: RequestInit = {}) {
      const half = { duplex: 'half' };
      super(input, init.body == null ? init : { ...init, ...half });
    }
  },
  // What a test waits for in workerd, for seconds, passes in a tenth of that here.
  setTimeout: (run: () => void, ms = 0) => setTimeoutOfNode(run, ms < 500 ? ms : ms / 10),
  scheduler: { wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) },
});

// Nobody reads what no test looks for, and handing it to the main thread takes a tenth of the time.
for (const level of ['log', 'warn', 'error', 'info'] as const) console[level] = () => undefined;

Object.defineProperty(globalThis, 'crypto', { value: cryptoWithoutThreads(Math.random), configurable: true });

const runtime = new ObjectRuntime(createRealTimeHost());
const environment: Record<string, unknown> = { ...TEST_ENVIRONMENT };
// Set once the worker is imported, which reads these bindings.
let handle: (request: Request) => Promise<Response> = () => Promise.reject(new Error('The worker is not there yet'));
provide({
  env: environment,
  exports: { default: { fetch: (request: Request, init?: RequestInit) => handle(new Request(request, init)) } },
});
provideRuntime(runtime);

// Not by a literal: the worker's types are those of workerd, and this file has Node's.
const entry: string = '../../packages/edge-proxy/src/worker.ts';
const worker = (await import(entry)) as Record<string, ObjectClass> & {
  readonly default: { fetch(request: Request, env: unknown, ctx: object): Promise<Response> };
};
handle = (request) => worker.default.fetch(request, environment, { waitUntil });
const classes = {
  ACCESS_TOKENS: worker.AccessTokenObject,
  CHECKOUT_SESSIONS: worker.CheckoutSessionObject,
  MONEY_OPERATIONS: worker.MoneyOperationObject,
  LEDGERS: worker.LedgerObject,
  PROPERTIES: worker.PropertyObject,
  DIRECTORIES: worker.PropertyDirectoryObject,
  FEEDS: worker.PlatformFeedObject,
};
// Suites share the module that derives ids, so that they share the key, too.
memory.idKeys ??= new ObjectRuntime(createRealTimeHost());
environment.ID_KEYS = memory.idKeys.namespace('ID_KEYS', worker.IdKeyObject as ObjectClass);
for (const [binding, objectClass] of Object.entries(classes)) {
  environment[binding] = runtime.namespace(binding, objectClass as ObjectClass);
}
environment.ASSETS = {
  async fetch(request: Request) {
    try {
      return new Response(await readFile(new URL(`.${new URL(request.url).pathname}`, ASSETS)));
    } catch {
      return new Response(null, { status: 404 });
    }
  },
};
const LIMITS = { GUEST_LIMIT: 600, FAILURE_LIMIT: 120 };
for (const [name, limit] of Object.entries(LIMITS)) {
  const taken = new Map<string, number>();
  environment[name] = {
    async limit({ key }: { key: string }) {
      taken.set(key, (taken.get(key) ?? 0) + 1);
      return { success: (taken.get(key) ?? 0) <= limit };
    },
  };
}
runtime.env = environment;

afterAll(() => runtime.close());

/** Slow ones that no mutant needs, and those that depend on when a real alarm comes. A name pattern in the configuration would replace Stryker's own. */
const LEFT_OUT =
  /a backlog does not make|no claim is released while|are exported every ten seconds at most|is given up after 20 seconds/;
beforeEach(({ task, skip }) => {
  if (LEFT_OUT.test(task.name)) skip();
});
